/** `Idempotency` in memory against its contract. */
import * as KeyRingMemory from "@freehold/core/memory/access/KeyRingMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as IdempotencyMemory from "@freehold/core/memory/operation/IdempotencyMemory"
import { idempotencyContract } from "@freehold/core/testing/IdempotencyContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

idempotencyContract(
  "in memory",
  Layer.mergeAll(IdempotencyMemory.layer, KeyRingMemory.layer, SeederMemory.layer).pipe(
    Layer.provide(MemoryState.layer)
  )
)

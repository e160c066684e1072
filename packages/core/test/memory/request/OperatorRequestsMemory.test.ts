/** `OperatorRequests` in memory against its contract. */
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OperatorRequestsMemory from "@freehold/core/memory/request/OperatorRequestsMemory"
import { operatorRequestsContract } from "@freehold/core/testing/OperatorRequestsContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

operatorRequestsContract(
  "in memory",
  Layer.mergeAll(OperatorRequestsMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

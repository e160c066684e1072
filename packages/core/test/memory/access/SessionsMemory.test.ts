import * as SessionsMemory from "@freehold/core/memory/access/SessionsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { sessionsContract } from "@freehold/core/testing/SessionsContract"
import { Layer } from "effect"

sessionsContract(
  "memory",
  Layer.mergeAll(SessionsMemory.layer, OrganizationsMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

import * as ConnectionsMemory from "@freehold/core/memory/ConnectionsMemory"
import * as KeyRingMemory from "@freehold/core/memory/KeyRingMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/OrganizationsMemory"
import { connectionsContract } from "@freehold/core/testing/ConnectionsContract"
import { Layer } from "effect"

connectionsContract(
  "memory",
  Layer.mergeAll(ConnectionsMemory.layer, KeyRingMemory.layer, OrganizationsMemory.layer).pipe(
    Layer.provide(MemoryState.layer)
  )
)

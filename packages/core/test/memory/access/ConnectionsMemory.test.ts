import * as ConnectionsMemory from "@freehold/core/memory/access/ConnectionsMemory"
import * as KeyRingMemory from "@freehold/core/memory/access/KeyRingMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { connectionsContract } from "@freehold/core/testing/ConnectionsContract"
import { Layer } from "effect"

connectionsContract(
  "memory",
  Layer.mergeAll(ConnectionsMemory.layer, KeyRingMemory.layer, OrganizationsMemory.layer).pipe(
    Layer.provide(MemoryState.layer)
  )
)

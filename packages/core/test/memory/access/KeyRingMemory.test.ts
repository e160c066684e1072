import * as KeyRingMemory from "@freehold/core/memory/access/KeyRingMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { keyRingContract } from "@freehold/core/testing/KeyRingContract"
import { Layer } from "effect"

keyRingContract(
  "memory",
  Layer.merge(KeyRingMemory.layer, OrganizationsMemory.layer).pipe(Layer.provide(MemoryState.layer)),
  200
)

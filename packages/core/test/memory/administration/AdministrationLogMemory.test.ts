import * as AdministrationLogMemory from "@freehold/core/memory/administration/AdministrationLogMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { administrationLogContract } from "@freehold/core/testing/AdministrationLogContract"
import { Layer } from "effect"

administrationLogContract(
  "memory",
  Layer.mergeAll(AdministrationLogMemory.layer, OrganizationsMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

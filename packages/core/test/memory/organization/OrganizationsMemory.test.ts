import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { organizationsContract } from "@freehold/core/testing/OrganizationsContract"
import { Layer } from "effect"

organizationsContract("memory", Layer.provide(OrganizationsMemory.layer, MemoryState.layer))

import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import * as PageViewsMemory from "@freehold/core/memory/viewing/PageViewsMemory"
import { pageViewsContract } from "@freehold/core/testing/PageViewsContract"
import { Layer } from "effect"

pageViewsContract(
  "memory",
  Layer.mergeAll(PageViewsMemory.layer, OrganizationsMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

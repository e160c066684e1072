import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as NoticeMailsMemory from "@freehold/core/memory/notice/NoticeMailsMemory"
import * as NoticesMemory from "@freehold/core/memory/notice/NoticesMemory"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { noticesContract } from "@freehold/core/testing/NoticesContract"
import { Layer } from "effect"

noticesContract(
  "memory",
  Layer.mergeAll(NoticesMemory.layer, NoticeMailsMemory.layer, OrganizationsMemory.layer).pipe(
    Layer.provide(MemoryState.layer)
  )
)

/** `Contacts` in memory against its contract. */
import * as ContactsMemory from "@freehold/core/memory/contact/ContactsMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { contactsContract } from "@freehold/core/testing/ContactsContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

contactsContract(
  "in memory",
  Layer.mergeAll(ContactsMemory.layer, SeederMemory.layer).pipe(
    Layer.provide(MemoryState.layer)
  )
)

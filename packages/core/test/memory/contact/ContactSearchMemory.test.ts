/** `ContactSearch` in memory against its contract. */
import * as ContactSearchMemory from "@freehold/core/memory/contact/ContactSearchMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import { contactSearchContract } from "@freehold/core/testing/ContactSearchContract"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Layer } from "effect"

contactSearchContract(
  "in memory",
  Layer.merge(ContactSearchMemory.layer, SeederMemory.layer).pipe(Layer.provide(MemoryState.layer))
)

/** `Contacts` over PostgreSQL against its contract. */
import * as ContactsPg from "@freehold/adapters-pg/contact/ContactsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { contactsContract } from "@freehold/core/testing/ContactsContract"
import { Layer } from "effect"

contactsContract(
  "over PostgreSQL",
  Layer.mergeAll(ContactsPg.layer, SeederPg.layer).pipe(
    Layer.provide(TestDatabase.layer)
  )
)

/** `ContactSearch` over PostgreSQL against its contract, and against the one in memory. */
import * as ContactSearchPg from "@freehold/adapters-pg/contact/ContactSearchPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { browsesContactsAsInMemory, contactSearchContract } from "@freehold/core/testing/ContactSearchContract"
import { Layer } from "effect"

const layer = Layer.merge(ContactSearchPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))

contactSearchContract("over PostgreSQL", layer)
browsesContactsAsInMemory("over PostgreSQL", layer, { runs: 25 })

/** `Lists` over PostgreSQL against its contract. */
import * as ListsPg from "@freehold/adapters-pg/list/ListsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { listsContract } from "@freehold/core/testing/ListsContract"
import { Layer } from "effect"

listsContract("over PostgreSQL", Layer.mergeAll(ListsPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer)))

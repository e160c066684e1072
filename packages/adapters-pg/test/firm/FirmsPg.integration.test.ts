/** `Firms` over PostgreSQL against its contract, and against the one in memory. */
import * as FirmsPg from "@freehold/adapters-pg/firm/FirmsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { browsesFirmsAsInMemory, firmsContract } from "@freehold/core/testing/FirmsContract"
import { Layer } from "effect"

const layer = Layer.merge(FirmsPg.layer, SeederPg.layer).pipe(Layer.provide(TestDatabase.layer))

firmsContract("over PostgreSQL", layer)
browsesFirmsAsInMemory("over PostgreSQL", layer, { runs: 25 })

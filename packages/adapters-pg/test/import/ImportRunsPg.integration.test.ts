/** `ImportRuns` over PostgreSQL: the contract. */
import { importRunsContract } from "@freehold/core/testing/ImportRunsContract"
import { Layer } from "effect"
import * as ImportRunsPg from "../../src/import/ImportRunsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

importRunsContract("PostgreSQL", ImportRunsPg.layer.pipe(Layer.provide(TestDatabase.layer)))

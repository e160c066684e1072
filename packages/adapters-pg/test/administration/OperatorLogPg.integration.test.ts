/** `OperatorLog` over PostgreSQL: the contract. */
import { operatorLogContract } from "@freehold/core/testing/OperatorLogContract"
import { Layer } from "effect"
import * as OperatorLogPg from "../../src/administration/OperatorLogPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

operatorLogContract("PostgreSQL", OperatorLogPg.layer.pipe(Layer.provide(TestDatabase.layer)))

/** Cells as three databases of the test run's server; three servers of their own are those of `nightly/Cells.nightly.ts`. */
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Exit, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { describe } from "vitest"
import { cellScene } from "./CellScene.ts"

const scope = Scope.makeUnsafe()
const database = () => Effect.runPromise(Scope.provide(TestDatabase.make, scope))

describe("cells in one server", () => {
  cellScene({
    whole: false,
    makeDatabases: async () => ({
      importer: await database(),
      east: await database(),
      west: await database(),
      mark: randomBytes(3).toString("hex")
    }),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  })
})

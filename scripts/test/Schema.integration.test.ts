/** The page of the schema says what the database says, and the database says what everything in it is. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as TestDatabase from "../../packages/adapters-pg/src/testing/TestDatabase.ts"
import * as SchemaPage from "../SchemaPage.ts"

/** Without what the formatter decides: how wide a column of a table is. */
const unformed = (page: string): ReadonlyArray<string> =>
  page.split("\n").map((line) => line.replaceAll(/-{3,}/g, "---").replaceAll(/ +/g, " "))

withLayer(TestDatabase.layer, { excludeTestServices: true })("the schema", (it) => {
  it.effect("is the one of docs/schema.md", () =>
    Effect.gen(function*() {
      const written = readFileSync(join(import.meta.dirname, "../../docs/schema.md"), "utf8")
      const made = SchemaPage.page(yield* SchemaPage.read)
      assert.deepStrictEqual(unformed(written), unformed(made), "write docs/schema.md anew: pnpm schema")
    }))

  it.effect("says of every table and every function what it is", () =>
    Effect.gen(function*() {
      const { functions, tables } = yield* SchemaPage.read
      assert.isAbove(functions.length, 50)
      assert.deepStrictEqual(tables.filter(({ meaning }) => meaning === null).map(({ name }) => name), [])
      assert.deepStrictEqual(
        functions.filter(({ contract }) => contract === null).map(({ signature }) => signature),
        []
      )
    }))
})

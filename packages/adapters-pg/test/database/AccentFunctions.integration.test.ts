/** `without_accents` says what core's `withoutAccents` says, of every letter that either knows and of those that stay. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { letters, marks, withoutAccents } from "@freehold/core/operation/Accents"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const ascii = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).filter((char) => !/[A-Z]/.test(char))
const texts = [...ascii, ...letters.map(([letter]) => letter), ...marks, "日", "Ω"].map((char) => `a${char}e`)

withLayer(TestDatabase.layer)("without_accents", (it) => {
  it.effect("answers as core does", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ readonly text: string; readonly plain: string }>`
        SELECT text, without_accents(text) AS plain FROM unnest(${texts}::text[]) AS of (text)`
      assert.deepStrictEqual(rows, texts.map((text) => ({ text, plain: withoutAccents(text) })))
    }))
})

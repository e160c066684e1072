/** Tables and records for people. */
import { assert, describe, it } from "@effect/vitest"
import { record, table } from "../src/Output.ts"
import { line } from "../src/ProgressBar.ts"

describe("Output", () => {
  it("aligns columns, with numbers to the right and a dash for what is unknown", () => {
    assert.strictEqual(
      table(["name", "credits"], [["a", 5], ["longer", 1000], ["b", null]]),
      ["NAME    CREDITS", "a             5", "longer     1000", "b             -"].join("\n")
    )
  })

  it("keeps a value with line breaks or escape sequences on its line", () => {
    assert.strictEqual(table(["name"], [["a\n\u001b[31mb"]]), "NAME\na  [31mb")
  })

  it("says that there is nothing", () => {
    assert.strictEqual(table(["name"], []), "none")
  })

  it("shows one field a line", () => {
    assert.strictEqual(record([["id", "x"], ["status", true]]), "id      x\nstatus  true")
  })
})

describe("ProgressBar", () => {
  it("shows the part that is done", () => {
    assert.strictEqual(
      line({ done: 50, of: 100, count: 12_345, unit: "rows" }),
      "[============            ]  50 %  12,345 rows"
    )
  })

  it("shows the count alone where nobody knows how much there is", () => {
    assert.strictEqual(line({ done: 50, of: null, count: 7, unit: "rows" }), "7 rows")
  })
})

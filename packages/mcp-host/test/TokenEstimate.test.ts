/** Results are cut near below 20,000 tokens as the real tokenizer counts them, whatever the records. */
import { assert, describe, it } from "@effect/vitest"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { tokensIn } from "../src/TokenEstimate.ts"
import * as ToolResult from "../src/ToolResult.ts"

const folder = fileURLToPath(new URL("../../../examples/data", import.meta.url))

const files = readdirSync(folder, { recursive: true }).map(String).filter((name) => name.endsWith(".csv"))

const id = (index: number) =>
  `7c0b${String(index).padStart(4, "0")}-4e1f-5a${index % 10}b-9c3d-8fa2e47b61${index % 89 + 10}`

/** Records of a public table, each under an id, as often as it takes to be far too much. */
const rowsOf = (name: string): ReadonlyArray<object> => {
  const [head = "", ...lines] = readFileSync(`${folder}/${name}`, "utf8").split("\n").filter((line) => line !== "")
  const names = head.split(",").slice(0, 30)
  return Array.from({ length: 1200 }, (_, index) => ({
    id: id(index),
    ...Object.fromEntries(
      (lines[index % lines.length] ?? "").split(",").slice(0, 30).map((
        value,
        place
      ) => [names[place] ?? String(place), value === "" ? null : value])
    ),
    teaser: { contacts: 0, withEmail: 0, roleTypes: [], summary: null }
  }))
}

describe.each(files)("records of %s", (name) => {
  it("are estimated above the truth and near it, and cut between 17,500 and 20,000 tokens", () => {
    const result = { results: rowsOf(name), has_more: true, next_cursor: "c".repeat(120) }
    const cut = ToolResult.fit(result)
    assert(cut !== undefined)
    const json = JSON.stringify(ToolResult.truncate(result, cut, "Go on as after any page."))
    const tokens = encode(json).length
    assert.isAtMost(tokens, ToolResult.maximumTokens)
    // Headings in mixed case, as one of the tables has them, are the farthest from the truth.
    assert.isAtLeast(tokens, 17_500)
    assert.isAtLeast(tokensIn(json), tokens)
    assert.isTrue(ToolResult.isTooLarge(JSON.stringify(result)))
    assert.isFalse(ToolResult.isTooLarge(json))
  })
})

it("of text that is nothing but ids, and of other alphabets, is no less than the truth", () => {
  for (
    const text of [
      JSON.stringify(Array.from({ length: 400 }, (_, index) => id(index))),
      "Übergrößenträger in der Königstraße; ".repeat(50),
      "東京都千代田区丸の内一丁目".repeat(50),
      "Санкт-Петербург, Невский проспект ".repeat(50)
    ]
  ) assert.isAtLeast(tokensIn(text), encode(text).length, text.slice(0, 40))
})

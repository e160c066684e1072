/** Results are cut at the last row that fits into 20,000 tokens as the real tokenizer counts them, whatever the records. */
import { assert, describe, it } from "@effect/vitest"
import { defaults } from "@freehold/core/organization/Organization"
import { compactRow } from "@freehold/core/property/PropertyView"
import { property } from "@freehold/core/testing/Seed"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { vi } from "vitest"
import { TokenCount } from "../src/TokenCount.ts"
import { margin, tokensIn } from "../src/TokenEstimate.ts"
import { inPieces } from "../src/TokenPieces.ts"
import { inPlain } from "../src/TokenWalk.ts"
import * as Truncation from "../src/Truncation.ts"

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

const rest = "Go on as after any page."

/** How the result is cut, and that one more row would not fit, but for some tokens where a list begins and ends. */
const cutClose = Effect.fnUntraced(function*(result: Readonly<Record<string, unknown>>) {
  assert.isTrue(Truncation.mayBeTooLarge(JSON.stringify(result)))
  const [cut, ...others] = yield* Truncation.cutsOf(result, { rest, isReadAnew: false })
  assert(cut !== undefined)
  assert.isEmpty(others)
  const tokensOf = (kept: number): number =>
    encode(JSON.stringify(Truncation.truncate(result, [{ ...cut, kept }], rest)), { disallowedSpecial: new Set() })
      .length
  assert.isAtMost(tokensOf(cut.kept), Truncation.maximumTokens)
  assert.isAbove(tokensOf(cut.kept + 1), Truncation.maximumTokens - 10)
  return cut
})

describe.each(files)("records of %s", (name) => {
  const rows = rowsOf(name)

  it.effect("are cut at the last row that fits", () =>
    cutClose({ results: rows, has_more: true, next_cursor: "c".repeat(120) }))

  it("are estimated above the truth", () => {
    const json = JSON.stringify(rows.slice(0, 100))
    assert.isAtLeast(tokensIn(json), encode(json).length)
  })
})

const words = ["Alder", "Bramble", "Quillgate", "Hollowmere", "Farwater", "Juniper", "Sample", "Thistle"]
const word = (index: number): string => words[index % words.length] ?? ""

/** Rows of a search over a made-up county, as the demonstration has them. */
const searchRows = Array.from({ length: 200 }, (_, index) =>
  compactRow(
    {
      ...property({
        id: id(index),
        key: `53901-${String(index * 7919).padStart(8, "0")}`,
        countyFips: "53901",
        county: "Bramble",
        address: `${100 + index * 7} ${word(index)} ${["Street", "Avenue", "Road"][index % 3]}`,
        city: word(index * 3 + 1),
        state: "WA",
        zip: String(98_000 + index),
        lat: 46.1 + index / 1_000_003,
        lon: -122.9 - index / 1_000_003,
        recordOwner: `${word(index * 5)} ${word(index + 3)} Holdings LLC (made up)`,
        commonName: index % 3 === 0 ? null : `${word(index)} Plaza`,
        assetCategory: ["Office", "Retail", "Industrial"][index % 3] ?? null,
        assetSubcategory: ["Mid Rise", "Strip Center", "Warehouse"][index % 3] ?? null,
        buildingSqft: 1000 + index * 137,
        lotSqft: 9000 + index * 411,
        numFloors: index % 9 + 1,
        yearBuilt: 1930 + index % 90,
        totalParval: 100_000 + index * 31_337
      }),
      researchedAt: null,
      lastEnrichedAt: null,
      hasManagementCompany: index % 2 === 0,
      hasBeneficialOwner: index % 5 === 0,
      contactCounts: {
        contacts: index % 6,
        withEmail: index % 5,
        withPhone: index % 4,
        withLinkedin: index % 3,
        roleTypes: ["property_manager", "owner_principal"].slice(0, index % 3)
      },
      unlocked: false,
      ownerWithheld: false
    },
    defaults("org_rows")
  ))

describe("rows of a search", () => {
  it.effect("are cut at the last row that fits", () =>
    cutClose({ results: searchRows, has_more: true, next_cursor: "c".repeat(120), total_matching: 1700 }))

  it.effect("are not cut while all of them fit", () =>
    Effect.gen(function*() {
      const cut = yield* cutClose({ results: searchRows })
      // Without what a cut says of itself one or two more may.
      const most = { results: searchRows.slice(0, cut.kept) }
      const json = JSON.stringify(most)
      assert.isAbove(tokensIn(json), Truncation.maximumTokens)
      assert.isEmpty(yield* Truncation.cutsOf(most, { rest, isReadAnew: false }))
    }))

  it.effect("that are no objects, or say anything, are cut as well", () =>
    Effect.gen(function*() {
      yield* cutClose({ names: Array.from({ length: 9000 }, (_, index) => `${word(index)} ${index}`) })
      yield* cutClose({ notes: searchRows.map((row) => ({ text: "<|endoftext|>", row })) })
    }))
})

describe("counting", () => {
  it.effect("a run without an end is counted in slices, some tokens for each above the truth", () =>
    Effect.gen(function*() {
      const { count } = yield* TokenCount
      const runs = ["ab", "warehouse", "東京都千代田区", "-", "=+;", " ", "\n \n", "qxzjvkwpf", "QXZJVKWPF"]
      const texts = ["one two", ...runs.map((run) => `{"text":"${run.repeat(1500 / run.length)}","id":7}`)]
      const counts = yield* count(texts)
      for (const [index, text] of texts.entries()) {
        const truth = encode(text).length
        assert.isAtLeast(counts[index] ?? 0, truth, text.slice(0, 40))
        assert.isAtMost(counts[index] ?? 0, truth + 3 * Math.floor(text.length / 100), text.slice(0, 40))
      }
      const [endless = 0] = yield* count(["ab".repeat(50_000)])
      assert.closeTo(endless, 25_000, 1_000)
    }))

  it.effect("rows with such runs are cut some hundredths below what fits", () =>
    Effect.gen(function*() {
      const letters = words.join("").toLowerCase().repeat(3)
      const rows = searchRows.map((row, index) => ({ ...row, note: letters.slice(index % 9, 150 + index % 9) }))
      const result = { results: rows }
      const [cut] = yield* Truncation.cutsOf(result, { rest, isReadAnew: false })
      assert(cut !== undefined)
      const tokens = encode(JSON.stringify(Truncation.truncate(result, [cut], rest))).length
      assert.isAtMost(tokens, Truncation.maximumTokens)
      assert.isAbove(tokens, 0.97 * Truncation.maximumTokens)
    }))

  it.effect("what is not counted in time is estimated, and the next question is answered by another thread", () =>
    Effect.gen(function*() {
      const { count } = yield* TokenCount
      const long = JSON.stringify(searchRows)
      // The rows once may be counted before the clock is moved, where a thread runs already.
      const longer = long.repeat(20)
      const late = yield* Effect.forkChild(count([longer]), { startImmediately: true })
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* Fiber.join(late), [tokensIn(longer)])
      assert.deepStrictEqual(yield* count([long]), [encode(long).length])
    }))
})

it("of text that is nothing but ids, of other alphabets and of runs without an end, is no less than the truth", () => {
  const scattered = (text: string): string =>
    Array.from({ length: 1500 }, (_, index) => text.at(index * index * 7919 % 65_521 % text.length)).join("")
  const letters = "abcdefghijklmnopqrstuvwxyz"
  for (
    const text of [
      "warehouse".repeat(200),
      scattered(letters),
      scattered(letters.toUpperCase()),
      scattered("!#$%&'()*+,-./:;<=>?@[]^_`{|}~"),
      JSON.stringify(Array.from({ length: 400 }, (_, index) => id(index))),
      "Übergrößenträger in der Königstraße; ".repeat(50),
      "東京都千代田区丸の内一丁目".repeat(50),
      "Санкт-Петербург, Невский проспект ".repeat(50)
    ]
  ) assert.isAtLeast(tokensIn(text), encode(text).length, text.slice(0, 40))
})

/** Every text of so many characters, of each kind one. */
const textsOf = (length: number): ReadonlyArray<string> =>
  length === 0
    ? [""]
    : textsOf(length - 1).flatMap((text) => ["\"", "{", " ", "\n", "7", "A", "z"].map((character) => text + character))

it("of plain text is the same in one walk as piece by piece", () => {
  const long = ["A", "z", "7", "-", " ", "Az", "AAz", " z"].map((part) => part.repeat(13))
  for (const text of [...textsOf(5), ...long, JSON.stringify(searchRows)]) {
    assert.closeTo(inPlain(text) ?? Number.NaN, inPieces(text), 1e-6, text.slice(0, 40))
  }
})

it("of a word that begins with many capitals is counted piece by piece", () => {
  const text = `${"A".repeat(14)}z`
  assert.isUndefined(inPlain(text))
  assert.strictEqual(tokensIn(text), Math.ceil(inPieces(text) * margin))
})

describe("of a text that is longer than any result", () => {
  const rows = JSON.stringify(Array.from({ length: 20 }, () => searchRows))
  /** Piece by piece, without a slice. */
  const whole = Math.ceil(inPieces(rows) * margin)
  const longest = 256 * 1024

  /** How long what was looked at piece by piece was, of one count of tokens. */
  const slow = (text: string): { readonly tokens: number; readonly lengths: ReadonlyArray<number> } => {
    const pieces = vi.spyOn(String.prototype, "matchAll")
    try {
      return { tokens: tokensIn(text), lengths: pieces.mock.contexts.map((each) => String(each).length) }
    } finally {
      pieces.mockRestore()
    }
  }

  it("walks what is plain, and counts at most a few tokens a slice more", () => {
    assert.isAbove(rows.length, 4 * longest)
    const { lengths, tokens } = slow(rows)
    assert.lengthOf(lengths, 0)
    assert.closeTo(tokens, whole, 3 * Math.ceil(rows.length / longest))
  })

  it("takes only the slice piece by piece that is not plain", () => {
    const { lengths, tokens } = slow(`${rows}é${rows}`)
    assert.deepStrictEqual(lengths, [longest])
    assert.closeTo(tokens, 2 * whole, 3 * Math.ceil(2 * rows.length / longest))
  })
})

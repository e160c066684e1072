/** Files of every shape through the import, into a store that only remembers. */
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import * as Import from "@freehold/cli/import/Import"
import type { ImportKind } from "@freehold/core/import/ImportKind"
import { type ImportedSoFar, ImportStore } from "@freehold/core/import/ImportStore"
import { Effect, FileSystem, Layer, Stream } from "effect"
import { gzipSync } from "node:zlib"

/** Takes every row but those whose key holds "refuse". Erased was who is called so by key or email. */
const remembering = (
  batches: Array<ReadonlyArray<object>>,
  expected: Array<ImportedSoFar>,
  erased: ReadonlySet<string> = new Set(["erased", "erased@sample.example"])
) =>
  Layer.succeed(
    ImportStore,
    ImportStore.of({
      load: ({ rows }) =>
        Effect.sync(() => {
          batches.push(rows)
          const rejected = rows.flatMap((row, index) =>
            JSON.stringify(row).includes("refuse") ? [{ index, field: "propertyKey", reason: "is unknown" }] : []
          )
          return { inserted: rows.length - rejected.length, updated: 0, unchanged: 0, rejected }
        }),
      erased: (people) =>
        Effect.sync(() =>
          new Set(
            people.flatMap(({ email, key }, index) => erased.has(key ?? "") || erased.has(email ?? "") ? [index] : [])
          )
        ),
      atomically: (effect) => effect,
      expectMore: (_, soFar) => Effect.sync(() => void expected.push(soFar)),
      settle: () => Effect.void
    })
  )

interface Given {
  readonly kind?: ImportKind
  readonly content: string | Uint8Array
  readonly name?: string
  readonly map?: object | string
  readonly strict?: boolean
  readonly dryRun?: boolean
  readonly batchSize?: number
  readonly more?: Readonly<Record<string, string>>
  readonly isKept?: boolean
}

const run = Effect.fnUntraced(
  function*(given: Given) {
    const fileSystem = yield* FileSystem.FileSystem
    const folder = yield* fileSystem.makeTempDirectoryScoped()
    const write = (name: string, content: string | Uint8Array) =>
      fileSystem.writeFile(
        `${folder}/${name}`,
        typeof content === "string" ? new TextEncoder().encode(content) : content
      )
    const file = given.name ?? (given.map === undefined ? "rows.ndjson" : "rows.csv")
    yield* write(file, given.content)
    for (const [name, content] of Object.entries(given.more ?? {})) yield* write(name, content)
    if (given.map !== undefined) {
      yield* write("map.json", typeof given.map === "string" ? given.map : JSON.stringify(given.map))
    }
    const batches: Array<ReadonlyArray<object>> = []
    const expected: Array<ImportedSoFar> = []
    const seen: Array<Import.ImportProgress> = []
    const { shown, summary: { kind, ...summary } } = yield* Import.open({
      kind: given.kind ?? "properties",
      file: `${folder}/${file}`,
      map: given.map === undefined ? undefined : `${folder}/map.json`,
      rejects: `${folder}/rejects.ndjson`
    }).pipe(
      Effect.flatMap((source) =>
        Import.run({ ...source, isKept: given.isKept ?? source.isKept }, {
          strict: given.strict ?? false,
          dryRun: given.dryRun,
          batchSize: given.batchSize,
          onProgress: (progress) => Effect.sync(() => void seen.push(progress))
        })
      ),
      Effect.provide(remembering(batches, expected)),
      Effect.mapError((fault) => fault.message.replaceAll(`${folder}/`, ""))
    )
    const text = yield* fileSystem.readFileString(`${folder}/rejects.ndjson`)
    const rejects = text.split("\n").filter((line) => line !== "").map((line): Record<string, unknown> =>
      JSON.parse(line)
    )
    const rows = batches.flat().map((row) =>
      "values" in row && row.values instanceof Map ? Object.fromEntries(row.values) : row
    )
    return { kind, summary, rejects, rows, batches, expected, seen, shown: yield* Effect.orDie(shown) }
  },
  Effect.scoped,
  Effect.provide(NodeServices.layer)
)

const row = (key: string, more: object = {}) => JSON.stringify({ key, countyFips: "36061", ...more })
const csvMap = (fields: object, more: object = {}) => ({
  format: "csv",
  key: "{id}",
  fields: { countyFips: { const: "36061" }, ...fields },
  ...more
})
const mapped = Effect.fnUntraced(function*(fields: object, cell: string, more: object = {}) {
  const { rejects, rows } = yield* run({ content: `id,cell\n1,"${cell}"\n`, map: csvMap(fields, more) })
  const [reject] = rejects
  return reject === undefined ? rows[0] : `${reject["field"]}: ${reject["reason"]}`
})

describe("NDJSON", () => {
  it.live("loads good rows and tells each fault of bad ones with its line and row", () =>
    Effect.gen(function*() {
      const { rejects, summary } = yield* run({
        content: `\uFEFF${row("a")}\r\n\n{"key":"b","lat":99,"x":1}\n{broken\n[1]\n${row("refuse")}\n${row("c")}`
      })
      assert.deepStrictEqual(summary, { read: 6, inserted: 2, updated: 0, unchanged: 0, rejected: 4 })
      assert.deepStrictEqual(rejects.map(({ field, line, reason }) => [line, field, reason]), [
        [3, "lat", "must be a number from -90 to 90"],
        [3, "x", "is not a field of this kind of row"],
        [3, "countyFips", "is required"],
        [4, null, "is not JSON"],
        [5, null, "is not a JSON object"],
        [6, "propertyKey", "is unknown"]
      ])
      assert.deepStrictEqual(rejects[0]?.["row"], { key: "b", lat: 99, x: 1 })
      assert.strictEqual(rejects[3]?.["row"], "{broken")
    }))

  it.effect("tells of rows of people who were erased where they stand, and nothing that they say, where that is kept", () =>
    Effect.gen(function*() {
      const people = [
        { key: "erased", fullName: "Ada Sample", firmKey: "refuse" },
        { key: "refuse", fullName: "Bo Sample" },
        { key: "c", fullName: "Ada Sample", email: "erased@sample.example" },
        { key: "erased", fullName: 1, phone: "555" },
        { key: "d", fullName: "Cy Sample" }
      ]
      const content = people.map((person) => JSON.stringify(person)).join("\n")
      const told = yield* run({ kind: "contacts", content })
      assert.deepStrictEqual(told.rejects.map(({ row }) => row), [people[0], people[1], people[3]])
      const { rejects, shown } = yield* run({ kind: "contacts", content, isKept: true })
      assert.deepStrictEqual(rejects.map(({ line, row }) => [line, row]), [[1, null], [2, people[1]], [4, null]])
      assert.deepStrictEqual(shown, [
        { line: 1, row: null, rejected: true },
        { line: 2, row: people[1], rejected: true },
        { line: 3, row: null, rejected: false },
        { line: 4, row: null, rejected: true },
        { line: 5, row: people[4], rejected: false }
      ])
      const ofCell = yield* run({
        kind: "contacts",
        content: "id,name,extension\nerased,Ada Sample,ask for Ada\nd,Cy Sample,ask for Cy\n",
        map: {
          format: "csv",
          key: "{id}",
          fields: { fullName: "name", phoneExtension: { column: "extension", match: "^[0-9]+$" } }
        },
        isKept: true
      })
      assert.deepStrictEqual(ofCell.rejects.map(({ field, reason }) => [field, reason]), [
        ["key", "this person was erased for good; leave the row out"],
        ["phoneExtension", "\"ask for Cy\" does not have the form that the map asks for"]
      ])
    }))

  it.effect("asks who was erased when what it tells is kept, not when it is found", () =>
    Effect.gen(function*() {
      const people = [{ key: "later", fullName: "Ada Sample" }, { key: "refuse later", fullName: "Bo Sample" }]
      const content = [...people, { key: "later", fullName: 1 }].map((person) => JSON.stringify(person)).join("\n")
      const erased = new Set<string>()
      const found: Array<Parameters<Import.ImportSource["reject"]>[0]> = []
      const { shown } = yield* Import.run({
        kind: "contacts",
        name: "rows.ndjson",
        map: undefined,
        totalBytes: null,
        read: () => Stream.make(new TextEncoder().encode(content)),
        reject: (rejected) => Effect.sync(() => void found.push(rejected)),
        isKept: true
      }, { strict: false }).pipe(Effect.provide(remembering([], [], erased)))
      erased.add("later")
      const kept = (yield* Effect.all(found)).flat()
      assert.deepStrictEqual(kept.map(({ record }) => [record.line, record.value()]), [[2, people[1]], [3, null]])
      assert.deepStrictEqual((yield* shown).map(({ line, row }) => [line, row]), [[1, null], [2, people[1]], [3, null]])
    }))

  it.live("that is nested deeper than functions can call each other is a reject like any other", () =>
    Effect.gen(function*() {
      const depth = 1_000_000
      const deep = `{"key":"deep","countyFips":"36061","address":${"[".repeat(depth)}${"]".repeat(depth)}}`
      const { rejects, summary } = yield* run({ content: `${row("a")}\n${deep}\n${row("b")}\n` })
      assert.deepStrictEqual(summary, { read: 3, inserted: 2, updated: 0, unchanged: 0, rejected: 1 })
      assert.deepStrictEqual(rejects.map(({ field, line, reason }) => [line, field, reason]), [
        [2, "address", "must be text"]
      ])
      assert.strictEqual(rejects[0]?.["row"], `${deep.slice(0, 2000)}...`)
    }))

  it.live("is told of in bounded space, however large a row and however many its faults", () =>
    Effect.gen(function*() {
      const unknown = Array.from({ length: 5000 }, (_, n) => [`${"x".repeat(400)}${n}`, n])
      const { rejects } = yield* run({ content: row("a", Object.fromEntries(unknown)) })
      assert.strictEqual(rejects.length, 21)
      assert.deepInclude(rejects[20], { line: 1, field: null, reason: "has 4980 faults more" })
      assert.isBelow(JSON.stringify(rejects).length, 60_000)
    }))

  it.live("is read decompressed, whatever the file is called, and in batches", () =>
    Effect.gen(function*() {
      const content = gzipSync(Array.from({ length: 25 }, (_, n) => row(`k${n}`)).join("\n"))
      const { batches, seen, summary } = yield* run({ content, batchSize: 10 })
      assert.strictEqual(summary.inserted, 25)
      assert.deepStrictEqual(batches.map(({ length }) => length), [10, 10, 5])
      assert.deepStrictEqual(seen.at(-1), { rows: 25, bytes: content.length, totalBytes: content.length })
    }))

  it.live("that is empty has no rows", () =>
    Effect.gen(function*() {
      const { summary } = yield* run({ content: "" })
      assert.deepStrictEqual(summary, { read: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 })
    }))

  it.live("with a damaged gzip ends with the file's name and reason", () =>
    Effect.gen(function*() {
      const content = gzipSync(Array.from({ length: 20_000 }, (_, n) => row(`k${n}`)).join("\n"))
      const fault = yield* Effect.flip(run({ content: content.subarray(0, content.length / 2) }))
      assert.match(String(fault), /^rows\.ndjson: cannot be decompressed: /)
    }))

  it.live("loads nothing when it is strict and a row is bad", () =>
    Effect.gen(function*() {
      const { rejects, summary } = yield* run({ content: `${row("a")}\n{}\n`, strict: true })
      assert.deepStrictEqual(summary, { read: 2, inserted: 0, updated: 0, unchanged: 0, rejected: 1 })
      assert.strictEqual(rejects.length, 2)
    }))

  it.live("tells what it is loaded into once about how many rows are left, as soon as many were inserted", () =>
    Effect.gen(function*() {
      const many = 20_000
      const content = Array.from({ length: many }, (_, n) => row(`k${n}`, { address: `${n} Sample Street`.repeat(9) }))
      const { expected } = yield* run({ content: content.join("\n"), batchSize: 500 })
      const [soFar] = expected
      assert.strictEqual(expected.length, 1)
      assert.strictEqual(soFar?.inserted, 5000)
      assert.approximately(soFar?.left ?? 0, many - 5000, many / 10)
    }))

  it.live("is loaded without a word of more where all of it is few", () =>
    Effect.gen(function*() {
      const { expected } = yield* run({ content: [1, 2, 3].map((n) => row(`k${n}`)).join("\n") })
      assert.deepStrictEqual(expected, [])
    }))
})

describe("CSV", () => {
  it.live("reads marks, line ends, quotes and padding, and numbers the lines on which records start", () =>
    Effect.gen(function*() {
      const { rejects, rows, summary } = yield* run({
        content: "\uFEFFid, cell \r\n1,\"a, \"\"b\"\"\r\nc\"\r\n\r\n2,  padded \r\n3,too,many\r\n4\r\n5,say \"hi\"\r\n",
        map: csvMap({ address: "cell" })
      })
      assert.deepStrictEqual(summary, { read: 5, inserted: 3, updated: 0, unchanged: 0, rejected: 2 })
      assert.deepStrictEqual(rows, [
        { countyFips: "36061", address: "a, \"b\" c" },
        { countyFips: "36061", address: "padded" },
        { countyFips: "36061", address: "say \"hi\"" }
      ])
      assert.deepStrictEqual(rejects, [
        { line: 6, field: null, reason: "has 3 cells where the header has 2", row: ["3", "too", "many"] },
        { line: 7, field: null, reason: "has 1 cells where the header has 2", row: ["4"] }
      ])
    }))

  it.live("reports a quote that is never closed where it begins, with the rows before it loaded", () =>
    Effect.gen(function*() {
      const { rejects, summary } = yield* run({
        content: "id,cell\n1,x\n2,\"y\n3,z\n",
        map: csvMap({ address: "cell" })
      })
      assert.deepStrictEqual(summary, { read: 2, inserted: 1, updated: 0, unchanged: 0, rejected: 1 })
      assert.deepStrictEqual(rejects, [{
        line: 3,
        field: null,
        reason: "opens a quote that is never closed; line 4 was read as a part of it",
        row: "2,\"y\n3,z"
      }])
    }))

  it.live("tells of as much of what an open quote swallowed as of any row that is too large", () =>
    Effect.gen(function*() {
      const swallowed = Array.from({ length: 20_000 }, (_, n) => `${n},cell ${n}`).join("\r\n")
      const { rejects } = yield* run({ content: `id,cell\r\n1,"x\r\n${swallowed}`, map: csvMap({ address: "cell" }) })
      assert.deepStrictEqual(rejects.map(({ line, reason }) => [line, reason]), [
        [2, "opens a quote that is never closed; lines 3 to 20002 were read as a part of it"]
      ])
      assert.strictEqual(rejects[0]?.["row"], `1,"x\r\n${swallowed}`.slice(0, 2000) + "...")
    }))

  it.live("rejects rows that an open quote made one of, and goes on after them", () =>
    Effect.gen(function*() {
      const { rejects, rows, summary } = yield* run({
        content: "id,cell\n1,x\n2,\"y\n3,\"z\"\n4,\"\"\"so\nto say\"\"\"\n5,\"an \"inner\" quote\"\n6\n",
        map: csvMap({ address: "cell" })
      })
      assert.deepStrictEqual(summary, { read: 5, inserted: 3, updated: 0, unchanged: 0, rejected: 2 })
      assert.deepStrictEqual(rows.map((row) => "address" in row && row.address), [
        "x",
        "\"so to say\"",
        "\"an \"inner\" quote\""
      ])
      assert.deepStrictEqual(rejects.map(({ line, reason, row }) => [line, reason, row]), [
        [3, "opens a quote that is closed in the midst of a cell; line 4 was read as a part of it", "2,\"y\n3,\"z\""],
        [8, "has 1 cells where the header has 2", ["6"]]
      ])
    }))

  it.live("tells the text of such rows wherever they are in a large file", () =>
    Effect.gen(function*() {
      const before = Array.from({ length: 5000 }, (_, n) => `${n},"cell ${n} of a street (café)"`).join("\n")
      const content = `\uFEFFid,cell\n${before}\na,"x\nb,"y"\n${before}\nc,"z\nd,e\n`
      for (const bytes of [content, gzipSync(content)]) {
        const { rejects, summary } = yield* run({ content: bytes, map: csvMap({ address: "cell" }) })
        assert.deepInclude(summary, { inserted: 10_000, rejected: 2 })
        assert.deepStrictEqual(rejects.map(({ line, row }) => [line, row]), [
          [5002, "a,\"x\nb,\"y\""],
          [10_004, "c,\"z\nd,e"]
        ])
      }
    }))

  it.live.each<[what: string, content: string, fault: string]>([
    ["is empty", "", "is empty: its header line is missing"],
    ["holds blank lines alone", "\uFEFF\r\n\n", "is empty: its header line is missing"],
    [
      "cannot be read from its header on",
      "id,\"cell\n1,x\n2,y\n",
      "line 1 opens a quote that is never closed; lines 2 to 3 were read as a part of it"
    ]
  ])("that %s is refused", ([, content, fault]) =>
    Effect.gen(function*() {
      const map = csvMap({ address: "cell" })
      assert.strictEqual(yield* Effect.flip(run({ content, map })), `rows.csv: ${fault}`)
    }))

  it.live("has no rows where it has a header alone", () =>
    Effect.gen(function*() {
      const { summary } = yield* run({ content: "id,cell", map: csvMap({ address: "cell" }) })
      assert.deepStrictEqual(summary, { read: 0, inserted: 0, updated: 0, unchanged: 0, rejected: 0 })
    }))

  it.live("that a map looks up in is refused when it is empty", () =>
    Effect.gen(function*() {
      const map = csvMap({ county: { lookup: "names.csv", on: "cell", from: "a", take: "b" } })
      assert.strictEqual(
        yield* Effect.flip(run({ content: "id,cell\n1,x\n", map, more: { "names.csv": "" } })),
        "map.json: fields.county: names.csv: is empty: its header line is missing"
      )
    }))

  it.live("without a map is refused", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* Effect.flip(run({ content: "", name: "a.csv" })),
        "a.csv: is CSV, which needs --map; freehold source try proposes one"
      )
    }))

  it.live("that lacks a column of the map is refused", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* Effect.flip(run({ content: "id,other\n1,2\n", map: csvMap({ address: "cell" }) })),
        "rows.csv: has no column \"cell\", which the map names; known are id, other"
      )
      assert.strictEqual(
        yield* Effect.flip(run({ content: "id;cell\n1;2\n", map: csvMap({ address: "cell" }) })),
        `rows.csv: has no column "id", "cell", which the map names; its one column seems to be several: "delimiter": ";" in the map`
      )
    }))
})

describe("a file that is none of rows", () => {
  it.live.each<[string, string, boolean]>([
    [
      "[\n{\"key\":\"a\"}]",
      "is one JSON array; expected NDJSON, an object a line, such as jq -c '.[]' makes of it",
      false
    ],
    [
      "{\n  \"key\": \"a\"\n}",
      "is JSON over several lines; expected NDJSON, an object a line, such as jq -c . makes of it",
      false
    ],
    [
      "{\"type\":\"FeatureCollection\",\"features\":[]}",
      "is GeoJSON, which is read by a source: freehold source try",
      false
    ],
    ["PK\u0003\u0004...", "is a zip archive or a workbook; unpack it, or save it as CSV", true],
    ["PK\u0003\u0004...", "is a zip archive or a workbook; unpack it, or save it as CSV", false]
  ])("%j %s", ([content, reason, isMapped]) =>
    Effect.gen(function*() {
      const refused = yield* Effect.flip(run({ content, ...isMapped ? { map: csvMap({ address: "cell" }) } : {} }))
      assert.strictEqual(refused, `${isMapped ? "rows.csv" : "rows.ndjson"}: ${reason}`)
    }))
})

describe("rejects", () => {
  const again = (rejects: ReadonlyArray<object>) => rejects.map((reject) => `${JSON.stringify(reject)}\n`).join("")

  it.live("of CSV are imported by the same map once they are mended, each row once", () =>
    Effect.gen(function*() {
      const map = csvMap({ address: "cell", yearBuilt: "year", zip: "zip" })
      const first = yield* run({ content: "id,cell,year,zip\n1,A,0,123\n2,B,1,10013\n3,C,1990,10013\n", map })
      assert.strictEqual(first.rejects.length, 3)
      const mended = first.rejects.map((reject) => {
        const was = JSON.stringify(reject)
        return JSON.parse(was.replace("\"year\":\"0\",\"zip\":\"123\"", "\"year\":1995,\"zip\":null"))
      })
      const { rejects, rows, summary } = yield* run({ content: again(mended), name: "mended.ndjson", map })
      assert.deepStrictEqual(summary, { read: 2, inserted: 1, updated: 0, unchanged: 0, rejected: 1 })
      assert.deepStrictEqual(rows, [{ countyFips: "36061", address: "A", yearBuilt: 1995, zip: null }])
      // What is still wrong is told by its line in this file, and may be mended in turn.
      assert.deepStrictEqual(rejects, [{ ...first.rejects[2], line: 3 }])
      const lacking = yield* run({
        content: again([{ line: 2, field: null, reason: "is wrong", row: { id: "1", cell: "A" } }, {
          line: 3,
          field: null,
          reason: "is no row",
          row: "1,A"
        }]),
        map
      })
      assert.deepStrictEqual(lacking.rejects.map(({ field, line, reason }) => [line, field, reason]), [
        [1, "year", "is a column that the map names, and is missing"],
        [1, "zip", "is a column that the map names, and is missing"],
        [2, null, "is not an object of columns"]
      ])
    }))

  it.live("whose cells are too few or too many are not taken for whole rows", () =>
    Effect.gen(function*() {
      const map = csvMap({ address: "cell", city: "city" })
      const { rejects } = yield* run({ content: "id,cell,city\n1,A\n2,Elm St, Suite 4,X\n", map })
      assert.deepStrictEqual(rejects.map((reject) => reject["row"]), [["1", "A"], ["2", "Elm St", " Suite 4", "X"]])
      const second = yield* run({ content: again(rejects), map })
      assert.deepStrictEqual(second.summary, { read: 2, inserted: 0, updated: 0, unchanged: 0, rejected: 2 })
      const [, wrong] = rejects
      const mended = { ...wrong, row: { id: "2", cell: "Elm St, Suite 4", city: "X" } }
      assert.deepStrictEqual((yield* run({ content: again([mended]), map })).rows, [
        { countyFips: "36061", address: "Elm St, Suite 4", city: "X" }
      ])
    }))

  it.live("of NDJSON are imported without a map", () =>
    Effect.gen(function*() {
      const { rejects } = yield* run({ content: `${row("a", { lat: 99, lon: 999 })}\n{broken\n` })
      const mended = rejects.map((reject) => ({
        ...reject,
        row: reject["row"] === "{broken" ? "{still broken" : { key: "a", countyFips: "36061", lat: 9 }
      }))
      const second = yield* run({ content: again(mended) })
      assert.deepStrictEqual(second.summary, { read: 2, inserted: 1, updated: 0, unchanged: 0, rejected: 1 })
      assert.deepStrictEqual(second.rows, [{ countyFips: "36061", lat: 9 }])
    }))
})

describe("a dry run", () => {
  it.live("shows values as they would be stored, and what is rejected as it stands there", () =>
    Effect.gen(function*() {
      const { shown } = yield* run({
        content: `id,cell,zip\n1,"1 Elm\nStreet",10013-1234\n2,B,1\n`,
        map: csvMap({ address: "cell", zip: "zip" }),
        dryRun: true
      })
      assert.deepStrictEqual(shown, [
        { line: 2, row: { key: "1", countyFips: "36061", address: "1 Elm Street", zip: "10013" }, rejected: false },
        { line: 4, row: { key: "2", countyFips: "36061", address: "B", zip: "1" }, rejected: true }
      ])
    }))

  it.live("shows the first ten rows as the map makes them, and counts what would change", () =>
    Effect.gen(function*() {
      const lines = Array.from({ length: 12 }, (_, n) => `${n === 11 ? "refuse" : n},Street ${n}`)
      const { shown, summary } = yield* run({
        content: `id,cell\n${lines.join("\n")}\n`,
        map: csvMap({ address: "cell", yearBuilt: { const: 1999 } }),
        dryRun: true
      })
      assert.strictEqual(shown.length, 10)
      assert.deepStrictEqual(shown[1], {
        line: 3,
        row: { key: "1", countyFips: "36061", address: "Street 1", yearBuilt: 1999 },
        rejected: false
      })
      assert.deepInclude(summary, { read: 12, inserted: 11, rejected: 1 })
    }))
})

describe("a map", () => {
  it.live.each<[object, string, unknown]>([
    [{ lotSqft: "cell" }, "1,234,567", { lotSqft: 1234567 }],
    [{ lotSqft: "cell" }, "12,34", "lotSqft: \"12,34\" is not a number"],
    [{ lotSqft: "cell" }, "1916.0", { lotSqft: 1916 }],
    [{ lotSqft: "cell" }, "10.5", "lotSqft: \"10.5\" is not a whole number"],
    [{ lotSqft: { column: "cell", round: true } }, "10.5", { lotSqft: 11 }],
    [{ lotSqft: { column: "cell", times: 43_560, round: true } }, "1.1", { lotSqft: 47_916 }],
    [{ lotSqft: { column: "cell", times: 43_560 } }, "1,000.25", { lotSqft: 43_570_890 }],
    [{ lotSqft: { column: "cell", times: 43_560 } }, "0.123", "lotSqft: \"0.123\" times 43560 is not a whole number"],
    [{ numFloors: { column: "cell", times: 0.5 } }, "3", { numFloors: 1.5 }],
    [{ lotSqft: { column: "cell", zeroIs: null } }, "0.00", { lotSqft: null }],
    [{ lotSqft: "cell" }, "0", { lotSqft: 0 }],
    [{ lotSqft: "cell" }, "", { lotSqft: null }],
    [{ lotSqft: { column: "cell", null: ["n/a"] } }, " n/a ", { lotSqft: null }],
    [{ lotSqft: "cell" }, "-5", "lotSqft: must be a whole number from 0 to 10000000000000"],
    [{ zip: "cell" }, "01234", { zip: "01234" }],
    [{ zip: { column: "cell", match: "^([0-9]{5})(?:-?[0-9]{4})?$" } }, "606051996", { zip: "60605" }],
    [{ zip: { column: "cell", match: "^[0-9]{5}$" } }, "x", "zip: \"x\" does not have the form that the map asks for"],
    [{ zip: { column: "cell", match: "^[0-9]{5}$", otherwise: null } }, "x", { zip: null }],
    [{ hasPool: "cell" }, "Yes", { hasPool: true }],
    [{ hasPool: "cell" }, "maybe", "hasPool: \"maybe\" is neither true nor false"],
    [{ lastSaleDate: { column: "cell", dateFormat: "MM/DD/YYYY" } }, "3/4/2012", { lastSaleDate: "2012-03-04" }],
    [{ lastSaleDate: { column: "cell", dateFormat: "excel" } }, "43873", { lastSaleDate: "2020-02-12" }],
    [
      { lastSaleDate: { column: "cell", dateFormat: "MM/DD/YYYY" } },
      "02/30/2012",
      "lastSaleDate: \"02/30/2012\" is not a date of the form MM/DD/YYYY, not before 1600"
    ],
    [
      { lastSaleDate: { column: "cell", dateFormat: "MM/DD/YYYY" } },
      "14/03/2012",
      "lastSaleDate: \"14/03/2012\" is not a date of the form MM/DD/YYYY, not before 1600"
    ],
    [{ assetCategory: { column: "cell", values: { "O*": "Office", "O9": "Other" } } }, "O4", {
      assetCategory: "Office"
    }],
    [{ assetCategory: { column: "cell", values: { "O*": "Office", "O9": "Other" } } }, "O9", {
      assetCategory: "Other"
    }],
    [{ assetCategory: { column: "cell", values: { "O*": "Office" }, otherwise: null } }, "K1", { assetCategory: null }],
    [
      { assetCategory: { column: "cell", values: { "O*": "Office" } } },
      "K1",
      "assetCategory: \"K1\" is not among the values that the map knows"
    ],
    [{ parcelNumbers: { column: "cell", separator: ";" } }, "1; 2;", { parcelNumbers: ["1", "2"] }],
    [{ sourceUpdatedAt: { template: "{cell}-12-31T00:00:00Z" } }, "2016", {
      sourceUpdatedAt: "2016-12-31T00:00:00.000Z"
    }],
    [{ sourceUpdatedAt: { template: "{cell}-12-31T00:00:00Z" } }, "", { sourceUpdatedAt: null }],
    [{ address: { template: "1[ {cell}] Main St" } }, "N", { address: "1 N Main St" }],
    [{ address: { template: "1[ {cell}] Main St" } }, "", { address: "1 Main St" }],
    [{ address: { template: "1 Main St \\[{cell}\\]" } }, "N", { address: "1 Main St [N]" }],
    [{ address: { template: "1 Main St[ \\[{cell}\\]]" } }, "N", { address: "1 Main St [N]" }],
    [{ address: { template: "1 Main St[ \\[{cell}\\]]" } }, "", { address: "1 Main St" }],
    [{ address: { template: "1 Main St \\[x] \\ {cell}" } }, "N", { address: "1 Main St [x] \\ N" }],
    [{ address: { template: "[{cell}]" } }, "", { address: null }],
    [{ address: { template: "{cell} [Main] St[" } }, "1", { address: "1 Main St[" }],
    [{ address: { template: "{cell} [Main] St[" } }, "", { address: null }],
    [{ "ownerMailingAddress.city": "cell", "ownerMailingAddress.zip": { const: null } }, "Sampleton", {
      ownerMailingAddress: { line1: null, city: "Sampleton", state: null, zip: null }
    }]
  ])("%j reads %j as %j", ([fields, cell, expected]) =>
    Effect.gen(function*() {
      const found = yield* mapped(fields, cell)
      assert.deepStrictEqual(
        found,
        typeof expected === "string" ? expected : { countyFips: "36061", ...Object(expected) }
      )
    }))

  it.live("looks up in another file, relative to itself; what is not found there is not known", () =>
    Effect.gen(function*() {
      const lookup = { lookup: "counties.csv", on: "cell", from: "code", take: "fips" }
      const { rejects, rows } = yield* run({
        content: "id,cell\n1,A\n2,B\n3,C\n4,\n5,NA\n",
        map: { format: "csv", key: "{id}", null: ["NA"], fields: { countyFips: lookup } },
        more: { "counties.csv": "code,fips\nA,36061\nB,\n,36047\n,36081\n" }
      })
      assert.deepStrictEqual(rows, [{ countyFips: "36061" }])
      assert.deepStrictEqual(
        rejects.map(({ line, field, reason }) => [line, field, reason]),
        [3, 4, 5, 6].map((line) => [line, "countyFips", "is required"])
      )
    }))

  it.live("makes arrays of objects and leaves out those of which nothing is known", () =>
    Effect.gen(function*() {
      const { batches } = yield* run({
        kind: "contacts",
        content: "id,name,first,second\n1,Sample Person,P1,\n",
        map: {
          format: "csv",
          key: "person:{id}",
          fields: {
            fullName: "name",
            properties: [
              { propertyKey: { template: "36061-{first}" }, role: { const: "other" } },
              { propertyKey: { template: "36061-{second}" }, role: { const: "other" } }
            ]
          }
        }
      })
      assert.deepInclude(batches[0]?.[0], {
        key: "person:1",
        properties: [{
          propertyKey: "36061-P1",
          role: "other",
          relationshipStatus: "unverified",
          attributionType: "customer_supplied"
        }]
      })
    }))

  it.live.each<[object | string, string]>([
    ["{", "is not JSON"],
    [{ format: "csv", key: "{id}", fields: {}, colour: 1 }, "colour: "],
    [{ format: "xml", key: "{id}", fields: {} }, "format: "],
    [{ format: "csv", fields: {} }, "key: is missing"],
    [
      { format: "csv", key: "id", fields: {} },
      "key: \"id\" names no column, so all rows would be one record; expected a column in braces, such as gsa:{Location Code}"
    ],
    [csvMap({ adress: "cell" }), "fields.adress: there is no field adress; did you mean address?"],
    [csvMap({ address: { column: "cell", typ: "text" } }), "fields.address.typ: Unknown key; did you mean type?"],
    [
      csvMap({ "ownerMailingAddress.town": "cell" }),
      "fields.ownerMailingAddress.town: there is no field town; known are line1,"
    ],
    [csvMap({ "address.line1": "cell" }), "fields.address.line1: address has no parts"],
    [csvMap({ address: [{ line1: "cell" }] }), "fields.address: is no array of objects"],
    [
      csvMap({ buildings: [{ storeys: "cell" }] }),
      "fields.buildings[0].storeys: there is no field storeys; known are sqft,"
    ],
    [csvMap({ state: { const: "New York" } }), "fields.state.const: must be the two letters of a state"],
    [csvMap({ countyFips: { const: null } }), "fields.countyFips.const: must not be null"],
    [csvMap({ yearBuilt: { column: "cell", zeroIs: "none" } }), "fields.yearBuilt.zeroIs: must be a year"],
    [
      csvMap({ hasPool: { column: "cell", values: { Y: "yes" } } }),
      "fields.hasPool.values[\"Y\"]: must be true or false"
    ],
    [
      csvMap({ assetCategory: { column: "cell", values: { 5: "Ofice", 6: "Industrial" } } }),
      "fields.assetCategory.values[\"5\"]: must be one of Multifamily,"
    ],
    [
      csvMap({ totalUnits: { column: "cell", values: { 1: 1 }, otherwise: -1 } }),
      "fields.totalUnits.otherwise: must be a whole number"
    ],
    [
      csvMap({ buildings: [{ isPrimary: { const: "main" } }] }),
      "fields.buildings[0].isPrimary.const: must be true or false"
    ],
    [csvMap({ address: { column: "cell", match: "(" } }), "fields.address.match: "],
    [
      csvMap({ address: { columns: "cell" } }),
      "fields.address: expected one of column, template, lookup, table and const"
    ],
    [csvMap({ address: 7 }), "fields.address: expected a column"],
    [
      csvMap({ county: { lookup: "none.csv", on: "cell", from: "a", take: "b" } }),
      "fields.county: none.csv: cannot be read"
    ]
  ])("%j is refused with its place", ([map, expected]) =>
    Effect.gen(function*() {
      const fault = yield* Effect.flip(run({ content: "id,cell\n1,2\n", map }))
      assert.isTrue(String(fault).startsWith(`map.json: ${expected}`), String(fault))
    }))
})

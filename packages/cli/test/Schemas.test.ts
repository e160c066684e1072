/** The JSON Schemas say what the parsers do. */
import { importName } from "@freehold/core/import/ImportKind"
import { parsers, shapes } from "@freehold/core/import/ImportRow"
import type { RowContext } from "@freehold/core/import/RowReading"
import type { Member, Shape } from "@freehold/core/import/RowShape"
import * as ApplyDocument from "@freehold/core/provision/ApplyDocument"
import addFormats from "ajv-formats"
import Ajv2020 from "ajv/dist/2020.js"
import { Predicate, Result } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { schema, schemaKinds } from "../src/Schemas.ts"

const root = new URL("../../../", import.meta.url)
const json = (file: string) => JSON.parse(readFileSync(new URL(file, root), "utf8"))

const ajv = new Ajv2020.Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  strictTypes: false,
  strictRequired: false
})
addFormats.default(ajv)

const validators = Object.fromEntries(schemaKinds.map((kind) => [kind, ajv.compile(schema(kind))]))
const accepts = (kind: string, value: unknown): boolean => validators[kind]?.(value) === true

const context: RowContext = { latestYear: 2100, idOf: importName }

/** Values of every kind, right for some rule or for none. */
const values: ReadonlyArray<unknown> = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  89.5,
  1850,
  301,
  3e9,
  2e15,
  "text",
  "x".repeat(501),
  "2026-01-31",
  "2026-02-30",
  "31.1.2026",
  "2026-01-31T10:00:00Z",
  "10013",
  "10013-1234",
  "1001",
  "36061",
  "99001",
  "NY",
  "QQ",
  "ana@example.com",
  "example.com",
  "https://example.com/a",
  "ftp://example.com",
  "3f0c5f0e-8f3b-4f0e-9a7e-0d6a6c1b2a10",
  "Office",
  "Castle",
  "owner",
  "current",
  "valid",
  "Mobile",
  "manual",
  "vp",
  "measured",
  "county_record",
  "individual",
  "Standard",
  "sale",
  [],
  ["a"],
  [1],
  {},
  { zip: "10013" },
  { zip: 1 },
  { email: true },
  { value: "x" },
  [{ propertyKey: "p", role: "owner" }],
  [{ propertyKey: "p" }],
  [{ sqft: 1 }],
  [{ sqft: "1" }]
]

const paths = (shape: Shape): ReadonlyArray<readonly [path: ReadonlyArray<string>, member: Member]> =>
  Object.entries(shape).flatMap(([name, member]) => [
    [[name], member] as const,
    ...(member.parts === undefined || member.most !== undefined
      ? []
      : paths(member.parts).map(([path, part]) => [[name, ...path], part] as const))
  ])

const at = ([name = "", ...rest]: ReadonlyArray<string>, value: unknown): object => ({
  [name]: rest.length === 0 ? value : at(rest, value)
})

const whole = {
  properties: { key: "k", countyFips: "36061" },
  firms: { key: "k", name: "Sample" },
  contacts: { key: "k", fullName: "Sample Person" },
  research: { propertyKey: "k", researchedAt: "2026-01-01" },
  changes: { key: "k", kind: "sale", propertyKey: "p", detectedAt: "2026-01-01", source: "county_record" }
}

const parsing = {
  properties: (row: unknown) => Result.isSuccess(parsers.properties(row, context)),
  firms: (row: unknown) => Result.isSuccess(parsers.firms(row, context)),
  contacts: (row: unknown) => Result.isSuccess(parsers.contacts(row, context)),
  research: (row: unknown) => Result.isSuccess(parsers.research(row, context)),
  changes: (row: unknown) => Result.isSuccess(parsers.changes(row, context))
}

describe("the schema of a row", () => {
  for (const kind of ["properties", "firms", "contacts", "research", "changes"] as const) {
    it(`accepts what the parser of ${kind} accepts, for every field and value`, () => {
      const verdicts = paths(shapes[kind].fields).flatMap(([path]) =>
        values.flatMap((value) => {
          const row = { ...whole[kind], ...at(path, value) }
          const parsed = parsing[kind](row)
          return parsed === accepts(kind, row) ? [] : [`${path.join(".")} = ${JSON.stringify(value)}: parser ${parsed}`]
        })
      )
      assert.deepStrictEqual(verdicts, [])
    })

    it(`refuses a row of ${kind} that lacks what it needs, or has what is unknown`, () => {
      assert.isTrue(accepts(kind, whole[kind]))
      assert.isFalse(accepts(kind, {}))
      assert.isFalse(accepts(kind, { ...whole[kind], colour: 1 }))
    })
  }

  it("knows what each kind of change needs", () => {
    const { source: _, ...unsourced } = whole.changes
    assert.isFalse(accepts("changes", unsourced))
    assert.isTrue(accepts("changes", { key: "k", kind: "withdrawn", withdraws: "s" }))
    assert.isFalse(accepts("changes", { ...whole.changes, withdraws: "s" }))
    assert.isTrue(accepts("changes", { ...whole.changes, after: { price: 1 } }))
    assert.isFalse(accepts("changes", { ...whole.changes, after: { value: "x" } }))
  })
})

describe("the schema of apply", () => {
  it("accepts the example, which apply takes, and tells every default", () => {
    const document = json("examples/apply/organizations.json")
    assert.isTrue(accepts("apply", document), JSON.stringify(validators["apply"]?.errors))
    assert.isTrue(Result.isSuccess(ApplyDocument.decode(document)))
    assert.isFalse(accepts("apply", { organizations: [{ org_id: "a", plan: "gold" }] }))
    assert.isFalse(accepts("apply", { organizations: [{ org_id: "a", colour: 1 }] }))
    const text = JSON.stringify(schema("apply"))
    for (const value of ["team", "internal", "member"]) assert.include(text, `"default":"${value}"`)
  })

  it("says of everything what it is", () => {
    const isTold = (told: unknown): boolean =>
      Predicate.isObject(told)
      && (typeof told["description"] === "string" || [told["anyOf"], told["allOf"]].flat().some(isTold))
    const silent = (told: unknown, path: string): ReadonlyArray<string> => {
      if (!Predicate.isObject(told)) return []
      const properties = Predicate.isObject(told["properties"]) ? Object.entries(told["properties"]) : []
      return [
        ...properties.flatMap(([name, property]) => [
          ...(isTold(property) ? [] : [`${path}.${name}`]),
          ...silent(property, `${path}.${name}`)
        ]),
        ...silent(told["items"], `${path}[]`),
        ...[told["anyOf"]].flat().flatMap((each) => silent(each, path))
      ]
    }
    for (const kind of schemaKinds) assert.deepStrictEqual(silent(schema(kind), kind), [])
  })
})

describe("the schema of maps", () => {
  it.each(readdirSync(new URL("examples/maps/", root)).filter((name) => name.endsWith(".json")))(
    "accepts %s",
    (name) => {
      assert.isTrue(accepts("map", json(`examples/maps/${name}`)), JSON.stringify(validators["map"]?.errors))
    }
  )

  it("refuses what is unknown", () => {
    assert.isFalse(accepts("map", { format: "csv", key: "{a}", fields: { address: { column: "a", typ: "text" } } }))
    assert.isFalse(accepts("map", { format: "csv", key: "{a}", fields: {}, colour: 1 }))
  })
})

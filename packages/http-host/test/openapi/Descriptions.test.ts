/** Every property of the document says what it is, and every text of the tables is of some property. */
import { assert, describe, it } from "@effect/vitest"
import { Predicate } from "effect"
import { keyOf, keys } from "../../src/openapi/Descriptions.ts"
import * as OpenApiDocument from "../../src/openapi/OpenApiDocument.ts"

const data = new Set(["example", "examples", "const", "enum", "default", "x-extensible-enum"])

interface Found {
  readonly path: string
  readonly parent: string
  readonly name: string
  readonly description: unknown
}

/** Every property below a part of the document. */
const propertiesIn = (node: unknown, path: string, parent: string): ReadonlyArray<Found> => {
  if (Array.isArray(node)) return node.flatMap((each, index) => propertiesIn(each, `${path}/${index}`, parent))
  if (!Predicate.isReadonlyObject(node)) return []
  return Object.entries(node).flatMap(([key, value]) => {
    if (data.has(key)) return []
    if (key !== "properties" || !Predicate.isReadonlyObject(value)) return propertiesIn(value, `${path}/${key}`, parent)
    return Object.entries(value).flatMap(([name, schema]) => [
      {
        path: `${path}/properties/${name}`,
        parent,
        name,
        description: Predicate.hasProperty(schema, "description") ? schema.description : undefined
      },
      ...propertiesIn(schema, `${path}/properties/${name}`, name)
    ])
  })
}

const document = OpenApiDocument.make({ tools: new Set() })

const found = [
  ...propertiesIn(document.paths, "paths", ""),
  ...propertiesIn(document["webhooks"], "webhooks", ""),
  ...Object.entries(document.components["schemas"] ?? {}).flatMap(([name, schema]) => propertiesIn(schema, name, name))
]

describe("The parameters of the document", () => {
  const parameters = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, endpoint]) =>
      Predicate.hasProperty(endpoint, "parameters") && Array.isArray(endpoint.parameters)
        ? endpoint.parameters.map((parameter) => ({ ...parameter, path, method }))
        : []
    )
  )

  it("are no lists, which a client would send as a parameter given more than once", () => {
    const lists = parameters.filter(({ schema }) => JSON.stringify(schema).includes("\"array\""))
    assert.deepStrictEqual(lists.map(({ method, name, path }) => `${method} ${path} ${name}`), [])
  })

  it("each have a description", () => {
    assert.isAbove(parameters.length, 60)
    const silent = parameters.filter(({ description }) => !Predicate.isString(description) || description === "")
    assert.deepStrictEqual(silent.map(({ method, name, path }) => `${method} ${path} ${name}`), [])
  })
})

describe("The properties of the document", () => {
  it("each have a description", () => {
    assert.isAbove(found.length, 1000)
    const silent = found.filter(({ description }) => !Predicate.isString(description) || description === "")
    assert.deepStrictEqual(silent.map(({ path }) => path), [])
  })

  it("have the texts of the tables, of which none stands twice or is nobody's", () => {
    const used = new Set(found.map(({ name, parent }) => keyOf(parent, name)))
    // A bound of a filter is told by the field that it bounds.
    const bounded = new Set(found.flatMap(({ name }) => /^(?:min|max)([A-Z]\w+)$/.exec(name)?.[1]?.toLowerCase() ?? []))
    assert.deepStrictEqual(keys.filter((key) => !used.has(key) && !bounded.has(key.toLowerCase())), [])
    assert.deepStrictEqual(keys.filter((key, index) => keys.indexOf(key) !== index), [])
  })

  it("name a unit where they are a measure", () => {
    const units = {
      Sqft: /square feet/,
      Meters: /meters/,
      Credits: /credits/i,
      _usd: /US dollars/,
      Seconds: /[Ss]econds/
    }
    const unmeasured = found.filter(({ description, name }) =>
      Object.entries(units).some(([ending, unit]) => name.endsWith(ending) && !unit.test(String(description)))
    )
    assert.deepStrictEqual(unmeasured.map(({ path }) => path), [])
  })

  it("and the endpoints name endpoints and no tool", () => {
    const fields = new Set(found.map(({ name }) => name))
    const told = [...JSON.stringify(document).matchAll(/\bservice_\w+/g)].map(([name]) => name)
    assert.deepStrictEqual(told.filter((name) => !fields.has(name)), [])
    assert.include(JSON.stringify(document.paths["/leads"]), "Read a lead with GET /leads/{id}.")
  })
})

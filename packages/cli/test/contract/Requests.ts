/**
 * Requests made from the contract's document: valid ones, and ones that are wrong in every way that a caller can be.
 *
 * `known` gives words that exist (ids, counties), so that a good part of the requests reaches what lies behind the checks.
 */
import { Predicate } from "effect"
import * as fc from "fast-check"
import type { JsonObject } from "./DocumentChecker.ts"

export interface Sent {
  readonly template: string
  readonly method: string
  /** Percent-encoded, with the query, below the API root. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** Words for a parameter or property, by its name. */
export type Known = (name: string) => ReadonlyArray<string>

const longText = "n".repeat(70_000)
const nested = (depth: number): unknown => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 1)

/** Text that has broken somebody's code before. */
const oddText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff tail",
    "💥",
    "é\u0301",
    "\u202E",
    "%",
    "%00",
    "%ED%A0%80",
    "_",
    "\\",
    "'; DROP TABLE property; --",
    "__proto__",
    "constructor",
    "null",
    "NaN",
    "-0",
    "1e309",
    "9".repeat(400),
    "../../me",
    "2026-02-30",
    "0000-00-00T00:00:00Z",
    "+275760-09-13T00:00:00Z",
    "00000000-0000-0000-0000-000000000000",
    longText
  ),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 })
)

/** Any JSON value, of any type and of any size. */
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      0.5,
      1e308,
      -1e308,
      5e-324,
      2 ** 31,
      2 ** 53,
      -(2 ** 63),
      [],
      {},
      [null],
      [[]],
      { a: { b: {} } },
      { toString: 1, valueOf: 1 }
    )
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      nested(400),
      Array.from({ length: 3000 }, () => "x"),
      Object.fromEntries(Array.from({ length: 800 }, (_, index) => [`k${index}`, index]))
    )
  }
)

const objectAt = (value: unknown, key: string): JsonObject => {
  const inner = Predicate.isObject(value) ? value[key] : undefined
  return Predicate.isObject(inner) ? inner : {}
}

const numberAt = (schema: JsonObject, key: string, otherwise: number): number => {
  const value = schema[key]
  return Predicate.isNumber(value) ? value : otherwise
}

const listAt = (schema: JsonObject, key: string): ReadonlyArray<unknown> => {
  const value = schema[key]
  return Array.isArray(value) ? value : []
}

/** Values that fit a schema. */
const fitting = (schema: unknown, name: string, known: Known): fc.Arbitrary<unknown> => {
  if (!Predicate.isObject(schema)) return oddValue
  if (schema["const"] !== undefined) return fc.constant(schema["const"])
  if (Array.isArray(schema["enum"])) return fc.constantFrom<unknown>(...schema["enum"])
  const members = [...listAt(schema, "anyOf"), ...listAt(schema, "oneOf")]
  if (members.length > 0) return fc.oneof(...members.map((member) => fitting(member, name, known)))
  switch (schema["type"]) {
    case "string": {
      const words = known(name)
      const minLength = numberAt(schema, "minLength", 0)
      const free = Predicate.isString(schema["pattern"])
        ? fc.stringMatching(new RegExp(schema["pattern"], "u"), { size: "-1" })
        : schema["format"] === "uuid"
        ? fc.uuid()
        : fc.string({ minLength, maxLength: Math.min(numberAt(schema, "maxLength", 30), minLength + 30) })
      return words.length === 0 ? free : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...words) }, free)
    }
    case "integer": {
      const min = numberAt(schema, "minimum", 0)
      const max = numberAt(schema, "maximum", 1_000_000)
      return fc.oneof(fc.integer({ min, max: Math.min(max, min + 60) }), fc.integer({ min, max }))
    }
    case "number":
      return fc.double({
        min: numberAt(schema, "minimum", -1e6),
        max: numberAt(schema, "maximum", 1e6),
        noNaN: true
      })
    case "boolean":
      return fc.boolean()
    case "null":
      return fc.constant(null)
    case "array": {
      const fixed = listAt(schema, "prefixItems")
      if (fixed.length > 0) return fc.tuple(...fixed.map((item) => fitting(item, name, known)))
      const minLength = numberAt(schema, "minItems", 0)
      return fc.array(fitting(schema["items"], name, known), {
        minLength,
        maxLength: Math.min(numberAt(schema, "maxItems", 4), minLength + 3)
      })
    }
    case "object":
      return fittingObject(schema, known)
    default:
      return oddValue
  }
}

/** Objects with what they need, and with few of the rest, since many together are seldom allowed. */
const fittingObject = (schema: JsonObject, known: Known): fc.Arbitrary<Record<string, unknown>> => {
  const properties = objectAt(schema, "properties")
  const names = Object.keys(properties)
  const required = listAt(schema, "required").filter(Predicate.isString)
  const optional = names.filter((name) => !required.includes(name))
  return fc.subarray(optional, { maxLength: Math.min(4, optional.length) }).chain((chosen) =>
    fc.record(
      Object.fromEntries([...required, ...chosen].map((name) => [name, fitting(properties[name], name, known)]))
    )
  )
}

/** An object with a thing or two about it that do not fit. */
const spoiled = (object: fc.Arbitrary<Record<string, unknown>>, names: ReadonlyArray<string>) =>
  fc.tuple(
    object,
    fc.array(
      fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...names, "unknown") }, oddText), oddValue),
      { minLength: 1, maxLength: 3 }
    )
  ).map(([fits, wrong]) => ({ ...fits, ...Object.fromEntries(wrong) }))

/** Bodies that are no JSON object, or do not say what they are. */
const rawBody = fc.constantFrom(
  Buffer.from(""),
  Buffer.from("{"),
  Buffer.from("null"),
  Buffer.from("[]"),
  Buffer.from("\"text\""),
  Buffer.from("{\"a\":1,\"a\":2}"),
  Buffer.from("{}{}"),
  Buffer.from("\ufeff{}"),
  Buffer.from("[".repeat(100_000)),
  Buffer.from(`${"{\"filters\":".repeat(20_000)}1${"}".repeat(20_000)}`),
  Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  Buffer.from(`{"__proto__":{"limit":1},"constructor":1}`),
  Buffer.alloc(1_048_577, "x")
)

const contentType = fc.constantFrom(
  "application/json",
  "application/json; charset=utf-8",
  "application/json; charset=latin1",
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/x-www-form-urlencoded",
  "",
  "🙂".normalize("NFD").replace(/[^\0-\u007f]/g, "?")
)

const json = "application/json"

/** The example with a part of it filled in otherwise: rules between fields are seldom met by chance. */
const likeExample = (schema: JsonObject, example: JsonObject, known: Known): fc.Arbitrary<Record<string, unknown>> =>
  fc.constantFrom(...Object.keys(example)).chain((name) => {
    const given = example[name]
    const part = objectAt(objectAt(schema, "properties"), name)
    return (Predicate.isObject(given)
      ? fittingObject(part, known).map((inner): unknown => ({ ...given, ...inner }))
      : fitting(part, name, known)).map((value) => ({ ...example, [name]: value }))
  })

const bodies = (schema: JsonObject, example: JsonObject, known: Known) => {
  const free = fittingObject(schema, known)
  const valid = Object.keys(example).length === 0
    ? free
    : fc.oneof(free, likeExample(schema, example, known), fc.constant(example))
  const written = (value: unknown) => Buffer.from(JSON.stringify(value))
  return fc.oneof(
    { weight: 10, arbitrary: valid.map((value) => ({ body: written(value), type: json })) },
    {
      weight: 7,
      arbitrary: spoiled(valid, Object.keys(objectAt(schema, "properties"))).map((value) => ({
        body: written(value),
        type: json
      }))
    },
    { weight: 1, arbitrary: oddValue.map((value) => ({ body: written(value), type: json })) },
    { weight: 2, arbitrary: fc.record({ body: rawBody, type: fc.constant(json) }) },
    { weight: 1, arbitrary: fc.record({ body: valid.map(written), type: contentType }) }
  )
}

/** Percent-encoded; what is no text at all stays as bytes that no UTF-8 has. */
const encoded = (text: string): string =>
  text.isWellFormed() ? encodeURIComponent(text) : `%ED%A0%80${encodeURIComponent(text.toWellFormed())}`

/** A segment of a path: no dots, which would be another path. */
const segment = (schema: unknown, name: string, known: Known) =>
  fc.oneof(
    { weight: 12, arbitrary: fitting(schema, name, known).map(String) },
    { weight: 3, arbitrary: oddText.filter((text) => text.length < 3000) }
  ).filter((text) => text !== "." && text !== "..").map(encoded)

/** What a header can hold; mostly none is sent, and few different ones, so that they meet again. */
const headerText = fc.oneof(
  { weight: 12, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 400 }).map((number) => `sample ${number}`) },
  { weight: 1, arbitrary: fc.constantFrom("", "n".repeat(255), "n".repeat(256), "\u00e9\u00ff", "\"", "a,b", "  ") }
)

const queryText = (value: unknown): string => Predicate.isString(value) ? value : JSON.stringify(value) ?? ""

const queries = (parameters: ReadonlyArray<JsonObject>, known: Known) => {
  const pair = (parameter: JsonObject) => {
    const name = String(parameter["name"])
    return fc.oneof(
      { weight: 5, arbitrary: fitting(parameter["schema"], name, known) },
      { weight: 1, arbitrary: oddValue }
    ).map((value) => [name, queryText(value)] as const)
  }
  const required = parameters.filter((parameter) => parameter["required"] === true)
  const optional = parameters.filter((parameter) => parameter["required"] !== true)
  const stray = fc.tuple(fc.oneof(fc.constantFrom("unknown", "limit", "id", "__proto__"), oddText), oddText)
  return fc.tuple(
    fc.tuple(...required.map(pair)),
    fc.subarray(optional).chain((chosen) => fc.tuple(...chosen.map(pair))),
    fc.oneof(
      { weight: 9, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(stray, { minLength: 1, maxLength: 2 }) }
    ),
    // Once in a while everything twice, or the required left out.
    fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 0)
  ).map(([needed, chosen, strays, times]) => {
    const given = [...Array.from({ length: times }, () => needed).flat(), ...chosen, ...strays]
    const text = given
      .filter(([name, value]) => name.length + value.length < 4000)
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&")
    return text === "" ? "" : `?${text}`
  })
}

/** An endpoint of the document. */
export interface Described {
  readonly template: string
  readonly method: string
  readonly told: JsonObject
  /** Follows a reference of the document. */
  readonly resolve: (schema: unknown) => JsonObject
}

const partsOf = ({ resolve, told }: Described) => {
  const parameters = listAt(told, "parameters").filter((each): each is JsonObject => Predicate.isObject(each))
  const content = objectAt(objectAt(objectAt(told, "requestBody"), "content"), json)
  return {
    inPath: parameters.filter((parameter) => parameter["in"] === "path"),
    inQuery: parameters.filter((parameter) => parameter["in"] === "query"),
    inHeader: parameters.filter((parameter) => parameter["in"] === "header"),
    hasBody: Object.keys(content).length > 0,
    schema: resolve(content["schema"]),
    example: objectAt(content, "example")
  }
}

/** The name by which `known` is asked for the words of a path's parameter. */
const wordOf = ({ template }: Described, parameter: JsonObject): string => `${template} ${String(parameter["name"])}`

/** The example of the document, once for each of the first words that exist. */
export const plain = (endpoint: Described, known: Known): ReadonlyArray<Sent> => {
  const { example, hasBody, inPath, inQuery } = partsOf(endpoint)
  const query = inQuery.filter((parameter) => parameter["required"] === true).map((parameter) => {
    const name = String(parameter["name"])
    return `${name}=${encoded(known(name)[0] ?? String(parameter["example"]))}`
  }).join("&")
  return [0, 1, 2].map((index) => ({
    template: endpoint.template,
    method: endpoint.method,
    path: inPath.reduce((path, parameter) => {
      const words = known(wordOf(endpoint, parameter))
      return path.replace(`{${String(parameter["name"])}}`, encoded(words[index % words.length] ?? "nothing"))
    }, endpoint.template) + (query === "" ? "" : `?${query}`),
    headers: hasBody ? { "content-type": json } : {},
    body: hasBody ? Buffer.from(JSON.stringify(example)) : null
  }))
}

/** Requests of an endpoint: valid ones and wrong ones. */
export const requests = (endpoint: Described, known: Known): fc.Arbitrary<Sent> => {
  const { method, template } = endpoint
  const { example, hasBody, inHeader, inPath, inQuery, schema } = partsOf(endpoint)

  const path = fc.record(
    Object.fromEntries(
      inPath.map((parameter) => [
        String(parameter["name"]),
        segment(parameter["schema"], wordOf(endpoint, parameter), known)
      ])
    )
  ).map((given) => template.replace(/\{(\w+)\}/g, (_, name: string) => given[name] ?? ""))

  const headers = fc.record(
    Object.fromEntries(inHeader.map((parameter) => [String(parameter["name"]).toLowerCase(), headerText])),
    { requiredKeys: [] }
  )

  const nothing = fc.constant({ body: null, type: null })
  const body = method === "GET"
    ? nothing
    : hasBody
    ? bodies(schema, example, known)
    : fc.oneof(
      { weight: 8, arbitrary: nothing },
      { weight: 1, arbitrary: fc.constant({ body: Buffer.from("{}"), type: json }) },
      { weight: 1, arbitrary: fc.record({ body: rawBody, type: fc.constant(json) }) },
      { weight: 1, arbitrary: oddValue.map((value) => ({ body: Buffer.from(JSON.stringify(value)), type: json })) }
    )

  return fc.tuple(path, queries(inQuery, known), headers, body).map(([given, query, named, { body: bytes, type }]) => ({
    template,
    method,
    path: `${given}${query}`,
    headers: {
      ...Object.fromEntries(Object.entries(named).flatMap(([name, value]) => value === null ? [] : [[name, value]])),
      ...(type === null || type === "" ? {} : { "content-type": type })
    },
    body: bytes
  }))
}

/** Arguments of a tool, by the schema that it publishes: ones that fit it, spoiled ones, and no objects at all. */
export const toolArguments = (schema: JsonObject, known: Known): fc.Arbitrary<unknown> => {
  const valid = fittingObject(schema, known)
  return fc.oneof(
    { weight: 6, arbitrary: valid },
    { weight: 4, arbitrary: spoiled(valid, Object.keys(objectAt(schema, "properties"))) },
    { weight: 1, arbitrary: oddValue }
  )
}

/**
 * Holds calls and answers against the contract's document.
 *
 * The document lets answers grow (open enums, further fields). Here it is taken at its word: what an answer has and the
 * document does not tell is a fault.
 */
import addFormats from "ajv-formats"
import Ajv2020 from "ajv/dist/2020.js"
import { Predicate, Record } from "effect"

export type JsonObject = Readonly<Record<string, unknown>>

export interface Answered {
  readonly status: number
  readonly headers: Headers
  /** The parsed body. */
  readonly body: unknown
}

/** The same schema without room for what it does not name. */
const closed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(closed)
  if (!Predicate.isObject(value)) return value
  const inner = Record.map(value, closed)
  const words = value["x-extensible-enum"]
  const isNullable = Array.isArray(value["type"]) && value["type"].includes("null")
  return {
    ...inner,
    ...(Array.isArray(words) ? { enum: isNullable ? [...words, null] : words } : {}),
    ...(value["type"] === "object" && Predicate.isObject(value["properties"]) &&
        value["additionalProperties"] === undefined
      ? { additionalProperties: false }
      : {})
  }
}

const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce((inner: unknown, key) => Predicate.isObject(inner) ? inner[key] : undefined, value)

const pointer = (...path: ReadonlyArray<string>): string =>
  path.map((part) => `/${encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")

/** Headers that only the document brings into an answer. */
const telling = /^(service-|x-ratelimit-|retry-after$|www-authenticate$|idempotency-|deprecation$|sunset$)/

export const checker = (document: JsonObject) => {
  const ajv = new Ajv2020.Ajv2020({ strict: false, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: "openapi", ...Object(closed(document)) })

  const resolve = (
    path: ReadonlyArray<string>
  ): { readonly value: JsonObject; readonly path: ReadonlyArray<string> } => {
    const value = at(document, ...path)
    const reference = at(value, "$ref")
    if (Predicate.isString(reference)) return resolve(reference.slice(2).split("/"))
    return { value: Predicate.isObject(value) ? value : {}, path }
  }

  /** The faults of a value against the schema at a place of the document. */
  const faultsAt = (path: ReadonlyArray<string>, value: unknown): ReadonlyArray<string> => {
    const validate = ajv.getSchema(`openapi#${pointer(...path)}`)
    if (validate === undefined) return [`no schema at ${path.join("/")}`]
    return validate(value) === true
      ? []
      : (validate.errors ?? []).map(({ instancePath, message, params }) =>
        `${instancePath} ${message} ${JSON.stringify(params)}`
      )
  }

  const headerFaults = (path: ReadonlyArray<string>, headers: Headers): ReadonlyArray<string> => {
    const listed = Object.keys(Object(at(document, ...path, "headers"))).map((name) => ({
      name: name.toLowerCase(),
      ...resolve([...path, "headers", name])
    }))
    const known = new Set(listed.map(({ name }) => name))
    return [
      ...[...headers.keys()].filter((name) => telling.test(name) && !known.has(name)).map((name) =>
        `header ${name} is not in the document`
      ),
      ...listed.flatMap(({ name, path: place, value }) => {
        const text = headers.get(name)
        if (text === null) return value["required"] === true ? [`header ${name} is missing`] : []
        const type = at(value, "schema", "type")
        return faultsAt([...place, "schema"], type === "integer" ? Number(text) : text).map((fault) =>
          `header ${name}: ${fault}`
        )
      })
    ]
  }

  /** What of an answer does not fit the endpoint; `template` as in the document. */
  const faultsOf = (template: string, method: string, { body, headers, status }: Answered): ReadonlyArray<string> => {
    const response = resolve(["paths", template, method.toLowerCase(), "responses", String(status)])
    if (Record.isEmptyRecord(response.value)) return [`status ${status} is not in the document`]
    return [
      ...headerFaults(response.path, headers),
      ...faultsAt([...response.path, "content", "application/json", "schema"], body)
    ]
  }

  return { faultsAt, faultsOf, resolve }
}

/**
 * A made-up HubSpot that is as strict as its published descriptions: batch upsert of companies, contacts and deals (v3), default
 * associations (v4), properties and pipelines. What is not described is refused as HubSpot refuses it.
 */
import { Effect } from "effect"
import { type Answer, type Asked, type Json, serve } from "./CrmServer.ts"

export const token = "pat-made-up"

const batchLimit = 100

/** The properties that the account has, and those whose values are unique. */
const properties: Readonly<
  Record<string, { readonly known: ReadonlyArray<string>; readonly unique: ReadonlyArray<string> }>
> = {
  companies: {
    known: ["name", "domain", "website", "phone", "address", "city", "state", "zip", "service_property_id"],
    unique: ["service_property_id"]
  },
  contacts: {
    known: ["email", "firstname", "lastname", "jobtitle", "phone", "service_contact_id"],
    unique: ["email", "service_contact_id"]
  },
  deals: {
    known: ["dealname", "amount", "pipeline", "dealstage", "description", "service_property_id"],
    unique: ["service_property_id"]
  }
}

export const stages = ["appointmentscheduled", "closedwon"]

const refusal = (status: number, category: string, message: string): Answer => ({
  status,
  body: { status: "error", message, correlationId: "aeb5f871-7f07-4993-9211-075dc63e7cbf", category }
})

const invalid = (message: string) => refusal(400, "VALIDATION_ERROR", message)

const now = "2026-01-01T00:00:00.000Z"

const batchOf = (results: ReadonlyArray<Json>, errors: ReadonlyArray<Json> = []): Answer => ({
  status: errors.length === 0 ? 200 : 207,
  body: {
    status: "COMPLETE",
    results,
    startedAt: now,
    completedAt: now,
    ...errors.length === 0 ? {} : { numErrors: errors.length, errors }
  }
})

const isTexts = (value: Json): boolean =>
  typeof value === "object" && value !== null && Object.values(value).every((each) => typeof each === "string")

const hasOnly = (value: Json, keys: ReadonlyArray<string>): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).every((key) => keys.includes(key))

/** Why an input is not one; null: it is. */
const faultOf = (type: string, input: Json): string | null => {
  const { known = [], unique = [] } = properties[type] ?? {}
  if (!hasOnly(input, ["id", "idProperty", "properties", "objectWriteTraceId"])) return "unknown field"
  if (typeof input.id !== "string" || !isTexts(input.properties)) return "id and properties must be strings"
  if (!unique.includes(input.idProperty)) return `${input.idProperty} is not a unique property`
  const other = Object.keys(input.properties).find((name) => !known.includes(name))
  if (other !== undefined) return `Property "${other}" does not exist`
  const { dealstage, pipeline } = input.properties
  return type === "deals" && (pipeline !== "default" || !stages.includes(dealstage)) ? "no such stage" : null
}

export const make = Effect.gen(function*() {
  /** By type and id. */
  const records = new Map<string, Map<string, Json>>(Object.keys(properties).map((type) => [type, new Map()]))
  const associations = new Set<string>()
  let nextId = 1

  const holderOf = (type: string, name: string, value: string) =>
    [...records.get(type) ?? []].find(([, each]) => each[name]?.toLowerCase() === value.toLowerCase())?.[0]

  const upsertOne = (type: string, { id, idProperty, properties: given }: Json): Json => {
    const found = holderOf(type, idProperty, id)
    const taken = (properties[type]?.unique ?? []).find((name) => {
      const holder = given[name] === undefined ? undefined : holderOf(type, name, given[name])
      return holder !== undefined && holder !== found
    })
    if (taken !== undefined) return { category: "CONFLICT", message: `${taken} is taken` }
    const known = found ?? String(nextId++)
    records.get(type)?.set(known, { ...records.get(type)?.get(known), [idProperty]: id, ...given })
    return { id: known, new: found === undefined, properties: given, archived: false, createdAt: now, updatedAt: now }
  }

  const upsert = (type: string, body: Json): Answer => {
    if (!hasOnly(body, ["inputs"]) || !Array.isArray(body.inputs)) return invalid("inputs is required")
    if (body.inputs.length === 0 || body.inputs.length > batchLimit) return invalid("1 to 100 inputs")
    const fault = body.inputs.map((input: Json) => faultOf(type, input)).find((each: string | null) => each !== null)
    if (fault !== undefined) return invalid(fault)
    if (new Set(body.inputs.map(({ id }: Json) => id)).size < body.inputs.length) return invalid("Duplicate IDs found")
    const results: ReadonlyArray<Json> = body.inputs.map((input: Json) => upsertOne(type, input))
    const done = results.filter(({ category }) => category === undefined)
    const conflicts = results.filter(({ category }) => category !== undefined)
    if (body.inputs.length === 1 && conflicts.length === 1) return refusal(409, "CONFLICT", conflicts[0].message)
    return batchOf(done, conflicts.map((each) => ({ ...each, status: "error", context: {}, errors: [], links: {} })))
  }

  const associate = (from: string, to: string, body: Json): Answer => {
    const isPair = (input: Json) =>
      hasOnly(input, ["from", "to"]) && records.get(from)?.has(input.from?.id) && records.get(to)?.has(input.to?.id)
    if (!hasOnly(body, ["inputs"]) || !body.inputs?.every(isPair)) return invalid("no such records")
    for (const input of body.inputs) associations.add(`${from} ${input.from.id} ${to} ${input.to.id}`)
    return batchOf(body.inputs)
  }

  const answer = ({ authorization, contentType, method, text, url }: Asked): Answer => {
    if (authorization !== `Bearer ${token}`) return refusal(401, "INVALID_AUTHENTICATION", "Authentication failed")
    const path = url.pathname
    if (method === "GET") {
      const [, type = "", name = ""] = /^\/crm\/v3\/properties\/(\w+)\/(\w+)$/.exec(path) ?? []
      if (properties[type]?.known.includes(name) === true) {
        return { status: 200, body: { name, hasUniqueValue: properties[type].unique.includes(name) } }
      }
      return path === "/crm/v3/pipelines/deals/default"
        ? { status: 200, body: { id: "default", stages: stages.map((id) => ({ id, label: id })) } }
        : refusal(404, "OBJECT_NOT_FOUND", "resource not found")
    }
    if (method !== "POST") return refusal(405, "METHOD_NOT_ALLOWED", "method not allowed")
    if (contentType !== "application/json") return refusal(415, "UNSUPPORTED_MEDIA", "Expected application/json")
    const body: Json = JSON.parse(text)
    const [, type = ""] = /^\/crm\/v3\/objects\/(\w+)\/batch\/upsert$/.exec(path) ?? []
    if (records.has(type)) return upsert(type, body)
    const [, from = "", to = ""] = /^\/crm\/v4\/associations\/(\w+)\/(\w+)\/batch\/associate\/default$/.exec(path) ?? []
    return records.has(from) && records.has(to)
      ? associate(from, to, body)
      : refusal(404, "OBJECT_NOT_FOUND", "resource not found")
  }

  const server = yield* serve(answer)
  return {
    ...server,
    associations,
    /** What is kept of a type, the oldest first. */
    kept: (type: "companies" | "contacts" | "deals"): ReadonlyArray<Json> => [...records.get(type)?.values() ?? []],
    /** Somebody whom the customer had there before. */
    had: (type: "companies" | "contacts" | "deals", given: Json) => void records.get(type)?.set(String(nextId++), given)
  }
})

/** The answer to more requests than the account may send. */
export const tooMany = (policyName: string, headers: Readonly<Record<string, string>>): Answer => ({
  status: 429,
  headers,
  body: { status: "error", message: "You have reached your limit.", errorType: "RATE_LIMIT", policyName }
})

export { refusal }

/**
 * A made-up Salesforce organization that is as strict as the documented REST API: OAuth tokens, upsert and update of
 * collections, and the queries that are asked. What is not documented is refused as Salesforce refuses it.
 */
import { Effect } from "effect"
import { type Answer, type Asked, type Json, serve } from "./CrmServer.ts"

export const credentials = { client_id: "made-up-app", client_secret: "made-up-secret" }
export const refreshToken = "made-up-refresh-token"
export const stages = ["Prospecting", "Closed Won"]

const api = "/services/data/v62.0"
const collectionLimit = 200

/** The fields that the organization has, those that an insert needs, and the external id. */
const objects: Readonly<
  Record<
    string,
    { readonly fields: ReadonlyArray<string>; readonly needs: ReadonlyArray<string>; readonly key: string }
  >
> = {
  Account: {
    fields: ["Name", "Website", "Phone", "BillingStreet", "BillingCity", "BillingState", "BillingPostalCode"],
    needs: ["Name"],
    key: "service_property_id__c"
  },
  Contact: {
    fields: ["AccountId", "FirstName", "LastName", "Email", "Title", "Phone"],
    needs: ["LastName"],
    key: "service_contact_id__c"
  },
  Opportunity: {
    fields: ["AccountId", "Name", "StageName", "CloseDate", "Amount", "Description"],
    needs: ["Name", "StageName", "CloseDate"],
    key: "service_property_id__c"
  }
}

export const refusal = (status: number, errorCode: string, message: string): Answer => ({
  status,
  body: [{ message, errorCode }]
})

const failed = (statusCode: string): Json => ({
  success: false,
  errors: [{ statusCode, message: statusCode, fields: [] }]
})

export const make = Effect.gen(function*() {
  /** By object and id. */
  const records = new Map<string, Map<string, Json>>(Object.keys(objects).map((type) => [type, new Map()]))
  const tokens = new Set<string>()
  let next = 1

  const grant = ({ contentType, method, text }: Asked): Answer => {
    const { grant_type, refresh_token, ...app } = Object.fromEntries(new URLSearchParams(text))
    const isRight = method === "POST" && contentType === "application/x-www-form-urlencoded" &&
      app["client_id"] === credentials.client_id && app["client_secret"] === credentials.client_secret &&
      (grant_type === "client_credentials" || grant_type === "refresh_token" && refresh_token === refreshToken)
    if (!isRight) return { status: 400, body: { error: "invalid_grant", error_description: "not accepted" } }
    const access_token = `token-${next++}`
    tokens.add(access_token)
    return { status: 200, body: { access_token, token_type: "Bearer", instance_url: "https://elsewhere.example" } }
  }

  const faultOf = (type: string, record: Json, isNew: boolean): string | null => {
    const { attributes, id: _id, ...fields } = record
    const { fields: known = [], key = "", needs = [] } = objects[type] ?? {}
    if (attributes?.type !== type) return "INVALID_TYPE"
    if (Object.keys(fields).some((name) => name !== key && !known.includes(name))) return "INVALID_FIELD"
    if (isNew && needs.some((name) => typeof fields[name] !== "string")) return "REQUIRED_FIELD_MISSING"
    if (fields.CloseDate !== undefined && !/^\d{4}-\d\d-\d\d$/.test(fields.CloseDate)) return "INVALID_DATE"
    if (fields.StageName !== undefined && !stages.includes(fields.StageName)) {
      return "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"
    }
    return fields.AccountId !== undefined && records.get("Account")?.has(fields.AccountId) !== true
      ? "MALFORMED_ID"
      : null
  }

  const writeOne = (type: string, found: string | undefined, record: Json): Json => {
    const fault = faultOf(type, record, found === undefined)
    if (fault !== null) return failed(fault)
    const { attributes: _attributes, id: _id, ...fields } = record
    const id = found ?? `00${next++}MADEUP`
    records.get(type)?.set(id, { ...records.get(type)?.get(id), ...fields })
    return { id, success: true, errors: [], created: found === undefined }
  }

  const write = (type: string | null, key: string, body: Json): Answer => {
    if (body.allOrNone !== false || !Array.isArray(body.records) || body.records.length > collectionLimit) {
      return refusal(400, "JSON_PARSER_ERROR", "allOrNone and records are expected")
    }
    return {
      status: 200,
      body: body.records.map((record: Json) => {
        const of = type ?? record.attributes?.type ?? ""
        const found = type === null
          ? record.id
          : [...records.get(of) ?? []].find(([, each]) => each[key] === record[key])?.[0]
        if (type === null && records.get(of)?.has(record.id) !== true) return failed("ENTITY_IS_DELETED")
        if (type !== null && (record.id !== undefined || typeof record[key] !== "string")) {
          return failed("MISSING_ARGUMENT")
        }
        return writeOne(of, found, record)
      })
    }
  }

  const textsOf = (list: string): ReadonlyArray<string> =>
    [...list.matchAll(/'((?:[^'\\]|\\.)*)'/g)].map(([, text = ""]) => text.replace(/\\(.)/g, "$1"))

  const query = (text: string): Answer => {
    const found = (rows: ReadonlyArray<Json>): Answer => ({
      status: 200,
      body: { totalSize: rows.length, done: true, records: rows }
    })
    const [, key = "", object = ""] = /^SELECT (\w+) FROM (\w+) LIMIT 1$/.exec(text) ?? []
    if (objects[object]?.key === key) return found([])
    if (text === "SELECT ApiName FROM OpportunityStage WHERE IsActive = true") {
      return found(stages.map((ApiName) => ({ ApiName })))
    }
    const [, ids, , addresses = ""] =
      /^SELECT Id, Email, service_contact_id__c FROM Contact WHERE service_contact_id__c IN (\(.+?\))( OR Email IN (\(.+\)))?$/
        .exec(text) ?? []
    if (ids === undefined) return refusal(400, "MALFORMED_QUERY", "unexpected query")
    return found(
      [...records.get("Contact") ?? []].filter(([, { Email, service_contact_id__c }]) =>
        textsOf(ids).includes(service_contact_id__c) ||
        textsOf(addresses).some((address) => address.toLowerCase() === Email?.toLowerCase())
      ).map(([Id, { Email = null, service_contact_id__c = null }]) => ({ Id, Email, service_contact_id__c }))
    )
  }

  const answer = (asked: Asked): Answer => {
    const { authorization, contentType, method, text, url } = asked
    if (url.pathname === "/services/oauth2/token") return grant(asked)
    if (!tokens.has(authorization.replace(/^Bearer /, ""))) {
      return refusal(401, "INVALID_SESSION_ID", "Session expired or invalid")
    }
    if (method === "GET" && url.pathname === `${api}/query`) return query(url.searchParams.get("q") ?? "")
    if (method !== "PATCH" || !url.pathname.startsWith(`${api}/composite/sobjects`)) {
      return refusal(404, "NOT_FOUND", "The requested resource does not exist")
    }
    if (contentType !== "application/json") return refusal(415, "UNSUPPORTED_MEDIA_TYPE", "JSON is expected")
    const [type, key = "", ...rest] = url.pathname.slice(`${api}/composite/sobjects/`.length).split("/")
    if (type === undefined || type === "") return write(null, "", JSON.parse(text))
    return objects[type]?.key === key && rest.length === 0
      ? write(type, key, JSON.parse(text))
      : refusal(404, "NOT_FOUND", "Provided external ID field does not exist or is not accessible")
  }

  const server = yield* serve(answer)
  return {
    ...server,
    expireTokens: () => tokens.clear(),
    /** What is kept of an object, the oldest first. */
    kept: (type: "Account" | "Contact" | "Opportunity"): ReadonlyArray<Json> => [...records.get(type)?.values() ?? []],
    /** What the customer had there before. */
    had: (type: "Account" | "Contact" | "Opportunity", given: Json) =>
      void records.get(type)?.set(`00${next++}MADEUP`, given)
  }
})

/**
 * What an experienced engineer would write by hand for two of the endpoints: Fastify and `pg`, no framework of ours.
 *
 * It shares with the product the database, its `authorize` function (key, windows, ceilings) and the text of its search
 * statements, which it reads from a file by the body of the request. Everything else is its own: routes, checks of the
 * body, the address limit, the cache of organizations, the cursor, the shape of the rows.
 *
 * Environment: DATABASE_URL, BASELINE_FILE (see `BaselineFile`).
 */
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify"
import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { Pool } from "pg"
import { admission, type Caller, type Profile } from "./BaselineAdmission.ts"
import type { Captured } from "./StatementCapture.ts"

export interface BaselineFile {
  readonly authorize: Captured
  /** By the JSON of the body. */
  readonly searches: Readonly<Record<string, Captured>>
}

const { authorize, searches }: BaselineFile = JSON.parse(readFileSync(process.env["BASELINE_FILE"] ?? "", "utf8"))
// As many connections as the product has.
const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 22 })
const admit = admission(pool, authorize)

/** The caller, or nothing when a refusal was sent. */
const authenticate = async (
  request: FastifyRequest,
  reply: FastifyReply,
  scope?: string
): Promise<Caller | undefined> => {
  const { headers, outcome } = await admit(request.ip, request.headers.authorization, scope)
  reply.headers(headers)
  if ("refused" in outcome) {
    const { code, error, status } = outcome.refused
    reply.code(status).send({ success: false, error, code })
    return undefined
  }
  return outcome
}

// --- counties ---

interface CountyRow {
  readonly county_fips: string
  readonly state: string | null
}

let counties: { readonly readAt: number; readonly rows: Promise<Array<CountyRow>> } | undefined

const countyTable = (): Promise<Array<CountyRow>> => {
  if (counties === undefined || Date.now() - counties.readAt > 10_000) {
    const rows = pool.query<CountyRow>("SELECT county_fips, state FROM county ORDER BY county_fips").then(({ rows }) =>
      rows
    )
    counties = { readAt: Date.now(), rows }
  }
  return counties.rows
}

const stateFips: Readonly<Record<string, string>> = { TX: "48", CA: "06", FL: "12", NY: "36", IL: "17" }

const inArea = (fips: string, states: Array<string>, single: Array<string>): boolean =>
  single.includes(fips) || states.some((state) => stateFips[state] === fips.slice(0, 2))

const scopeOf = (profile: Profile, table: Array<CountyRow>, asked: Array<string> | undefined) => {
  const { county_fips, whole_state_abbrs } = profile.serviceable_area
  const own = table.filter((county) => inArea(county.county_fips, whole_state_abbrs, county_fips))
  const searched = asked === undefined ? own : own.filter((county) => asked.includes(county.county_fips))
  const states = new Set(searched.flatMap(({ state }) => state ?? []))
  return { scoped: true, countyCount: searched.length, states: [...states].sort() }
}

// --- rows ---

interface SearchRow {
  readonly id: string | null
  readonly countyFips: string
  readonly researchedAt: string | null
  readonly hasManagementCompany: boolean
  readonly hasBeneficialOwner: boolean
  readonly contacts: number
  readonly withEmail: number
  readonly withPhone: number
  readonly withLinkedin: number
  readonly roleTypes: Array<string>
  readonly unlocked: boolean
  readonly sort_value?: string | number | null
  readonly categories?: Array<[string | null, number]> | null
  readonly [column: string]: unknown
}

const shape = (row: SearchRow, { entitlement, features }: Profile) => {
  const covered = entitlement.nationwide || inArea(row.countyFips, entitlement.state_abbrs, entitlement.county_fips)
  const researched = row.researchedAt !== null
  const said: Array<string> = []
  if (row.contacts > 0) said.push(`${row.contacts} contact${row.contacts === 1 ? "" : "s"}`)
  if (row.contacts > 0 && row.withEmail > 0) said.push(`${row.withEmail} with email`)
  if (row.hasManagementCompany) said.push("property manager on file")
  if (row.hasBeneficialOwner) said.push("beneficial owner on file")
  return {
    id: row.id,
    key: row["key"],
    address: row["address"],
    city: row["city"],
    state: row["state"],
    zip: row["zip"],
    county: row["county"],
    countyFips: row.countyFips,
    lat: row["lat"],
    lon: row["lon"],
    owner: row["recordOwner"],
    commonName: features.common_names ? row["commonName"] : null,
    nameLocked: !features.common_names,
    assetCategory: row["assetCategory"],
    assetSubcategory: row["assetSubcategory"],
    buildingSqft: row["buildingSqft"],
    lotSqft: row["lotSqft"],
    numFloors: row["numFloors"],
    totalUnits: row["totalUnits"],
    yearBuilt: row["yearBuilt"],
    propertyValue: features.premium_values ? row["totalParval"] : null,
    premiumDataRedacted: !features.premium_values,
    contactCount: row.contacts,
    enrichmentStatus: row["enrichmentStatus"],
    researchState: !researched ? "none" : row.unlocked || covered ? "revealed" : "locked",
    coveredByPlan: covered,
    teaser: {
      contacts: row.contacts,
      withEmail: row.withEmail,
      withPhone: row.withPhone,
      withLinkedin: row.withLinkedin,
      roleTypes: row.roleTypes,
      hasManagementCompany: row.hasManagementCompany,
      hasBeneficialOwner: row.hasBeneficialOwner,
      summary: said.length === 0 ? null : said.join(", ")
    }
  }
}

// --- search ---

interface SearchBody {
  readonly query?: string
  readonly filters?: { readonly countyFips?: Array<string> }
  readonly limit?: number
  readonly offset?: number
  readonly sortBy?: string
  readonly sortOrder?: "asc" | "desc"
}

const texts = { type: "array", minItems: 1, maxItems: 50, items: { type: "string", minLength: 1, maxLength: 200 } }
const size = { type: "integer", minimum: 0, maximum: 2_147_483_647 }
const latitude = { type: "number", minimum: -90, maximum: 90 }
const longitude = { type: "number", minimum: -180, maximum: 180 }
const bodySchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    query: { type: "string", maxLength: 400 },
    bounds: {
      type: "object",
      additionalProperties: false,
      required: ["north", "south", "east", "west"],
      properties: { north: latitude, south: latitude, east: longitude, west: longitude }
    },
    filters: {
      type: "object",
      additionalProperties: false,
      properties: {
        countyFips: { ...texts, items: { type: "string", pattern: "^[0-9]{5}$" } },
        zipCodes: { ...texts, maxItems: 200, items: { type: "string", pattern: "^[0-9]{5}$" } },
        cities: texts,
        categories: texts,
        minBuildingSqft: size,
        maxBuildingSqft: size,
        minLotSqft: size,
        minYearBuilt: size
      }
    },
    limit: { type: "integer", minimum: 1, maximum: 200 },
    offset: { type: "integer", minimum: 0, maximum: 10_000 },
    sortBy: { type: "string" },
    sortOrder: { enum: ["asc", "desc"] },
    verbosity: { enum: ["compact"] }
  }
}

const ascending = new Set(["commonName", "ownerName", "address", "city", "owner"])

const cursorOf = (payload: object): string => {
  const body = Buffer.from(JSON.stringify(payload)).toString("base64url")
  return `${body}.${createHmac("sha256", "made up for the benchmark").update(body).digest("base64url")}`
}

const app = Fastify({ trustProxy: "127.0.0.1", ajv: { customOptions: { removeAdditional: false } } })

app.get("/v1/me", async (request, reply) => {
  const caller = await authenticate(request, reply)
  if (caller === undefined) return reply
  const { profile, row } = caller
  return {
    success: true,
    data: { org_id: profile.org_id, credential_id: row.key_id, scopes: row.key_scopes, label: row.key_label }
  }
})

app.post<{ Body: SearchBody }>("/v1/properties/search", { schema: { body: bodySchema } }, async (request, reply) => {
  const caller = await authenticate(request, reply, "data:read")
  if (caller === undefined) return reply
  const { body } = request
  const { profile } = caller
  const statement = searches[JSON.stringify(body)]
  if (statement === undefined) return reply.code(400).send({ success: false, error: "Not a request of the workload." })
  const [{ rows }, table] = await Promise.all([
    pool.query<SearchRow>({ text: statement.text, values: [...statement.parameters] }),
    countyTable()
  ])
  const field = body.sortBy ?? "relevance"
  const sorted_by = { field, direction: body.sortOrder ?? (ascending.has(field) ? "asc" : "desc") }
  const limit = body.limit ?? 50
  // One row more than the page tells whether there is another; a row of nulls carries the counts of an empty page.
  const page = rows.filter(({ id }) => id !== null).slice(0, limit)
  const last = page.at(-1)
  const results = page.map((row) => shape(row, profile))
  const cursorAfter = ({ id, sort_value: value }: SearchRow) =>
    cursorOf({ org: profile.org_id, query: body.query, sorted_by, value, id, at: Date.now() })
  if (body.query !== undefined) {
    const has_more = last !== undefined && rows.length > limit
    return {
      success: true,
      data: {
        results,
        has_more,
        next_cursor: has_more ? cursorAfter(last) : null,
        sorted_by,
        searched_scope: scopeOf(profile, table, undefined)
      }
    }
  }
  const categories = rows[0]?.categories ?? []
  const total_matching = categories.reduce((sum, [, count]) => sum + count, 0)
  const reached = (body.offset ?? 0) + results.length
  const has_more = last !== undefined && reached < total_matching
  return {
    success: true,
    data: {
      results,
      has_more,
      next_cursor: has_more
        ? cursorAfter(last)
        : null,
      next_offset: has_more ? reached : null,
      total_matching,
      category_breakdown: categories.map(([category, count]) => ({ category, count })),
      sorted_by,
      searched_scope: scopeOf(profile, table, body.filters?.countyFips)
    }
  }
})

process.once("SIGTERM", () => {
  app.close().then(() => pool.end()).finally(() => process.exit(0))
})
const address = await app.listen({ host: "127.0.0.1", port: 0 })
process.stdout.write(`listening on ${address}/v1\n`)

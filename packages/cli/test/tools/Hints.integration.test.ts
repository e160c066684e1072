/**
 * Every tool over PostgreSQL: its hints by what is stored (all rows of all tables before and after a call), and that it means
 * the same by an id in capitals and by a property's id or key. The caller is a member behind an assistant, who may use what a
 * key may not.
 *
 * One walk: what a tool is asked is about what those before it made (`EveryTool.ts`), so the calls keep their order.
 */
import type { Tool } from "@freehold/mcp-host/Tools"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { calls, type Told } from "../../testing/EveryTool.ts"
import { demoKey, demonstrationDatabase, settings } from "../DemonstrationDatabase.ts"
import { serve, type Server } from "../Freehold.ts"
import type { FurnishedDatabase } from "../FurnishedDatabase.ts"
import { type Issuer, startIssuer } from "../Issuer.ts"
import { type Change, propertyIds, type StoredRows, watch } from "../StoredRows.ts"
import { callTool } from "./McpCall.ts"

/** What is counted of what is read: people who were shown, and the day's limits. */
const ofReading: ReadonlySet<string> = new Set(["public.contact_disclosed", "public.daily_use"])

let database: FurnishedDatabase
let issuer: Issuer
let server: Server
let stored: StoredRows
let person: string
let key: string
let idOf: ReadonlyMap<string, string>

beforeAll(async () => {
  database = await demonstrationDatabase(settings)
  issuer = await startIssuer(() => `${server.url}/mcp`)
  server = await serve(["--no-worker"], { ...settings, DATABASE_URL: database.url, OAUTH_ISSUER: issuer.url })
  issuer.know("ada", { email: "ada@demo.example", email_verified: true })
  person = await issuer.token("ada", { scope: "mcp pipeline:transitions_full" })
  key = await demoKey()
  idOf = await propertyIds(database.url)
  // What a first sign-in stores is no tool's doing.
  await callTool(server.url, person, "service_get_price_sheet", {})
  await callTool(server.url, key, "service_get_price_sheet", {})
  stored = await watch(database.url)
})

afterAll(async () => {
  await server?.stop()
  await issuer?.close()
  await database?.drop()
})

/** Of an account, its money: counting moves its revision on. */
const withoutRevision = (rows: ReadonlyArray<string>): string =>
  JSON.stringify(rows.map((row) => ({ ...JSON.parse(row), revision: 0 })))

const isCount = ({ come, gone, table }: Change): boolean =>
  ofReading.has(table) || table === "public.credit_account" && withoutRevision(come) === withoutRevision(gone)

/** What a call changed, beside what is counted. */
const changes = async (): Promise<ReadonlyArray<Change>> => (await stored.look()).filter((change) => !isCount(change))

const fewer = ({ come, gone }: Change): boolean => come.length < gone.length

const seen: Record<string, Told> = {}

const ask = ({ operation: { access }, published: { name } }: Tool, input: object): Promise<Told> =>
  callTool(server.url, access.person === "refused" ? key : person, name, input)

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The same arguments with every id in capitals, and every property by its id. */
const otherwise = (input: object): object =>
  JSON.parse(JSON.stringify(input, (_, value: unknown) => {
    if (typeof value !== "string") return value
    const id = idOf.get(value) ?? value
    return uuid.test(id) ? id.toUpperCase() : id
  }))

/** What moves on by itself, or with every request. */
const moving: ReadonlySet<string> = new Set(["rate_limits", "quote_expires_at"])

/** What is told, whichever way its arguments were put. */
const meant = (told: Told): unknown =>
  JSON.parse(JSON.stringify(told, (name, value: unknown) => {
    if (moving.has(name)) return undefined
    return typeof value === "string" ? idOf.get(value) ?? value.toLowerCase() : value
  }))

describe("by all tables before and after", { shuffle: false }, () => {
  it.each(calls.map((call) => ({ ...call, name: call.tool.published.name })))(
    "the hints of $name are true, and it knows ids in capitals and properties by id",
    async ({ input, name, tool }) => {
      const { destructiveHint, idempotentHint, readOnlyHint } = tool.published.annotations
      const given = input(seen)
      const told = seen[name] = await ask(tool, given)
      assert.notProperty(told, "code", JSON.stringify(told))
      const made = await changes()
      if (readOnlyHint) assert.deepStrictEqual(made, [])
      // What may be paid for may be answered for nothing, too.
      if (tool.operation.effect === "write") assert.isNotEmpty(made)
      if (!destructiveHint) assert.deepStrictEqual(made.filter(fewer), [])

      // What spends anew with every call is asked for its price.
      const again = idempotentHint || tool.operation.effect !== "spend" ? given : { ...given, maxCredits: 0 }
      const [once, twice] = [await ask(tool, again), await ask(tool, otherwise(again))]
      const more = await changes()
      if (!idempotentHint) return assert.strictEqual(twice.code, once.code)
      assert.deepStrictEqual(more, [])
      assert.deepStrictEqual(meant(twice), meant(once))
    }
  )
})

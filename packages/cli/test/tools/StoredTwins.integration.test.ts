/**
 * REST and the tools, by their tables: two databases that are alike, one asked over REST and one by tools, answer the same and
 * store the same. What REST has no endpoint for is called as a tool in both, so that they go on alike.
 *
 * One walk: what is asked is about what those before it made (`EveryTool.ts`), so the calls keep their order.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { calls, type Told } from "../../testing/EveryTool.ts"
import { demoKey, demonstrationDatabase, settings } from "../DemonstrationDatabase.ts"
import { serve, type Server } from "../Freehold.ts"
import { type FurnishedDatabase, sameAgain } from "../FurnishedDatabase.ts"
import { type Change, propertyIds, type StoredRows, watch } from "../StoredRows.ts"
import { callTool } from "./McpCall.ts"
import { requestOf, routeOf, shownOf } from "./RestTwin.ts"

interface Door {
  readonly database: FurnishedDatabase
  readonly server: Server
  readonly stored: StoredRows
  readonly seen: Record<string, Told>
}

/**
 * What a tool alone tells, since its reader asks what to do next and has to know people's text from others; what each request
 * counts; and cursors, which hold moments.
 */
const apart: ReadonlySet<string> = new Set([
  "opens",
  "credits_remaining",
  "user_content",
  "rate_limits",
  "next_cursor"
])

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

const began = Date.now()

let key: string
let known: ReadonlySet<string>
let idOf: ReadonlyMap<string, string>
let tools: Door
let rest: Door

const open = async (database: FurnishedDatabase): Promise<Door> => ({
  database,
  server: await serve(["--no-worker"], { ...settings, DATABASE_URL: database.url }),
  stored: await watch(database.url),
  seen: {}
})

beforeAll(async () => {
  const first = await demonstrationDatabase(settings)
  const second = await sameAgain(first.url)
  key = await demoKey()
  idOf = await propertyIds(first.url)
  tools = await open(first)
  rest = await open(second)
  known = new Set(tools.stored.first.flatMap((row) => row.match(uuid) ?? []))
})

afterAll(async () => {
  for (const door of [tools, rest]) {
    await door?.server.stop()
    await door?.database.drop()
  }
})

/** With every property by its id: REST takes keys in fewer places. */
const byId = (input: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(input, (_, value: unknown) => typeof value === "string" ? idOf.get(value) ?? value : value))

/** Without ids that were made, and moments that passed, since the beginning. */
const alike = (text: string): string =>
  text
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "server")
    .replaceAll(uuid, (id) => known.has(id) ? id : "made")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g, (moment) =>
      Date.parse(moment) < began ? moment : "moment")

const comparable = (told: Told): unknown =>
  JSON.parse(alike(JSON.stringify(told, (name, value: unknown) => apart.has(name) ? undefined : value)))

const rowsOf = (changes: ReadonlyArray<Change>) =>
  changes.map(({ come, gone, table }) => ({ table, gone: gone.map(alike).sort(), come: come.map(alike).sort() }))

const throughRest = async (method: string, path: string, body: object | undefined): Promise<Told> => {
  const response = await fetch(`${rest.server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...body === undefined ? {} : { "content-type": "application/json" } },
    ...body === undefined ? {} : { body: JSON.stringify(body) }
  })
  return response.json()
}

/** What a key may do. */
const shared = calls.filter(({ tool: { operation: { access } } }) => access.person !== "required")

describe("the same by REST and by tools, and the same stored", { shuffle: false }, () => {
  it.each(shared.map((call) => ({ ...call, name: call.tool.published.name })))(
    "$name",
    async ({ input, name, tool }) => {
      const route = routeOf(tool)
      const told = tools.seen[name] = await callTool(tools.server.url, key, name, byId(input(tools.seen)))
      if (route === undefined) {
        rest.seen[name] = await callTool(rest.server.url, key, name, byId(input(rest.seen)))
        assert.deepStrictEqual(comparable(rest.seen[name]), comparable(told))
      } else {
        const request = requestOf(route, byId(input(rest.seen)))
        const answered = await throughRest(request.method, request.path, request.body)
        assert.strictEqual(answered.success, told.code === undefined, JSON.stringify([answered, told]))
        rest.seen[name] = answered.data
        assert.deepStrictEqual(comparable(answered.data), comparable(shownOf(route, told)))
      }
      assert.deepStrictEqual(rowsOf(await rest.stored.look()), rowsOf(await tools.stored.look()))
    }
  )
})

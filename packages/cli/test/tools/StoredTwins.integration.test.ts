/**
 * REST and the tools, by their tables: two databases that are alike, one asked over REST and one by tools, answer the same and
 * store the same, page by page, and refuse the same. What REST has no endpoint for is called as a tool in both, so that they go on
 * alike.
 *
 * One walk: what is asked is about what those before it made (`EveryTool.ts`), so the calls keep their order.
 */
import type { Route } from "@freehold/http-host/Routes"
import type { Tool } from "@freehold/mcp-host/Tools"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as DemoRecords from "../../src/demo/DemoRecords.ts"
import { type Call, calls, type Told } from "../../testing/EveryTool.ts"
import { demoKey, demonstrationDatabase, settings } from "../DemonstrationDatabase.ts"
import { serve, type Server } from "../Freehold.ts"
import { type FurnishedDatabase, sameAgain } from "../FurnishedDatabase.ts"
import { type Change, propertyIds, type StoredRows, watch } from "../StoredRows.ts"
import { callTool } from "./McpCall.ts"
import { codeOf, requestOf, routeOf, shownOf } from "./RestTwin.ts"

interface Door {
  readonly database: FurnishedDatabase
  readonly server: Server
  readonly stored: StoredRows
  readonly seen: Record<string, Told>
}

/**
 * What a tool alone tells, since its reader asks what to do next and has to know people's text from others; what each request
 * counts; and cursors, which hold moments: they are followed.
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

const overRest = (route: Route, input: object): Promise<Told> => {
  const { body, method, path } = requestOf(route, byId(input))
  return throughRest(method, path, body)
}

const asTool = ({ published: { name } }: Tool, input: object): Promise<Told> =>
  callTool(tools.server.url, key, name, byId(input))

/** As much of an answer of REST as the tool shows. */
const asShown = (tool: Tool, answered: Told): unknown => comparable(tool.show(answered.data))

/** More are alike too. */
const pages = 3

/** Pages of one row each, by the cursors of each door: the same rows, and the same end. */
const follow = async ({ input, tool }: Call, route: Route): Promise<void> => {
  let [ofTool, ofRest]: ReadonlyArray<object> = [{}, {}]
  for (let page = 1; page <= pages; page++) {
    const told = await asTool(tool, { ...input(tools.seen), limit: 1, ...ofTool })
    const { data } = await overRest(route, { ...input(rest.seen), limit: 1, ...ofRest })
    const next = told.next_cursor
    assert.deepStrictEqual(asShown(tool, { data }), comparable(shownOf(route, told)))
    assert.strictEqual(typeof data.next_cursor, typeof next)
    if (page === 1) assert.isString(next, "one page of it shows nothing")
    if (next === null) return
    ;[ofTool, ofRest] = [{ cursor: next }, { cursor: data.next_cursor }]
  }
}

const nowhere = "00000000-0000-4000-8000-000000000000"

const beyond = DemoRecords.make().properties.find(({ countyFips }) => countyFips === DemoRecords.outside.fips)?.["key"]

/** The same with each id for another one. */
const withIds = (value: unknown, other: (id: string) => string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(uuid, other))

/** The call with one thing wrong, by what is wrong. */
const mistaken = (
  tool: Tool,
  route: Route,
  input: Readonly<Record<string, unknown>>
): Readonly<Record<string, object>> => {
  const places = new Set(idOf.values())
  const required = new Set<unknown>([tool.published.inputSchema["required"]].flat())
  const outside = idOf.get(String(beyond)) ?? nowhere
  const wrong: Record<string, object> = { "an argument that is none": { ...input, nonsense: "x" } }
  for (const [name, value] of Object.entries(input)) {
    const text = JSON.stringify(value)
    if (!Object.values(route.parameters).includes(name) && required.has(name)) {
      wrong[`no ${name}`] = { ...input, [name]: undefined }
    }
    if (text.match(uuid) !== null) {
      wrong[`an unknown ${name}`] = { ...input, [name]: withIds(value, () => nowhere) }
    }
    if (text.match(uuid)?.some((id) => places.has(id)) === true) {
      wrong[`${name} outside the area`] = { ...input, [name]: withIds(value, () => outside) }
    }
  }
  return wrong
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
        const answered = await overRest(route, input(rest.seen))
        assert.strictEqual(answered.success, told.code === undefined, JSON.stringify([answered, told]))
        rest.seen[name] = answered.data
        assert.deepStrictEqual(asShown(tool, answered), comparable(shownOf(route, told)))
        if (Object.hasOwn(tool.published.inputSchema.properties, "cursor")) await follow({ tool, input }, route)
      }
      assert.deepStrictEqual(rowsOf(await rest.stored.look()), rowsOf(await tools.stored.look()))
    }
  )

  const routed = shared.flatMap((call) => {
    const route = routeOf(call.tool)
    return route === undefined ? [] : [{ ...call, route, name: call.tool.published.name }]
  })

  it.each(routed)("refused: $name", async ({ input, name, route, tool }) => {
    const [ofTool, ofRest] = [tools, rest].map(({ seen }) => mistaken(tool, route, byId(input(seen))))
    const codes: Array<string> = []
    for (const [wrong, arguments_] of Object.entries(ofTool ?? {})) {
      const told = await asTool(tool, arguments_)
      const answered = await overRest(route, ofRest?.[wrong] ?? {})
      const what = `${name}, ${wrong}: ${JSON.stringify([told, answered])}`
      assert.strictEqual(answered.success, told.code === undefined, what)
      if (told.code === undefined) continue
      codes.push(told.code)
      assert.strictEqual(answered.meta?.code, codeOf(route, told.code), what)
    }
    assert.include(codes, "INVALID_ARGUMENTS")
    assert.deepStrictEqual(rowsOf(await rest.stored.look()), rowsOf(await tools.stored.look()))
  })
})

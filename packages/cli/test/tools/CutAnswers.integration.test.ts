/** Answers that are too long, over the records of the demonstration: cut close below the limit, and paged without a gap. */
import { maximumTokens } from "@freehold/mcp-host/Truncation"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as DemoRecords from "../../src/demo/DemoRecords.ts"
import type { Told } from "../../testing/EveryTool.ts"
import { demoKey, demonstrationDatabase, settings } from "../DemonstrationDatabase.ts"
import { run, serve, type Server } from "../Freehold.ts"
import type { FurnishedDatabase } from "../FurnishedDatabase.ts"
import { ndjson } from "../Sample.ts"
import { callTool } from "./McpCall.ts"

let database: FurnishedDatabase
let server: Server
let key: string

beforeAll(async () => {
  database = await demonstrationDatabase(settings)
  server = await serve(["--no-worker"], { ...settings, DATABASE_URL: database.url })
  key = await demoKey()
})

afterAll(async () => {
  await server?.stop()
  await database?.drop()
})

/** Kept for the cursor of a page that is read anew. */
const tokensOfCursor = 60

/** Those that the demonstration sees. */
const filters = { countyFips: ["53901", "53903"] }

/** What each row is, and how many there are, where the answer says it. */
interface Page {
  readonly rows: ReadonlyArray<string>
  readonly total: number
}

/** All rows by pages that are as long as they may be, each of which has no room for one row more where it was cut. */
const readThrough = async (name: string, input: object, pageOf: (told: Told) => Page) => {
  const shown: Array<string> = []
  let total: number | undefined
  let cuts = 0
  for (let cursor: string | null | undefined; cursor !== null;) {
    const told = await callTool(server.url, key, name, {
      ...input,
      limit: 200,
      ...cursor === undefined ? {} : { cursor }
    })
    assert.notProperty(told, "code", JSON.stringify(told))
    const tokens = encode(JSON.stringify(told)).length
    assert.isAtMost(tokens, maximumTokens)
    if (told.truncated === true) {
      cuts += 1
      const longest = Math.max(
        ...told[told.truncation.list].map((row: object) => encode(JSON.stringify(row)).length)
      )
      assert.isAbove(tokens + longest, maximumTokens - tokensOfCursor)
    }
    const page = pageOf(told)
    total ??= page.total
    shown.push(...page.rows)
    cursor = told.next_cursor
  }
  assert.lengthOf(shown, total ?? 0)
  assert.isAbove(cuts, 0)
  return shown
}

describe.each(["compact", "full"])("a search of the longest pages, %s", (verbosity) => {
  it("shows every row once, on pages that one more row would make too long", async () => {
    const shown = await readThrough("service_search_properties", { filters, verbosity }, (told) => ({
      rows: told.results.map(({ id }: { readonly id: string }) => id),
      total: told.total_matching
    }))
    assert.strictEqual(new Set(shown).size, shown.length)
  })
})

describe("people with long titles", () => {
  it("are shown once each, on pages that one more would make too long", async () => {
    const properties = DemoRecords.make().properties.filter(({ countyFips }) => countyFips === DemoRecords.visible.fips)
    const people = Array.from({ length: 300 }, (_, index) => ({
      key: `long:${index}`,
      roleType: "regional_manager",
      fullName: `Sample Person ${index}`,
      title:
        `Regional Manager of Facilities, Roofs and Grounds (${index}), of the Northern and Western Portfolio, Offices and Warehouses`,
      employerName: `Sample Property Management and Maintenance of the Northern Counties ${index} LLC`,
      properties: [{ propertyKey: properties[index]?.["key"], role: "regional_manager", relationshipStatus: "current" }]
    }))
    const { code, stderr } = await run(
      ["import", "contacts", "-"],
      { ...settings, DATABASE_URL: database.url },
      ndjson(people)
    )
    assert.strictEqual(code, 0, stderr)
    const shown = await readThrough("service_browse_contacts", { roleType: "regional_manager" }, (told) => ({
      rows: told.contacts.map(({ contact_id: id }: { readonly contact_id: string }) => id),
      total: told.total_matching
    }))
    assert.isAtLeast(shown.length, people.length)
    assert.strictEqual(new Set(shown).size, shown.length)
  })
})

/** Answers that are too long, over the records of the demonstration: cut close below the limit, and paged without a gap. */
import { maximumTokens } from "@freehold/mcp-host/Truncation"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Told } from "../../testing/EveryTool.ts"
import { demoKey, demonstrationDatabase, settings } from "../DemonstrationDatabase.ts"
import { serve, type Server } from "../Freehold.ts"
import type { FurnishedDatabase } from "../FurnishedDatabase.ts"
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

describe.each(["compact", "full"])("a search of the longest pages, %s", (verbosity) => {
  it("shows every row once, on pages that one more row would make too long", async () => {
    const shown: Array<string> = []
    let total: number | undefined
    let cuts = 0
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Told = await callTool(server.url, key, "service_search_properties", {
        filters,
        verbosity,
        limit: 200,
        ...cursor === undefined ? {} : { cursor }
      })
      assert.notProperty(page, "code", JSON.stringify(page))
      const tokens = encode(JSON.stringify(page)).length
      assert.isAtMost(tokens, maximumTokens)
      if (page.truncated === true) {
        cuts += 1
        const longest = Math.max(...page.results.map((row: object) => encode(JSON.stringify(row)).length))
        assert.isAbove(tokens + longest, maximumTokens - tokensOfCursor)
      }
      total ??= page.total_matching
      shown.push(...page.results.map(({ id }: { readonly id: string }) => id))
      cursor = page.next_cursor
    }
    assert.lengthOf(shown, total ?? 0)
    assert.strictEqual(new Set(shown).size, shown.length)
    assert.isAbove(cuts, 0)
  })
})

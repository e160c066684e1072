/** Lots of more square feet than an integer holds, from the import to the pages of a search. */
import { assert, test } from "vitest"
import { runJson, serve } from "../Freehold.ts"
import { ndjson, properties, sampleDatabase, secret } from "../Sample.ts"

const ranch = 35_937_000_000
const forest = 2_147_483_648

type Lot = readonly [key: string, lotSqft: number]

test("a lot of any size is loaded, shown, and sorted behind the largest others", async () => {
  const { drop, env } = await sampleDatabase()
  const [first = "", second = "", third = ""] = properties.map(({ key }) => key)
  const server = await serve([], env)
  const call = async (path: string, body?: object) => {
    const response = await fetch(`${server.url}${path}`, {
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      ...body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
    })
    const answer: ReturnType<typeof JSON.parse> = await response.json()
    assert.isTrue(answer.success, JSON.stringify(answer))
    return answer.data
  }
  const load = (key: string, lotSqft: number) =>
    runJson(["import", "properties", "-"], env, ndjson([{ key, countyFips: "53903", lotSqft }]))
  /** Page by page. */
  const sorted = async (sortOrder: string, filters: object = {}) => {
    const found: Array<Lot> = []
    let cursor: string | null = null
    do {
      const page = await call("/properties/search", {
        filters: { countyFips: ["53903"], ...filters },
        sortBy: "lotSqft",
        sortOrder,
        limit: 1,
        ...cursor === null ? {} : { cursor }
      })
      for (const { key, lotSqft } of page.results) found.push([key, lotSqft])
      cursor = page.next_cursor
    } while (cursor !== null)
    return found
  }
  try {
    assert.containSubset(await load(first, ranch), { updated: 1 })
    assert.containSubset(await load(first, ranch), { unchanged: 1 })
    assert.containSubset(await load(second, forest), { updated: 1 })
    assert.containSubset(await load(third, 43_560), { updated: 1 })
    assert.strictEqual((await call(`/properties/${first}`)).property.lotSqft, ranch)
    const large: Array<Lot> = [[first, ranch], [second, forest]]
    const down = await sorted("desc")
    assert.sameDeepMembers(down.slice(0, 2), large)
    assert.deepStrictEqual(down.slice(2), [[third, 43_560]])
    assert.sameDeepMembers((await sorted("asc")).slice(1), large)
    assert.sameDeepMembers(await sorted("asc", { minLotSqft: 1_000_000_000 }), large)
    assert.deepStrictEqual(await sorted("asc", { maxLotSqft: 1_000_000_000 }), [[third, 43_560]])

    assert.containSubset(await load(first, forest), { updated: 1 })
    assert.strictEqual((await call(`/properties/${first}`)).property.lotSqft, forest)
    assert.containSubset(await load(first, 12_000), { updated: 1 })
    assert.strictEqual((await call(`/properties/${first}`)).property.lotSqft, 12_000)
    assert.containSubset(await runJson(["audit"], env), { ok: true })
  } finally {
    await server.stop()
    await drop()
  }
})

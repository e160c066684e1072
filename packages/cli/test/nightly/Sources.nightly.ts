/**
 * A million rows from a portal, in memory that does not grow with them. FREEHOLD_SOURCE_ROWS sets another number.
 *
 * The high-water mark of the process is read at every page that it asks for, so that no moment is missed.
 */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { assert, test } from "vitest"
import { run, runJson, start } from "../Freehold.ts"
import { freshDatabase } from "../FreshDatabase.ts"

const rows = Number(process.env["FREEHOLD_SOURCE_ROWS"] ?? "1000000")

const mostMegabytes = 400

const idOf = (number: number): string => `row-${String(number).padStart(9, "0")}`

const rowOf = (number: number) => ({
  ":id": idOf(number),
  ":updated_at": "2026-01-01T00:00:00.000Z",
  number: String(number),
  street: `${number} Nonesuch Avenue`,
  owner: `Owner ${number % 5000} LLC`,
  area: String(1000 + number % 9000)
})

/** What the process had at most so far. */
const peakOf = (pid: number): number => {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kilobytes ?? 0) / 1024
}

test.runIf(process.platform === "linux")(
  "a million rows are synced within 400 MB, and again without writing one",
  async () => {
    const database = await freshDatabase()
    let watched = 0
    let peak = 0
    const server = createServer((request, response) => {
      if (watched !== 0) peak = Math.max(peak, peakOf(watched))
      const url = new URL(request.url ?? "/", "http://portal.example")
      const after = /:id > 'row-(\d+)'/.exec(url.searchParams.get("$where") ?? "")?.[1]
      const first = after === undefined ? 1 : Number(after) + 1
      const last = Math.min(rows, first + Number(url.searchParams.get("$limit")) - 1)
      const page = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => rowOf(first + index))
      response.writeHead(200, {
        "content-type": "application/json",
        "x-soda2-fields": JSON.stringify([":id", ":updated_at", "number", "street", "owner", "area"])
      }).end(JSON.stringify(page))
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("no port")
    const env = {
      DATABASE_URL: database.url,
      FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 3).toString("base64"),
      FREEHOLD_SOURCE_TARGETS: "any"
    }
    const document = {
      name: "million",
      title: "Parcels (made up)",
      publisher: "nobody",
      licence: "public domain",
      attribution: "made up",
      kind: "soda",
      address: `http://127.0.0.1:${address.port}/resource/abcd-1234`,
      rate: 1000,
      map: {
        key: "million:{number}",
        fields: { countyFips: { const: "53903" }, address: "street", recordOwner: "owner", lotSqft: "area" }
      }
    }
    try {
      const added = await run(["source", "add", "-"], env, JSON.stringify(document))
      assert.strictEqual(added.code, 0, added.stderr)
      const syncing = start(["source", "sync", "million", "--json"], env)
      watched = syncing.pid ?? 0
      let output = ""
      syncing.stdout?.on("data", (chunk: Buffer) => {
        output += chunk.toString()
      })
      const loading = setInterval(() => {
        if (syncing.exitCode === null) peak = Math.max(peak, peakOf(watched))
      }, 1000)
      await once(syncing, "close")
      clearInterval(loading)
      watched = 0
      assert.containSubset(JSON.parse(output), { state: "done", read: rows, inserted: rows })
      console.log(`${rows} rows: at most ${Math.round(peak)} MB`)
      assert.isBelow(peak, mostMegabytes)
      assert.containSubset(await runJson(["source", "sync", "million"], env), {
        state: "done",
        inserted: 0,
        changed: 0
      })
    } finally {
      server.close()
      await database.drop()
    }
  },
  3_600_000
)

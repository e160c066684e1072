/**
 * A million rows from a portal, in memory that does not grow with them. FREEHOLD_SOURCE_ROWS sets another number.
 *
 * What counts is all that the command takes of its machine: its own process, the PostgreSQL that it brings along with every
 * connection, and that one's guard; what they share counts once. How much memory PostgreSQL keeps pages in goes by the machine,
 * so it is set small here. It is looked at at every page that is asked for, and four times a second.
 */
import { memoryOf } from "@freehold/cli/testing/availability/ProcessTree"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, test } from "vitest"
import { main, run, start } from "../Freehold.ts"

const rows = Number(process.env["FREEHOLD_SOURCE_ROWS"] ?? "1000000")

const mostMegabytes = 400

/** What people start, which chooses how much memory Node takes before it collects. */
const published = join(dirname(main), "../bin/start.cjs")

const idOf = (number: number): string => `row-${String(number).padStart(9, "0")}`

const rowOf = (number: number) => ({
  ":id": idOf(number),
  ":updated_at": "2026-01-01T00:00:00.000Z",
  number: String(number),
  street: `${number} Nonesuch Avenue`,
  owner: `Owner ${number % 5000} LLC`,
  area: String(1000 + number % 9000)
})

test.runIf(process.platform === "linux")(
  "a million rows are synced within 400 MB, and again without writing one",
  async () => {
    const dataDirectory = mkdtempSync(join(tmpdir(), "freehold-million-"))
    const syncing: { pid: number | undefined } = { pid: undefined }
    let peak = 0
    const look = () => {
      if (syncing.pid !== undefined) peak = Math.max(peak, memoryOf(syncing.pid, dataDirectory) / 2 ** 20)
    }
    const server = createServer((request, response) => {
      look()
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
      FREEHOLD_DATA_DIR: dataDirectory,
      FREEHOLD_POSTGRES_TUNING: "shared_buffers=32MB,work_mem=4MB",
      FREEHOLD_SOURCE_TARGETS: "any"
    }
    const sync = async () => {
      const child = start(["source", "sync", "million", "--json"], env, published)
      syncing.pid = child.pid
      let output = ""
      child.stdout?.on("data", (chunk: Buffer) => {
        output += chunk.toString()
      })
      const watch = setInterval(look, 250)
      await once(child, "close")
      clearInterval(watch)
      syncing.pid = undefined
      // Of any shape: what it has is what is asserted.
      const told: ReturnType<typeof JSON.parse> = JSON.parse(output)
      return told
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
      assert.containSubset(await sync(), { state: "done", read: rows, inserted: rows })
      console.log(`${rows} rows: at most ${Math.round(peak)} MB`)
      assert.isBelow(peak, mostMegabytes)
      peak = 0
      assert.containSubset(await sync(), { state: "done", inserted: 0, changed: 0, unchanged: rows })
      console.log(`the same again: at most ${Math.round(peak)} MB`)
      assert.isBelow(peak, mostMegabytes)
    } finally {
      server.close()
      rmSync(dataDirectory, { recursive: true })
    }
  },
  3_600_000
)

/**
 * The ten tasks of `docs/assistants.md`, played over the demonstration by a client of each protocol era: the page stays true.
 *
 * `FREEHOLD_BROKER_TASKS=write` writes the page's table and transcript.
 */
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from "@modelcontextprotocol/client"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { play, type Played, table, transcript } from "../../testing/BrokerTasks.ts"
import { serve } from "../Freehold.ts"

/** The rows of the page's table, without what its spaces line up and without the tokens, which the records' texts move. */
const rowsOf = (lines: ReadonlyArray<string>) =>
  lines.filter((line) => /^\| \d+ +\|/.test(line)).map((line) =>
    line.split("|").map((cell) => cell.trim()).filter((_, column) => column !== 4).join("|")
  )

const path = join(import.meta.dirname, "../../../../docs/assistants.md")

const page = () => readFileSync(path, "utf8").split("\n")

/** The calls of the page's transcript: the ids and cursors in them are of the day on which it was written. */
const callsOf = (lines: ReadonlyArray<string>) =>
  lines.filter((line) => line.startsWith("> service_")).map((line) =>
    line.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id").replace(/"cursor":"[^"]*"/, "")
  )

const begin = "<!-- transcript: written by FREEHOLD_BROKER_TASKS=write -->"
const end = "<!-- end of transcript -->"

const write = (played: ReadonlyArray<Played>): void => {
  const text = readFileSync(path, "utf8")
  const rows = table(played)
  const tabled = text.replaceAll(/^\| (\d+) +\| .*$/gm, (row, number: string) => rows[Number(number) - 1] ?? row)
  const [head, tail] = [tabled.indexOf(begin), tabled.indexOf(end)]
  if (head < 0 || tail < head) throw new Error("docs/assistants.md has no place for the transcript.")
  writeFileSync(path, [tabled.slice(0, head) + begin, "", ...transcript(played), tabled.slice(tail)].join("\n"))
}

describe("ten tasks of a broker", () => {
  it.each<[string, VersionNegotiationMode]>([["2026-07-28", { pin: "2026-07-28" }], ["2025-11-25", "legacy"]])(
    "are played without a wrong turn in %s, as the page says",
    async (_, mode) => {
      const directory = mkdtempSync(join(tmpdir(), "freehold-tasks-"))
      chmodSync(directory, 0o711)
      const server = await serve(["--demo"], { FREEHOLD_DATA_DIR: directory })
      const client = new Client({ name: "broker", version: "1.0.0" }, { versionNegotiation: { mode } })
      try {
        const authorization = `Bearer ${/fhk_[\w-]{43}/.exec(server.output())?.[0]}`
        await client.connect(
          new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
            requestInit: { headers: { authorization } }
          })
        )
        const played = await play(client)
        if (process.env["FREEHOLD_BROKER_TASKS"] === "write") write(played)
        assert.isBelow(played.reduce((sum, { tokens }) => sum + tokens, 0), 15_000)
        assert.deepStrictEqual(rowsOf(table(played)), rowsOf(page()))
        assert.deepStrictEqual(callsOf(transcript(played)), callsOf(page()))
      } finally {
        await client.close()
        await server.stop()
        rmSync(directory, { recursive: true, force: true })
      }
    }
  )
})

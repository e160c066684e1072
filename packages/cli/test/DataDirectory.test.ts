/** The data directory of commands without DATABASE_URL: what is wrong is told before one is made, and where none can be. */
import * as Fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { run } from "./Freehold.ts"

let folder: string

beforeAll(() => {
  folder = Fs.mkdtempSync(join(tmpdir(), "freehold-directory-"))
})

afterAll(() => Fs.rmSync(folder, { recursive: true }))

describe("no database is made", () => {
  const missing = "there is no such file or folder"

  it.each<[args: ReadonlyArray<string>, code: number, said: string]>([
    [["apply", "none.json"], 1, `none.json cannot be read: ${missing}`],
    [["import", "properties", "none.ndjson"], 1, `none.ndjson: cannot be read: ${missing}`],
    [["import", "properties", "none.csv"], 1, `none.csv: cannot be read: ${missing}`],
    [["import", "properties", "none.csv", "--map", "none.json"], 1, `none.json: cannot be read: ${missing}`],
    [["import", "properties", "/"], 1, "/: cannot be read: it is a directory"],
    [["import", "properties", "-", "--rejects", "/none/r"], 1, `/none/r: cannot be written: ${missing}`],
    [
      ["search", "save", "--org", "o", "--by", "b", "--name", "n", "none.json"],
      1,
      `none.json cannot be read: ${missing}`
    ],
    [
      ["crm", "add", "hubspot", "--org", "o", "--stage", "qualified=x", "--credentials-file", "none"],
      1,
      `none cannot be read: ${missing}`
    ],
    [["source", "add", "./none.json"], 1, `./none.json cannot be read: ${missing}`],
    [["source", "add", "nyc-pluto", "--token-file", "none"], 1, `none cannot be read: ${missing}`],
    [["suppress"], 2, "Expected exactly one of --contact, --owner, --property"],
    [["org", "delete", "o"], 2, "Expected exactly one of --export FILE, --no-export"],
    [
      ["firm", "match", "--review", "--all"],
      2,
      "Expected one of --review, --accept or --reject, and a run with --all or --dry-run"
    ],
    [["operator", "sessions", "--revoke", "x", "--revoke-all"], 2, "Expected one of --revoke, --revoke-all"]
  ])("for %j", async (args, code, said) => {
    const directory = join(folder, "never")
    const found = await run(args, { FREEHOLD_DATA_DIR: directory })
    assert.deepStrictEqual(found, { code, stdout: "", stderr: `freehold: ${said}\n` })
    assert.isFalse(Fs.existsSync(directory))
  })
})

describe("a data directory that cannot be", () => {
  const refused = async (args: ReadonlyArray<string>, directory: string) => {
    const { code, stderr, stdout } = await run(args, { FREEHOLD_DATA_DIR: directory })
    assert.deepStrictEqual([code, stdout], [1, ""])
    const start = `freehold: FREEHOLD_DATA_DIR: ${directory} cannot be used: `
    assert.isTrue(stderr.startsWith(start), stderr)
    return stderr.slice(start.length)
  }

  it.each([["serve", "--port", "0"], ["serve", "--port", "0", "--workers", "2"], ["migrate"], ["org", "list"]])(
    "ends %s at once, and is named with the reason",
    async (...args) => {
      // The system lets nobody make a folder there.
      assert.match(await refused(args, "/proc/none"), /^.+\n$/)
    }
  )

  it("is told when it is a file, or below one", async () => {
    const file = join(folder, "file")
    Fs.writeFileSync(file, "")
    assert.strictEqual(await refused(["serve", "--port", "0"], file), "it is no directory\n")
    assert.strictEqual(await refused(["migrate"], join(file, "below")), "a part of its path is no directory\n")
  })
})

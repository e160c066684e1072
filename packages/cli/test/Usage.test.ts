/** How the command answers wrong usage, wrong settings and a database that is away: one line and an exit code. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { closeSync, openSync } from "node:fs"
import { commands, whole } from "./CommandTree.ts"
import { run, runInto, start, textOf } from "./Freehold.ts"

const away = { DATABASE_URL: "postgres://nobody:hidden@127.0.0.1:1/none" }

describe("freehold", () => {
  it("has a description and an example for every command, which calls that command", () => {
    assert.isAbove(commands.length, 80)
    for (const [path, command] of commands) {
      assert.isNotEmpty(command.description, path)
      assert.isNotEmpty(command.examples, path)
      if (path === "" || command.subcommands.length > 0) continue
      assert.isTrue(command.examples.some((example) => example.command.includes(`freehold ${path}`)), path)
    }
  })

  it.each([[], ["org"], ["key", "create"], ["import"]])("explains itself: freehold %j --help", async (...command) => {
    const { code, stderr, stdout } = await run([...command, "--help"], {})
    assert.strictEqual(code, 0, stderr)
    assert.include(stdout, "USAGE")
    assert.include(stdout, "EXAMPLES")
  })

  it.each([
    ["import", "import [flags] <kind> <file>\n  freehold import <subcommand> [flags]"],
    [
      "suppress",
      "suppress (--contact C | --owner NAME | --property P) [flags]\n  freehold suppress <subcommand> [flags]"
    ],
    ["org", "org <subcommand> [flags]"],
    ["org export", "org export [flags] <org>"],
    ["credits grant", "credits grant --org ORG --bucket BUCKET --amount N --ref R [flags]"],
    ["key create", "key create --org ORG --name NAME --scopes A,B [flags]"],
    ["firm match", "firm match [flags]"]
  ])("shows how %s is called, with what is needed", async (command, usage) => {
    const { stdout } = await run([...command.split(" "), "--help"], {})
    assert.include(stdout, `USAGE\n  freehold ${usage}\n\n`)
  })

  it.each(["org export", "key create", "import", "log"])(
    "keeps the help of %s in lines that can be read",
    async (command) => {
      const { stdout } = await run([...command.split(" "), "--help"], {})
      const [help = "", examples = ""] = stdout.split("\n\nEXAMPLES\n")
      for (const line of help.split("\n")) assert.isAtMost(line.length, 100, line)
      assert.include(examples, `  freehold ${command} `)
    }
  )

  it("offers a new key the scopes that it can have", async () => {
    const { stdout } = await run(["key", "create", "--help"], {})
    assert.match(stdout.replaceAll(/\s+/g, " "), /data:unlock, mcp\. freehold key allow adds pipeline:transitions_full/)
  })

  it("shows its commands in groups, none of which is long", async () => {
    const { stdout } = await run(["--help"], {})
    for (const group of ["To run it", "To watch it", "Records", "Organizations", "Delivery", "What members do"]) {
      assert.include(stdout, group)
    }
    for (const { commands } of whole.subcommands) assert.isAtMost(commands.length, 7)
  })

  it.each([
    [["serv"], "serve"],
    [["org", "suspnd", "x"], "suspend"],
    [["key", "create", "--scope", "x"], "--scopes"]
  ])("answers %j with the nearest", async (args, nearest) => {
    const { code, stderr } = await run(args, away)
    assert.strictEqual(code, 2)
    assert.match(stderr, new RegExp(`Did you mean this\\?\\s+${nearest}\\n`))
  })

  it("says of a command that there is not nothing about its flags", async () => {
    const { stderr } = await run(["lead", "lst", "--org", "org_x"], away)
    assert.notInclude(stderr, "--org")
    assert.match(stderr, /Did you mean this\?\s+list\nSee: freehold lead --help\n$/)
  })

  it.each([
    [["nonsense"], "nonsense"],
    [["serve", "--nonsense"], "--nonsense"],
    [["serve", "--port", "70000"], "--port"],
    [["import", "people", "x.ndjson"], "people"],
    [["key", "create", "--org", "org_x", "--name", "x"], "--scopes"],
    [["key", "create", "--org", "org_x", "--name", "x", "--scopes", "data:write"], "data:unlock, mcp, separated by"],
    [["key", "create", "--org", "org_x", "--name", "x", "--scopes", "pipeline:transitions_full"], "freehold key allow"],
    [["key", "create", "--org", "o", "--name", "x", "--scopes", "mcp", "--daily-limit", "contact_reveal"], "KIND=N"],
    [["credits", "grant", "--org", "o", "--bucket", "gold", "--amount", "1", "--ref", "r"], "gold"],
    [["credits", "grant", "--org", "o", "--bucket", "trial", "--amount", "0", "--ref", "r"], "--amount"],
    [["notice", "test", "--to", "nobody"], "--to"],
    [["cell", "front", "--cell", "west=ftp://127.0.0.1"], "ORIGIN is an origin such as"],
    [["cell", "front", "--cell", "west=http://127.0.0.1:1", "--cell", "west=http://127.0.0.1:2"], "each NAME once"],
    [["mcp", "--url", "host"], "--url"]
  ])("exits 2 and names what is wrong in %j", async (args, named) => {
    const { code, stderr, stdout } = await run(args, away)
    assert.strictEqual(code, 2)
    assert.include(stderr, named)
    assert.include(stderr, "--help")
    assert.strictEqual(stdout, "")
  })

  it.each([["--otherwise", "east"], ["--host", "a.example=east"]])(
    "exits 2 when %s names a cell that is not given",
    async (flag, value) => {
      const { code, stderr } = await run(["cell", "front", "--cell", "west=http://127.0.0.1:1", flag, value], away)
      assert.strictEqual(stderr, "freehold: there is no --cell east=ORIGIN\n")
      assert.strictEqual(code, 2)
    }
  )

  it.each<[args: ReadonlyArray<string>, said: string]>([
    [["firm", "match", "--tied"], "Expected --review with --limit, --after or --tied"],
    [["firm", "match", "--limit", "5"], "Expected --review with --limit, --after or --tied"],
    [["property", "match", "--after", "5"], "Expected --review with --limit, --after"],
    [["property", "match", "--accept", "5", "--limit", "5"], "Expected --review with --limit, --after"],
    [["source", "sync", "--dry-run"], "--dry-run needs the name of a source"]
  ])("exits 2 before there is a database when flags do not belong together: %j", async (args, said) => {
    const { code, stderr } = await run(args, away)
    assert.strictEqual(stderr, `freehold: ${said}\n`)
    assert.strictEqual(code, 2)
  })

  it("tells before there is a database that a file is there already", async () => {
    for (const args of [["org", "export", "o", "--to"], ["org", "delete", "o", "--confirm", "o", "--export"]]) {
      const { code, stderr } = await run([...args, import.meta.filename], away)
      assert.strictEqual(stderr, `freehold: cannot write ${import.meta.filename}: it is there already\n`)
      assert.strictEqual(code, 1)
    }
  })

  it.each<[args: ReadonlyArray<string>, said: string]>([
    [["log", "--limit", "abc"], "--limit: \"abc\". Expected a whole number from 1 to 1000, got abc"],
    [["log", "--limit", "1001"], "--limit: \"1001\". Expected a whole number from 1 to 1000, got 1001"],
    [
      ["note", "list", "--org", "o", "--property", "p", "--limit", "1.5"],
      "--limit: \"1.5\". Expected a whole number from 1 to 1000, got 1.5"
    ],
    [
      ["webhook", "deliveries", "x", "--limit", "ten"],
      "--limit: \"ten\". Expected a whole number from 1 to 10000, got ten"
    ],
    [
      ["credits", "ledger", "--org", "o", "--after", "x"],
      "--after: \"x\". Expected a whole number from 0 to 2147483647, got x"
    ],
    [
      ["credits", "refund", "--org", "o", "--entry", "0", "--reason", "r"],
      "--entry: \"0\". Expected a whole number from 1 to 2147483647, got 0"
    ],
    [
      ["credits", "refund", "--org", "o", "--entry", "2147483648", "--reason", "r"],
      "--entry: \"2147483648\". Expected a whole number from 1 to 2147483647, got 2147483648"
    ],
    [["serve", "--port", "http"], "--port: \"http\". Expected a whole number from 0 to 65535, got http"],
    [["serve", "--workers", "many"], "--workers: \"many\". Expected a number of processes from 1 to 64, got many"],
    [
      ["lead", "qualify", "--org", "o", "--property", "p", "--deal-value", "much"],
      "--deal-value: \"much\". Expected a number, got much"
    ],
    [
      ["credits", "grant", "--org", "o", "--bucket", "trial", "--ref", "r", "--amount", "99999999999999999"],
      "--amount: \"99999999999999999\". Expected a whole number from 1 to 1000000000, got 99999999999999999"
    ],
    [["property", "match", "--county", "1"], "--county: \"1\". Expected 5 digits"]
  ])("names flag and rule of what is no number in %j", async (args, said) => {
    const { code, stderr } = await run(args, away)
    assert.strictEqual(code, 2)
    assert.match(stderr, /^freehold: .+\nSee: freehold .+ --help\n$/)
    assert.include(stderr, `Invalid value for flag ${said}\n`)
  })

  it.each([
    [{ PORT: "eighty" }, "PORT"],
    [{ FREEHOLD_WEBHOOK_TARGETS: "all" }, "FREEHOLD_WEBHOOK_TARGETS"],
    [away, "FREEHOLD_ENCRYPTION_KEY"]
  ])("exits 2 and names the setting in %j", async (env, named) => {
    const { code, stderr } = await run(["webhook", "list", "--org", "org_x"], { FREEHOLD_DATA_DIR: "unused", ...env })
    assert.strictEqual(code, 2)
    assert.match(stderr, new RegExp(`^freehold: ${named} must be .+\\n$`))
    assert.notInclude(stderr, "hidden")
  })

  it("exits 2 without a key for the assistant", async () => {
    const { code, stderr } = await run(["mcp"], away)
    assert.strictEqual(code, 2)
    assert.match(stderr, /^freehold: FREEHOLD_API_KEY must be .+\n$/)
  })

  it("exits 1 when an argument would steer a terminal wherever it is shown", async () => {
    const { code, stderr } = await run(["note", "add", "--org", "org_x", "a\u001b[2Jb"], away)
    assert.strictEqual(code, 1)
    assert.strictEqual(stderr, "freehold: an argument holds control characters\n")
  })

  it.skipIf(process.platform !== "linux")(
    "exits 1 when its result cannot be written, and silently when nobody reads on",
    async () => {
      const full = openSync("/dev/full", "w")
      for (const command of [["settings", "--json"], ["schema", "properties"], ["--help"]]) {
        const { code, stderr } = await runInto(full, command, {})
        assert.strictEqual(code, 1)
        assert.strictEqual(
          stderr,
          "freehold: the result is lost: cannot write standard output: the disk is full\n"
        )
      }
      closeSync(full)
      const child = start(["settings", "--json"], {})
      const closed = once(child, "close")
      child.stdout?.destroy()
      const stderr = await textOf(child.stderr)
      await closed
      assert.deepStrictEqual([child.exitCode, stderr], [0, ""])
    }
  )

  it("exits 1 with one line when the database cannot be reached", async () => {
    const { code, stderr, stdout } = await run(["org", "show", "org_x"], away)
    assert.strictEqual(code, 1)
    assert.match(stderr, /^freehold: the database cannot be reached: .+\n$/)
    assert.notInclude(stderr, "hidden")
    assert.strictEqual(stdout, "")
  })
})

/** The script of `examples/embed-memory` with the changes by which docs/quickstart/embedder.md keeps it in PostgreSQL. */
import { assert, it } from "@effect/vitest"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const examples = new URL("../../", import.meta.url)
const read = (path: string) => readFileSync(new URL(path, examples), "utf8")

it.live("the script in memory runs as it did once all of its ports are over one database", () =>
  Effect.gen(function*() {
    const imports = ["database/Database", "migrations/Migrations"].map((path) =>
      `import * as ${path.split("/")[1]} from "@freehold/adapters-pg/${path}"\n`
    )
    const database = /^const database = .*\n/m.exec(read("embed-leads/src/Freehold.ts"))?.[0] ?? ""
    const script = read("embed-memory/src/main.ts")
      .replace(/^import .*MemoryState.*\n/m, "")
      .replaceAll(/@freehold\/core\/(?:memory\/)?(\S+)Memory"/g, `@freehold/adapters-pg/$1Pg"`)
      .replaceAll(/(\w+)Memory\b/g, "$1Pg")
      .replace("MemoryState.layer", "database")
      .replace(/^const ports/m, `${database}\n$&`)
    const url = yield* TestDatabase.make
    const { stdout } = yield* Effect.promise(() =>
      promisify(execFile)(
        process.execPath,
        ["--input-type=module-typescript", "--eval", [...imports, script].join("")],
        {
          cwd: fileURLToPath(new URL("embed-leads", examples)),
          env: { PATH: process.env["PATH"], DATABASE_URL: Redacted.value(url) }
        }
      )
    )
    assert.deepStrictEqual(stdout.trim().split("\n"), [
      "first  { alreadyRevealed: false, creditsCharged: 10 }",
      "second { alreadyRevealed: true, creditsCharged: 0 }",
      "1 grant order 1 12 balance 12",
      "2 charge unlock_property -10 balance 2"
    ])
  }))

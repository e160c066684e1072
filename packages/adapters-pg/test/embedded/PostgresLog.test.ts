/** What is told of an embedded server that does not start: why, in one line. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it, onTestFinished } from "vitest"
import { lastComplaint } from "../../src/embedded/PostgresLog.ts"

const toldOf = (log: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "freehold-log-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, "server.log"), log)
  return lastComplaint(join(folder, "server.log"))
}

const full = `[28503] FATAL:  could not extend file "base/1/2691": No space left on device`

it.each([
  [
    "the first complaint of the process that ended",
    `[7] ERROR:  before\n${full}\n[28503] PANIC:  cannot abort\nAborted\n`,
    full
  ],
  [
    "a complaint of nobody in particular",
    "initdb: error: no such locale\ninitdb: removing contents\n",
    "initdb: error: no such locale"
  ],
  ["the last lines where there is none", "a\nb\nKilled\nremoving contents\n", "b; Killed; removing contents"]
])("tells %s", (_, log, told) => assert.strictEqual(toldOf(log), told))

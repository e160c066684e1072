import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

it("unlocks a property twice, charges once and prints the ledger", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [main])
  assert.deepStrictEqual(stdout.trim().split("\n"), [
    "first  { alreadyRevealed: false, creditsCharged: 10 }",
    "second { alreadyRevealed: true, creditsCharged: 0 }",
    "1 grant order 1 12 balance 12",
    "2 charge unlock_property -10 balance 2"
  ])
})

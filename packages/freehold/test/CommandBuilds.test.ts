/** Runs of tests at the same time in one checkout. */
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import * as CommandBuilds from "../testing/CommandBuilds.ts"

const folder = mkdtempSync(join(tmpdir(), "freehold-builds-"))

afterAll(() => rmSync(folder, { recursive: true }))

const cacheOf = (name: string): string => join(folder, name)

/** Builds a program that is its sources. */
const building = (sources: string) => async (made: string) => {
  mkdirSync(made, { recursive: true })
  writeFileSync(join(made, "main.js"), sources)
}

const neverBuilds = () => Promise.reject(new Error("it was built again"))

const programIn = (taken: string) => readFileSync(join(taken, "main.js"), "utf8")

/** A folder that a run has left, `hours` ago. */
const leftBehind = (cache: string, pid: number, hours: number): string => {
  const left = join(cache, `run-${pid}-abc`)
  mkdirSync(join(left, "copy"), { recursive: true })
  const then = Date.now() / 1000 - hours * 3600
  utimesSync(left, then, then)
  return left
}

describe("builds of the command", () => {
  it("are a run's own, whatever another run with other sources builds", async () => {
    const [first, second] = [CommandBuilds.open(cacheOf("two")), CommandBuilds.open(cacheOf("two"))]
    const before = await first.take("before", building("before"))
    const after = await second.take("after", building("after"))
    assert.strictEqual(programIn(before), "before")
    assert.strictEqual(programIn(after), "after")
    second.close()
    assert.strictEqual(programIn(before), "before")
    first.close()
    assert.isFalse(existsSync(before))
  })

  it("are made once for the same sources, and only those of the last are kept", async () => {
    const cache = cacheOf("once")
    for (const sources of ["before", "after"]) {
      const run = CommandBuilds.open(cache)
      await run.take(sources, building(sources))
      run.close()
    }
    const later = CommandBuilds.open(cache)
    assert.strictEqual(programIn(await later.take("after", neverBuilds)), "after")
    later.close()
    assert.deepStrictEqual(readdirSync(cache), ["command-after"])
  })

  it("of a run that was killed are removed by a later one, those of a run that lives are not", () => {
    const cache = cacheOf("killed")
    const { pid: ended } = spawnSync(process.execPath, ["--version"])
    const killed = leftBehind(cache, ended, 2)
    const lately = leftBehind(cache, ended + 1_000_000_000, 0)
    const alive = leftBehind(cache, process.ppid, 2)
    CommandBuilds.open(cache).close()
    assert.deepStrictEqual([killed, lately, alive].map((each) => existsSync(each)), [false, true, true])
  })
})

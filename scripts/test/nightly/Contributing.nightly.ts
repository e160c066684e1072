/**
 * The walk of CONTRIBUTING.md is carried out in a copy of the sources: each step's lines go where it says, and its commands
 * say red and green where it says so.
 */
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { copySources, edit } from "../../SourceCopy.ts"

const root = join(import.meta.dirname, "../../..")
const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8")
const manifest: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8")
)

type Step =
  | { readonly _tag: "Lines"; readonly file: string; readonly find: string; readonly replace: string }
  | { readonly _tag: "Command"; readonly words: ReadonlyArray<string> }

/** The blocks of the walk in their order; lines belong to the file that was named last. */
const steps = (): ReadonlyArray<Step> => {
  const walk = text.slice(text.indexOf("## A change,"), text.indexOf("## How the code is written"))
  const found: Array<Step> = []
  let file = ""
  for (
    const [, path, language, block = ""] of walk.matchAll(/`(packages\/[\w./-]+\.ts)`|```(diff|sh)\n([\s\S]*?)```/g)
  ) {
    if (path !== undefined) file = path
    else if (language === "sh") found.push({ _tag: "Command", words: block.trim().split(" ") })
    else {
      const lines = block.trimEnd().split("\n")
      const kept = lines.filter((line) => !line.startsWith("+"))
      found.push({
        _tag: "Lines",
        file,
        find: kept.map((line) => line.slice(1)).join("\n"),
        replace: lines.map((line) => line.slice(1)).join("\n")
      })
    }
  }
  return found
}

let folder = ""

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "freehold-walk-"))
  copySources(folder)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Whether the command of a block, `pnpm test ...`, is green in the copy. */
const isGreen = ([program, script, ...files]: ReadonlyArray<string>): Promise<boolean> => {
  assert.deepStrictEqual([program, script], ["pnpm", "test"])
  return new Promise((resolve) =>
    execFile(
      process.execPath,
      [join(root, "node_modules/vitest/vitest.mjs"), "run", "--maxWorkers=1", ...files],
      { cwd: folder },
      (error) => resolve(error === null)
    )
  )
}

describe("CONTRIBUTING.md", () => {
  it("names files, commands and settings that there are", () => {
    const named = [...text.matchAll(/`((?:packages|docs|scripts|bench|examples)\/[\w./-]+)`/g)].map(([, path]) => path!)
    assert.isAbove(named.length, 8)
    assert.deepStrictEqual(named.filter((path) => !existsSync(join(root, path))), [])
    const scripts = [...text.matchAll(/`pnpm (?:run )?([a-z]+)/g)].map(([, name]) => name!)
    assert.deepStrictEqual(scripts.filter((name) => name !== "install" && manifest.scripts[name] === undefined), [])
  })

  it("walks from red to green", async () => {
    const colours: Array<boolean> = []
    for (const step of steps()) {
      if (step._tag === "Lines") edit(folder, "CONTRIBUTING.md", step)
      else colours.push(await isGreen(step.words))
    }
    assert.deepStrictEqual(colours, [false, true])
  })
})

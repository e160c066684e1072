/** What `docs/surface.md` names is there, is explained, and is enough for the examples. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

const root = join(import.meta.dirname, "../../..")
const source = join(import.meta.dirname, "../src")
const page = readFileSync(join(root, "docs/surface.md"), "utf8")
const ours = page.slice(0, page.indexOf("## The other packages"))
const named = [...new Set([...ours.matchAll(/`([a-z]+(?:\/[a-z]+)*\/[A-Z]\w+)`/g)].map(([, module = ""]) => module))]

/** The exported values of a module that nothing is said about. */
const unexplained = (module: string): ReadonlyArray<string> => {
  const lines = readFileSync(join(source, `${module}.ts`), "utf8").split("\n")
  return lines.flatMap((line, i) => {
    const value = /^export (?:abstract )?(?:const|class|function) (\w+)/.exec(line)?.[1]
    return value === undefined || lines[i - 1]?.trimEnd().endsWith("*/") === true ? [] : `${module}: ${value}`
  })
}

describe("docs/surface.md", () => {
  it("names modules that there are", () => {
    assert.isAbove(named.length, 80)
    assert.deepStrictEqual(named.filter((module) => !existsSync(join(source, `${module}.ts`))), [])
  })

  it("names modules whose every exported value is explained", () => {
    assert.deepStrictEqual(named.flatMap(unexplained), [])
  })

  it("names every suite and every port in memory", () => {
    const modules = globSync(["testing/*Contract.ts", "memory/**/*Memory.ts"], { cwd: source }).map((file) =>
      file.slice(0, -".ts".length)
    )
    assert.deepStrictEqual(modules.filter((module) => !named.includes(module)), [])
  })

  it("is all of core that the examples import", () => {
    const imported = globSync("examples/*/{src,test}/*.ts", { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/from "@freehold\/core\/([^"]+)"/g)].map(([, module = ""]) =>
        `${module} (${basename(file)})`
      )
    )
    assert.isAbove(imported.length, 20)
    assert.deepStrictEqual(imported.filter((each) => !named.includes(each.split(" ")[0] ?? "")), [])
  })
})

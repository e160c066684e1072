/** Every class of a style sheet is used by a page, and every class that a page asks for is there. */
import { globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { assert, describe, it } from "vitest"

const source = join(import.meta.dirname, "../src")

const matchesOf = (text: string, pattern: RegExp): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from(text.matchAll(pattern), (match) => match.map(String))

/** The classes that a sheet has of its own. */
const classesOf = (sheet: string): ReadonlySet<string> => {
  const own = readFileSync(sheet, "utf8").replace(/:global\([^)]*\)/g, "")
  return new Set(matchesOf(own, /\.([a-z][\w-]*)(?=[^{}]*\{)/gi).map(([, name = ""]) => name))
}

/** Who asks which sheet for which class; `null`: one that is made up while it runs. */
const asked = globSync("**/*.tsx", { cwd: source }).flatMap((name) => {
  const text = readFileSync(join(source, name), "utf8")
  return matchesOf(text, /import (\w+) from "(.+\.module\.css)"/g).flatMap(([, local = "", path = ""]) => {
    const sheet = resolve(source, name, "..", path)
    return matchesOf(text, new RegExp(`\\b${local}\\[(?:"([\\w-]+)"|\\w+)\\]`, "g")).map(([use = "", found]) => ({
      name,
      sheet,
      found: use.includes("\"") ? found ?? null : null
    }))
  })
})

describe("style sheets", () => {
  it("have every class that a page asks for", () => {
    const missing = asked.filter(({ found, sheet }) => found !== null && !classesOf(sheet).has(found))
    assert.isNotEmpty(asked)
    assert.deepStrictEqual(missing.map(({ found, name }) => `${name}: ${found}`), [])
  })

  it("have no class that no page asks for", () => {
    const unused = globSync("**/*.module.css", { cwd: source }).flatMap((name) => {
      const uses = new Set(asked.filter(({ sheet }) => sheet === join(source, name)).map(({ found }) => found))
      return uses.has(null) ? [] : [...classesOf(join(source, name))]
        .filter((each) => !uses.has(each))
        .map((each) => `${name}: ${each}`)
    })
    assert.deepStrictEqual(unused, [])
  })
})

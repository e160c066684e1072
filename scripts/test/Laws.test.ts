/** The tests that docs/laws.md names as the proof of a law have the law in a title, and titles name no other laws. */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, it } from "vitest"

const root = join(import.meta.dirname, "../..")

// Behind it stands what breaks the laws.
const [page = ""] = readFileSync(join(root, "docs/laws.md"), "utf8").split("<!-- mutations")

/** The laws in titles of tests, by the file's name without its endings. */
const titled = new Map<string, Set<string>>()
for (const file of globSync("packages/*/{test,src/testing}/**/*.ts", { cwd: root })) {
  const [name = ""] = basename(file).split(".")
  const laws = titled.get(name) ?? new Set()
  const titles = readFileSync(join(root, file), "utf8").matchAll(/\(([A-Z]\d+(?:,? [A-Z]\d+)*)\)["`]/g)
  for (const [, title = ""] of titles) for (const law of title.split(/,? /)) laws.add(law)
  titled.set(name, laws)
}

/** What a letter stands for: a row of the table of suites, or a sentence below a table. */
const suites = new Map(
  [...page.matchAll(/^\| ([A-Z]) +\| `(\w+)`|([A-Z]) is `(\w+)`/gm)].map(([, row, named, letter, told]) => [
    row ?? letter,
    named ?? told ?? ""
  ])
)

const laws = [...page.matchAll(/^\| ([A-Z]\d+) +\|.*\| (.+?) +\|$/gm)].map(([, law = "", proof = ""]) => ({
  law,
  // Without what a suite is said to do, and how often.
  proof: proof.replaceAll(/\([^)]*\)/g, "").replaceAll(/(`\w+`): [^,]*/g, "$1")
}))

/** The names of the files that prove it; beside them are the auditor, and what is measured. */
const provers = (proof: string): ReadonlyArray<string> => [
  ...[...proof.matchAll(/`(\w+)(?:\.integration)?`/g)].map(([, name = ""]) => name),
  ...[...proof.matchAll(/\b([A-Z])\b/g)].map(([, letter = ""]) => suites.get(letter) ?? letter)
]

it("each test that proves a law is found by it", () => {
  assert.isAbove(laws.length, 90)
  const missing = laws.flatMap(({ law, proof }) =>
    provers(proof).filter((name) => ![name, `${name}Contract`].some((each) => titled.get(each)?.has(law)))
      .map((name) => `${law}: ${name}`)
  )
  assert.deepStrictEqual(missing, [])
})

it("each law in a title is one", () => {
  const known = new Set(laws.map(({ law }) => law))
  const others = [...titled].flatMap(([name, found]) =>
    [...found].filter((law) => !known.has(law)).map((law) => `${law}: ${name}`)
  )
  assert.deepStrictEqual(others, [])
})

/** The mutations fit the sources and the table of docs/laws.md, without being run. */
import { existsSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, describe, it } from "vitest"
import { mutations } from "../MutationList.ts"
import { inTenth, tenthOf } from "../Tenth.ts"

const root = join(import.meta.dirname, "../..")

describe("the mutations", () => {
  it("each find their text once in their file, and their test is there", () => {
    const misfits = mutations.flatMap(({ edits, name, test }) => [
      ...edits.flatMap(({ file, find }) => {
        const found = readFileSync(join(root, file), "utf8").split(find).length - 1
        return found === 1 ? [] : [`${name}: ${found} times in ${file}`]
      }),
      ...existsSync(join(root, test)) ? [] : [`${name}: no ${test}`]
    ])
    assert.deepStrictEqual(misfits, [])
  })

  it("are the rows of the table in docs/laws.md, in their order", () => {
    const table = /<!-- mutations:[^>]*-->([\s\S]*)<!-- end of mutations -->/.exec(
      readFileSync(join(root, "docs/laws.md"), "utf8")
    )?.[1] ?? ""
    const rows = table.split("\n").filter((line) => /^\| [A-Z]\d/.test(line)).map((line) =>
      line.split(/(?<!\\)\|/).slice(1, 4).map((cell) => cell.trim())
    )
    assert.deepStrictEqual(
      rows.map(([law, name, test]) => [law, name, test?.split(": ")[0]]),
      mutations.map(({ law, name, test }) => [law, name.replaceAll("|", "\\|"), basename(test)])
    )
  })

  it("of a tenth are chosen by the commit, and the ten tenths are all of them, each once", () => {
    const tenths = Array.from({ length: 10 }, (_, tenth) => inTenth(mutations, tenth))
    assert.deepStrictEqual(
      tenths.flat().toSorted((one, other) => mutations.indexOf(one) - mutations.indexOf(other)),
      mutations
    )
    const commits = Array.from({ length: 200 }, (_, index) => `commit ${index}`)
    assert.deepStrictEqual([...new Set(commits.map(tenthOf))].sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    assert.deepStrictEqual(commits.map(tenthOf), commits.map(tenthOf))
  })
})

/**
 * The floors of `core/src`: a folder imports from lower floors alone, for types too.
 *
 * The list in docs/architecture.md is the one that is held; a floor is a row of it, and folders of one floor do not know
 * each other.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"

const source = join(import.meta.dirname, "../src")
const architecture = readFileSync(join(import.meta.dirname, "../../../docs/architecture.md"), "utf8")

const folderOf = (file: string): string => relative(source, file).split("/")[0]!

/** The rows of the list, from the roof down. */
const floors = [...architecture.matchAll(/^\| (`[a-z`, ]+`) +\| [^|]+\|$/gm)]
  .map(([, folders]) => [...folders!.matchAll(/`([a-z]+)`/g)].map(([, name]) => name!))
  .filter((folders) => !folders.includes("core"))

/** 0 is the roof. */
const floorOf = new Map(floors.flatMap((folders, floor) => folders.map((folder) => [folder, floor] as const)))

const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))

/** Every import of a file of `core/src`, of values and of types. */
const arrows = files.flatMap((file) => {
  const text = readFileSync(join(source, file), "utf8")
  return [...text.matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)].map(([, specifier]) => ({
    file,
    from: folderOf(join(source, file)),
    to: folderOf(resolve(source, file, "..", specifier!))
  }))
})

describe("the floors of core", () => {
  it("are all in docs/architecture.md, each folder on one of them", () => {
    const folders = readdirSync(source, { withFileTypes: true })
    assert.deepStrictEqual(folders.filter((entry) => !entry.isDirectory()).map(({ name }) => name), [])
    assert.deepStrictEqual(floors.flat().sort(), folders.map(({ name }) => name).sort())
  })

  it("have arrows downwards alone", () => {
    assert.isAbove(arrows.length, 500)
    const wrong = arrows.filter(({ from, to }) => from !== to && !(floorOf.get(to)! > floorOf.get(from)!))
    assert.deepStrictEqual(wrong, [])
  })

  it("stand as low as they can, so that a row tells what a folder needs", () => {
    // From the ground up: what a folder imports has its height already.
    const heights = new Map<string, number>()
    for (const folder of floors.flat().reverse()) {
      const below = arrows.flatMap(({ from, to }) => from === folder && to !== folder ? [heights.get(to) ?? 0] : [])
      heights.set(folder, 1 + Math.max(0, ...below))
    }
    const rows = floors.map((folders) => [...new Set(folders.map((folder) => heights.get(folder)))])
    assert.deepStrictEqual(rows, floors.map((_, floor) => [floors.length - floor]))
  })
})

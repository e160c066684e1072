/** The rooms of `adapters-pg/src`, and of the ports in memory: a subject has the same name in every package. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const source = join(import.meta.dirname, "../src")
const core = join(import.meta.dirname, "../../core/src")

const foldersOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name).sort()

/** What every room stands on: the server, what it takes of its machine, and the ways to talk to it. */
const ground = ["database", "embedded", "tuning"]

/** What knows the rooms and is known by none: what brings the schema about, cells, what a doctor asks, tests. */
const roof = ["cell", "diagnosis", "migrations", "testing"]

describe("the rooms of the adapter", () => {
  it("have the names of core's subjects", () => {
    const subjects = new Set(foldersOf(core))
    const own = foldersOf(source).filter((folder) => !subjects.has(folder) && ![...ground, ...roof].includes(folder))
    assert.deepStrictEqual(own, [])
    assert.deepStrictEqual(foldersOf(join(core, "memory")).filter((folder) => !subjects.has(folder)), [])
  })

  it("have doors: no file stands outside", () => {
    assert.deepStrictEqual(readdirSync(source).filter((name) => name.endsWith(".ts")), [])
  })

  it("stand on `database`, `embedded` and `tuning`, below what knows them all", () => {
    const imports = foldersOf(source).flatMap((room) =>
      readdirSync(join(source, room)).filter((file) => file.endsWith(".ts")).flatMap((file) =>
        [...readFileSync(join(source, room, file), "utf8").matchAll(/from "\.\.\/([a-z]+)\//g)]
          .map(([, other]) => ({ room, other: other! }))
      )
    )
    assert.isAbove(imports.length, 50)
    const wrong = imports.filter(({ other, room }) =>
      ground.includes(room) && !ground.includes(other) || roof.includes(other) && !roof.includes(room)
    )
    assert.deepStrictEqual(wrong, [])
  })
})

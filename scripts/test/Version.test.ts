/** A release is prepared in a copy: the numbers, the changelog, and that nothing is left to release. */
import { execFileSync } from "node:child_process"
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { insert, parse, section } from "../Changelog.ts"

const root = join(import.meta.dirname, "../..")

const inCopy = (use: (folder: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), "freehold-version-"))
  try {
    const files = globSync(
      [
        "package.json",
        "pnpm-workspace.yaml",
        "CHANGELOG.md",
        ".changeset/*",
        "{packages,examples}/*/package.json",
        "bench/package.json"
      ],
      { cwd: root }
    )
    for (const file of files) cpSync(join(root, file), join(folder, file))
    execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd: folder })
    use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const versionsIn = (folder: string): ReadonlyArray<string> =>
  globSync("packages/*/package.json", { cwd: folder }).map((file) =>
    JSON.parse(readFileSync(join(folder, file), "utf8")).version
  )

describe("pnpm run version", () => {
  it("gives all packages one number and folds every changeset into the changelog", () =>
    inCopy((folder) => {
      const summaries = globSync(".changeset/*.md", { cwd: folder }).flatMap((file) =>
        parse(readFileSync(join(folder, file), "utf8"))?.summary.split("\n")[0] ?? []
      )
      const before = readFileSync(join(folder, "CHANGELOG.md"), "utf8")
      const run = () =>
        execFileSync(process.execPath, [join(root, "scripts/version.ts")], {
          cwd: folder,
          stdio: ["ignore", "pipe", "pipe"]
        })
      if (summaries.length === 0) return assert.throws(run, "nothing to release")
      const old = new Set(versionsIn(folder))
      run()
      const [version = "", ...others] = new Set(versionsIn(folder))
      assert.match(version, /^\d+\.\d+\.\d+$/)
      assert.deepStrictEqual(others, [])
      assert.isFalse(old.has(version))
      const changelog = readFileSync(join(folder, "CHANGELOG.md"), "utf8")
      assert.isTrue(changelog.startsWith(before.slice(0, before.search(/^## |$(?![^])/m)).trimEnd()))
      assert.include(changelog, `\n## ${version} (`)
      assert.deepStrictEqual(summaries.filter((line) => !changelog.includes(line)), [])
      assert.deepStrictEqual(globSync(".changeset/*.md", { cwd: folder }), [join(".changeset", "README.md")])
    }))

  it("puts what has to be changed first, and the newest release above the others", () => {
    const changesets = [
      "---\n\"@freehold/core\": patch\n---\n\nMended.\n",
      "---\n\"@freehold/cli\": minor\n---\n\nOne part.\n",
      "---\n\"@freehold/core\": minor\n\"@freehold/cli\": minor\n---\n\nTwo parts.\n\nAnd more.\n",
      "---\n\"@freehold/core\": major\n---\n\nRename it.\n",
      "# No changeset\n"
    ].flatMap((text) => parse(text) ?? [])
    const added = section("1.0.0", "2030-01-02", changesets)
    assert.strictEqual(
      insert("# Changelog\n\nAll.\n\n## 0.9.0 (2029-01-01)\n\nOld.\n", added),
      `# Changelog

All.

## 1.0.0 (2030-01-02)

### What you have to change

- Rename it. _(core)_

### New

- Two parts.
  And more. _(cli, core)_
- One part. _(cli)_

### Changed and mended

- Mended. _(core)_

## 0.9.0 (2029-01-01)

Old.
`
    )
  })
})

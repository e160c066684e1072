/**
 * Whether the last release goes on working once the present program has migrated: `pnpm upgrading`.
 *
 * The tree of the last tag `v*` is laid out in a folder of its own, installed there as its lockfile says, and is the previous
 * program of `packages/cli/test/upgrade`. Before the first release the last commit takes its place, so that the way is tried.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

const run = (cwd: string, command: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  execFileSync(command, args, { cwd, stdio: "inherit", env: { ...process.env, ...env } })

const tags = execFileSync("git", ["tag", "--list", "v*", "--sort=-version:refname", "--merged"], {
  cwd: root,
  encoding: "utf8"
})
const previous = tags.split("\n").find((tag) => /^v\d+\.\d+\.\d+$/.test(tag)) ?? "HEAD"

const folder = mkdtempSync(join(tmpdir(), "freehold-upgrade-"))
try {
  const archive = join(folder, "tree.tar")
  run(root, "git", ["archive", "--output", archive, previous])
  run(folder, "tar", ["-xf", archive])
  run(folder, "pnpm", ["install", "--frozen-lockfile", "--prefer-offline"])
  run(root, "pnpm", ["vitest", "run", "packages/cli/test/upgrade"], {
    FREEHOLD_PREVIOUS_PROGRAM: join(folder, "packages/cli/src/main.ts")
  })
  console.log(`${previous} works on the schema of today`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Prepares a release: `changeset version` numbers the packages and takes the changesets away; what they said becomes a
 * section of `CHANGELOG.md`. It works in the folder that it is called in.
 */
import { execFileSync } from "node:child_process"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { insert, parse, section } from "./Changelog.ts"

const changesets = globSync(".changeset/*.md").toSorted().flatMap((file) => parse(readFileSync(file, "utf8")) ?? [])
if (changesets.length === 0) throw new Error("nothing to release: .changeset holds no changeset")

const changesetCommand = join(
  createRequire(import.meta.url).resolve("@changesets/cli/package.json"),
  "../bin.js"
)
execFileSync(process.execPath, [changesetCommand, "version"], { stdio: ["ignore", 2, 2] })

const { version }: { readonly version: string } = JSON.parse(readFileSync("packages/freehold/package.json", "utf8"))
const today = new Date().toISOString().slice(0, 10)
writeFileSync("CHANGELOG.md", insert(readFileSync("CHANGELOG.md", "utf8"), section(version, today, changesets)))
console.log(`${version}: ${changesets.length} changes, see CHANGELOG.md`)

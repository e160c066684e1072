/** The package `freehold` as somebody else has it: packed, and installed by npm in an empty folder without a network. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { packCommand } from "../../../scripts/CommandPackage.ts"

/** What a shell of that machine has, and nothing of ours. */
export const environment = (home: string): Readonly<Record<string, string>> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: home,
  npm_config_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false"
})

export interface Installed {
  readonly folder: string
  readonly remove: () => void
}

/** `npm install` of the tarball without the optional database, which is not ours. */
export const install = async (): Promise<Installed> => {
  const folder = mkdtempSync(join(tmpdir(), "freehold-installed-"))
  const tarball = await packCommand(folder)
  execFileSync("npm", ["install", "--omit=optional", "--prefix", folder, tarball], {
    cwd: folder,
    env: environment(folder),
    stdio: ["ignore", "ignore", 2]
  })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

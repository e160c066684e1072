/** Leaves the tarball of the package `freehold` in the folder that is named: `node scripts/pack-command.ts FOLDER`. */
import { mkdirSync } from "node:fs"
import { resolve } from "node:path"
import { packCommand } from "./CommandPackage.ts"

const folder = resolve(process.argv[2] ?? "dist")
mkdirSync(folder, { recursive: true })
console.log(await packCommand(folder))

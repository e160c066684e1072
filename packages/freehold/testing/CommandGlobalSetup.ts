/**
 * Builds the app and bundles the command once for a run of tests, as they are published, when the first file asks for it: a
 * process of the bundle starts in a third of the time that the sources take, and what is tested is what people get. Made anew
 * when a source has changed.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"
import { bundle } from "../../../scripts/CommandBundle.ts"
import * as Door from "./Door.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the program of the command. */
    readonly commandDoor: string
  }
}

const root = join(import.meta.dirname, "../../..")
const cache = join(import.meta.dirname, "../node_modules/.cache")

const entry = `import { enableCompileCache } from "node:module"
enableCompileCache()
const { main } = await import("./Freehold.js")
main()
`

const sourceHash = (): string => {
  const hash = createHash("sha256")
  const sources = "packages/{core,adapters-pg,http-host,mcp-host,webhook-worker,cli}"
  const files = globSync(
    [
      `${sources}/src/**/*`,
      `${sources}/package.json`,
      "packages/freehold/bin/*",
      "sources/**/*",
      "scripts/CommandBundle.ts"
    ],
    {
      cwd: root,
      withFileTypes: true
    }
  )
  const paths = files.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name)).toSorted()
  for (const path of paths) hash.update(path.slice(root.length)).update("\0").update(readFileSync(path))
  return hash.digest("hex").slice(0, 16)
}

/** Makes a folder, which gets its name when it is whole: two runs at once cannot meet. */
const make = async (folder: string): Promise<void> => {
  mkdirSync(cache, { recursive: true })
  const made = mkdtempSync(join(cache, "command-new-"))
  await bundle(join(made, "dist"), { isSmall: false })
  writeFileSync(join(made, "dist/main.js"), entry)
  cpSync(join(root, "packages/freehold/bin"), join(made, "bin"), { recursive: true })
  writeFileSync(join(made, "package.json"), readFileSync(join(root, "packages/cli/package.json")))
  try {
    renameSync(made, folder)
  } catch (cause) {
    rmSync(made, { recursive: true })
    if (!existsSync(folder)) throw cause
  }
}

/** Both of today's sources. */
const program = async (): Promise<string> => {
  await promisify(execFile)(process.execPath, [join(root, "packages/console/build.ts"), "--if-changed"])
  const folder = join(cache, `command-${sourceHash()}`)
  if (!existsSync(folder)) {
    for (const old of globSync("command-*", { cwd: cache })) rmSync(join(cache, old), { recursive: true, force: true })
    await make(folder)
  }
  return join(folder, "dist/main.js")
}

let door: Door.Door | undefined

export const setup = async (project: TestProject): Promise<void> => {
  door = await Door.open(program)
  project.provide("commandDoor", door.url)
}

export const teardown = (): void => door?.close()

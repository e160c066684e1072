/**
 * Builds the app and bundles the command once for a run of tests, as they are published, when the first file asks for it: a
 * process of the bundle starts in a third of the time that the sources take, and what is tested is what people get. Bundled anew
 * when a source has changed; each run has a copy of its own.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type { TestProject } from "vitest/node"
import { bundle } from "../../../scripts/CommandBundle.ts"
import * as CommandBuilds from "./CommandBuilds.ts"
import * as Door from "./Door.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the program of the command. */
    readonly commandDoor: string
  }
}

const root = join(import.meta.dirname, "../../..")

// What is compiled stands beside it, and is gone with it.
const entry = `import { enableCompileCache } from "node:module"
import { join } from "node:path"
enableCompileCache(join(import.meta.dirname, "../compiled"))
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
      "scripts/CommandBundle.ts",
      "packages/freehold/testing/CommandGlobalSetup.ts"
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

const build = async (folder: string): Promise<void> => {
  await bundle(join(folder, "dist"), { isSmall: false })
  writeFileSync(join(folder, "dist/main.js"), entry)
  cpSync(join(root, "packages/freehold/bin"), join(folder, "bin"), { recursive: true })
  cpSync(join(root, "packages/cli/package.json"), join(folder, "package.json"))
}

/** Of today's sources, as the app is. */
const program = async (builds: CommandBuilds.CommandBuilds): Promise<string> => {
  await promisify(execFile)(process.execPath, [join(root, "packages/console/build.ts"), "--if-changed"])
  return join(await builds.take(sourceHash(), build), "dist/main.js")
}

let close = (): void => {}

export const setup = async (project: TestProject): Promise<void> => {
  const builds = CommandBuilds.open(join(import.meta.dirname, "../node_modules/.cache"))
  const door = await Door.open(() => program(builds))
  close = () => {
    door.close()
    builds.close()
  }
  project.provide("commandDoor", door.url)
}

export const teardown = (): void => close()

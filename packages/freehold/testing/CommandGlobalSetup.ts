/**
 * Bundles the command once for a run of tests, as it is published: a process of it starts in a third of the time that the
 * sources take, and what is tested is what people get. Bundled anew when a source has changed.
 */
import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { bundle } from "../../../scripts/CommandBundle.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The program of the command. */
    readonly command: string
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
    [`${sources}/src/**/*`, `${sources}/package.json`, "sources/**/*", "scripts/CommandBundle.ts"],
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
  writeFileSync(join(made, "package.json"), readFileSync(join(root, "packages/cli/package.json")))
  try {
    renameSync(made, folder)
  } catch (cause) {
    rmSync(made, { recursive: true })
    if (!existsSync(folder)) throw cause
  }
}

export default async (project: TestProject): Promise<void> => {
  const folder = join(cache, `command-${sourceHash()}`)
  if (!existsSync(folder)) {
    for (const old of globSync("command-*", { cwd: cache })) rmSync(join(cache, old), { recursive: true, force: true })
    await make(folder)
  }
  project.provide("command", join(folder, "dist/main.js"))
}

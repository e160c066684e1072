/** A copy of the sources that can be changed and run: it shares the installed dependencies and nothing else. */
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"

const root = join(import.meta.dirname, "..")
const copied = [
  "package.json",
  "pnpm-workspace.yaml",
  "tsconfig.base.json",
  "tsconfig.noemit.json",
  "vitest.config.ts",
  "docs",
  "packages",
  "examples",
  "sources",
  "scripts"
]

/** Fills the folder; the working tree is only read. */
export const copySources = (to: string): void => {
  for (const name of copied) {
    if (!existsSync(join(root, name))) continue
    cpSync(join(root, name), join(to, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !["dist", ".cache", ".vite"].includes(basename(source))
    })
  }
  symlinkSync(join(root, "node_modules"), join(to, "node_modules"))
}

export interface Edit {
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
}

/** Makes the edit in the copy; `name` says whose it is when its text is not there. */
export const edit = (folder: string, name: string, { file, find, replace }: Edit): void => {
  const path = join(folder, file)
  const parts = readFileSync(path, "utf8").split(find)
  if (parts.length !== 2) {
    throw new Error(`${name}: found ${parts.length - 1} times in ${file}, expected once: ${find}`)
  }
  writeFileSync(path, parts.join(replace))
}

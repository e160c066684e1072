/** The licenses of other people's packages, where their files became part of ours. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string
}

const manifestOf = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** The folder of the package that a file belongs to. */
const packageOf = (file: string): string => {
  let folder = dirname(file)
  while (!existsSync(join(folder, "package.json")) || !("name" in manifestOf(folder))) folder = dirname(folder)
  return folder
}

const licenseOf = (folder: string): string => {
  const { license, name, version } = manifestOf(folder)
  const texts = globSync("{licen[sc]e,LICEN[SC]E,notice,NOTICE}{,.md,.txt}", { cwd: folder }).toSorted()
  return [`${name} ${version} (${license})`, ...texts.map((file) => readFileSync(join(folder, file), "utf8").trim())]
    .join("\n\n")
}

/** The licenses of the packages that the files belong to, each once. */
export const licensesOf = (files: ReadonlyArray<string>): string => {
  const folders = [...new Set(files.map(packageOf))].toSorted()
  return `${folders.map(licenseOf).join(`\n\n${"-".repeat(80)}\n\n`)}\n`
}

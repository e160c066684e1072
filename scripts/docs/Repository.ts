/** Where the sources are read on the web. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

const manifest: { readonly repository: { readonly url: string } } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../packages/freehold/package.json"), "utf8")
)

/** A file or folder of the main branch. */
export const repositoryFile = (path: string): string =>
  `${manifest.repository.url.replace(/^git\+/, "").replace(/\.git$/, "")}/blob/main/${path}`

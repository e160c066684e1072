/** `pnpm site`: the documentation as a site in `dist/docs`. Refuses to make one with dead links. */
import { join, relative } from "node:path"
import { deadLinks } from "./Links.ts"
import { makeSite } from "./Site.ts"

const root = join(import.meta.dirname, "../..")
const dead = deadLinks(root)
if (dead.length > 0) {
  console.error(`${dead.join("\n")}\n${dead.length} dead links`)
  process.exitCode = 1
} else {
  const folder = join(root, "dist/docs")
  console.log(`${makeSite(folder)} pages: open ${relative(process.cwd(), join(folder, "index.html"))}`)
}

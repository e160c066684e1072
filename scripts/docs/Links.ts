/** Finds links of the repository's Markdown that lead nowhere: to a file that is not there, or to an anchor that it lacks. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { parse } from "./Markdown.ts"

/** Every Markdown file that people read. */
export const markdownFiles = (root: string): ReadonlyArray<string> =>
  globSync(["*.md", ".changeset/*.md", "{docs,deploy,bench,examples,packages,scripts}/**/*.md"], {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path)
  }).toSorted()

const isElsewhere = (link: string): boolean => /^[a-z][a-z+.-]*:/i.test(link)

/** Why the link is dead, if it is. */
const faultOf = (root: string, file: string, link: string): string | undefined => {
  const [path = "", anchor] = link.split("#").map(decodeURIComponent)
  const target = path === "" ? file : normalize(join(dirname(file), path))
  if (target.startsWith("..") || !existsSync(join(root, target))) return "no such file"
  if (anchor === undefined) return undefined
  if (statSync(join(root, target)).isDirectory() || !target.endsWith(".md")) return "no anchors there"
  const { sections } = parse(readFileSync(join(root, target), "utf8"))
  return sections.some((section) => section.anchor === anchor) ? undefined : "no such anchor"
}

/** One line for each dead link. */
export const deadLinks = (root: string): ReadonlyArray<string> =>
  markdownFiles(root).flatMap((file) =>
    parse(readFileSync(join(root, file), "utf8")).links.filter((link) => !isElsewhere(link)).flatMap((link) => {
      const fault = faultOf(root, file, link)
      return fault === undefined ? [] : [`${file}: ${link}: ${fault}`]
    })
  )

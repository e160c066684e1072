/**
 * What the site consists of, and in which order: the headings and links of `docs/README.md`. Its last chapter is what things are looked up in: what
 * is made of the definitions begins it.
 *
 * *Gotchas.* A page of `docs` that is not named there stands at the end, so that none is left out.
 */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

export interface Chapter {
  readonly title: string
  /** Files below `docs`. */
  readonly pages: ReadonlyArray<string>
}

export const contents = (docs: string, generated: ReadonlyArray<string>): ReadonlyArray<Chapter> => {
  const chapters: Array<{ readonly title: string; readonly pages: Array<string> }> = []
  for (const line of readFileSync(join(docs, "README.md"), "utf8").split("\n")) {
    const title = /^## (.*)$/.exec(line)?.[1]
    if (title !== undefined) chapters.push({ title, pages: [] })
    for (const [, page = ""] of line.matchAll(/\]\(([^):#]+\.md)\)/g)) chapters.at(-1)?.pages.push(page)
  }
  const named = new Set(chapters.flatMap(({ pages }) => pages))
  const others = globSync("**/*.md", { cwd: docs }).toSorted().filter((page) =>
    page !== "README.md" && !named.has(page)
  )
  const reference = chapters.at(-1)
  reference?.pages.unshift(...generated)
  reference?.pages.push(...others)
  return chapters
}

/**
 * The documentation as a site: plain files that work from any folder, also without a server or a network.
 *
 * Made by hand of `markdown-it` and `minisearch` and not by a site generator: the pages stay the Markdown that is read
 * in the repository, and nothing more than two small packages has to be kept up to date.
 */
import MiniSearch from "minisearch"
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, normalize, relative } from "node:path"
import { type Chapter, contents } from "./Contents.ts"
import { type Page, parse } from "./Markdown.ts"
import { endpoints, type OpenApi, toolPage } from "./Reference.ts"
import { repositoryFile } from "./Repository.ts"

const docs = join(import.meta.dirname, "../../docs")

/** They go along as they are. */
const pictures = "pictures/"

const addressOf = (page: string): string => page.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html")

/** Where a link of a page leads on the site: to another page, to a file that goes along, or into the repository. */
const rewrite = (page: string, isPage: (target: string) => boolean) => (link: string): string => {
  if (/^[a-z][a-z+.-]*:|^#/i.test(link)) return link
  const [path = "", anchor] = link.split("#")
  const target = normalize(join(dirname(page), path))
  const suffix = anchor === undefined ? "" : `#${anchor}`
  if (target.startsWith(pictures)) return relative(dirname(page), target)
  return isPage(target)
    ? `${relative(dirname(page), addressOf(target)) || "."}${suffix}`
    : `${repositoryFile(join("docs", target))}${suffix}`
}

/** Made of the definitions. */
const generated = (): ReadonlyArray<readonly [page: string, text: string]> => {
  const document: OpenApi = JSON.parse(readFileSync(join(docs, "openapi.json"), "utf8"))
  return [["reference/endpoints.md", endpoints(document)], ["reference/tools.md", toolPage()]]
}

/** Every page by its path below `docs`. */
const read = (made: ReturnType<typeof generated>): ReadonlyMap<string, Page> => {
  const texts = new Map([
    ...globSync("**/*.md", { cwd: docs }).toSorted().map((page) =>
      [page, readFileSync(join(docs, page), "utf8")] as const
    ),
    ...made
  ])
  return new Map([...texts].map(([page, text]) => [page, parse(text, rewrite(page, (target) => texts.has(target)))]))
}

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\"", "&quot;")

const navigation = (chapters: ReadonlyArray<Chapter>, pages: ReadonlyMap<string, Page>, current: string): string =>
  chapters.map(({ pages: names, title }) => {
    const items = names.map((name) => {
      const link = relative(dirname(current), addressOf(name)) || addressOf(name)
      const here = name === current ? " aria-current=\"page\"" : ""
      return `<li><a href="${link}"${here}>${escape(pages.get(name)?.title ?? name)}</a></li>`
    })
    return `<h2>${escape(title)}</h2><ul>${items.join("")}</ul>`
  }).join("")

const onThisPage = ({ sections }: Page): string => {
  const own = sections.filter(({ level }) => level === 2)
  return own.length < 3
    ? ""
    : `<details class="toc"><summary>On this page</summary><ul>${
      own.map(({ anchor, title }) => `<li><a href="#${anchor}">${escape(title)}</a></li>`).join("")
    }</ul></details>`
}

const template = (page: Page, toRoot: string, menu: string): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(page.title)} · Freehold</title>
<link rel="stylesheet" href="${toRoot}style.css">
<script defer src="${toRoot}minisearch.js"></script>
<script defer src="${toRoot}search-index.js"></script>
<script defer src="${toRoot}search.js" data-root="${toRoot}"></script>
<header><a class="name" href="${toRoot}index.html">Freehold</a>
<div class="search"><input type="search" placeholder="Search (press /)" aria-label="Search"><ol hidden></ol></div></header>
<nav>${menu}</nav>
<main>${onThisPage(page)}${page.html}</main>
</html>
`

/** What can be found, in the form in which the browser loads it. */
const searchIndex = (pages: ReadonlyMap<string, Page>): string => {
  const index = new MiniSearch({ fields: ["title", "page", "text"], storeFields: ["title", "page", "url"] })
  for (const [name, page] of pages) {
    page.sections.forEach(({ anchor, text, title }, i) =>
      index.add({ id: `${name}#${i}`, title, page: page.title, text, url: `${addressOf(name)}#${anchor}` })
    )
  }
  return `window.freeholdIndex = ${JSON.stringify(JSON.stringify(index))}\n`
}

/** Fills the folder; answers how many pages there are. */
export const makeSite = (folder: string): number => {
  rmSync(folder, { recursive: true, force: true })
  const made = generated()
  const pages = read(made)
  const chapters = contents(docs, made.map(([page]) => page))
  for (const [name, page] of pages) {
    const file = join(folder, addressOf(name))
    const toRoot = "../".repeat(name.split("/").length - 1)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, template(page, toRoot, navigation(chapters, pages, name)))
  }
  for (const name of ["style.css", "search.js"]) cpSync(join(import.meta.dirname, "site", name), join(folder, name))
  cpSync(
    join(dirname(createRequire(import.meta.url).resolve("minisearch")), "../umd/index.js"),
    join(folder, "minisearch.js")
  )
  cpSync(join(docs, pictures), join(folder, pictures), { recursive: true })
  writeFileSync(join(folder, "search-index.js"), searchIndex(pages))
  return pages.size
}

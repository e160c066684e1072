/** The documentation: no link leads nowhere, and the site holds every page, what can be searched, and nothing of elsewhere. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { deadLinks, markdownFiles } from "../docs/Links.ts"
import { parse } from "../docs/Markdown.ts"
import { makeSite } from "../docs/Site.ts"

const root = join(import.meta.dirname, "../..")
let folder = ""

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "freehold-docs-"))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the repository's Markdown", () => {
  it("has no dead link and no dead anchor", () => {
    assert.isAbove(markdownFiles(root).length, 60)
    assert.deepStrictEqual(deadLinks(root), [])
  })

  it("would be told of each kind of them", () => {
    const place = mkdtempSync(join(folder, "links-"))
    writeFileSync(join(place, "A.md"), "# A `b` & c!\n\n## Twice\n\n## Twice\n")
    writeFileSync(
      join(place, "B.md"),
      [
        "[yes](A.md#a-b--c) [yes](A.md#twice-1) [yes](#own) [yes](https://example.com/none)",
        "[1](A.md#twice-2) [2](C.md) [3](#none) ![4](none.png) [5](../outside.md)",
        "# Own",
        "```\n[not a link](none.md)\n```"
      ].join("\n\n")
    )
    assert.deepStrictEqual(deadLinks(place), [
      "B.md: A.md#twice-2: no such anchor",
      "B.md: C.md: no such file",
      "B.md: #none: no such anchor",
      "B.md: none.png: no such file",
      "B.md: ../outside.md: no such file"
    ])
  })
})

describe("the site", () => {
  it("has every page, whose links and files are all there, and asks nobody for anything", () => {
    const site = join(folder, "site")
    const count = makeSite(site)
    const pages = globSync("**/*.html", { cwd: site })
    assert.strictEqual(pages.length, count)
    const sources = globSync("docs/**/*.md", { cwd: root })
    assert.isAtLeast(count, sources.length + 2)
    const files = new Set(globSync("**/*", { cwd: site }))
    const anchors = new Map(pages.map((page) => {
      const html = readFileSync(join(site, page), "utf8")
      assert.notMatch(html, /<(script|link|img)[^>]*(src|href)="(https?:)?\/\//, page)
      return [page, { html, ids: new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)) }]
    }))
    const dead: Array<string> = []
    for (const [page, { html }] of anchors) {
      for (const [, link = ""] of html.matchAll(/<(?:a|script|link|img)[^>]* (?:href|src)="([^"]+)"/g)) {
        if (/^[a-z]+:/.test(link)) continue
        const [path = "", anchor] = link.split("#")
        const target = path === "" ? page : join(dirname(page), path)
        const isThere = files.has(target) && (anchor === undefined || anchors.get(target)?.ids.has(anchor) === true)
        if (!isThere) dead.push(`${page}: ${link}`)
      }
    }
    assert.deepStrictEqual(dead, [])
  })

  it("finds a section by what it says, and every endpoint and tool", async () => {
    const { default: MiniSearch } = await import("minisearch")
    const [, text = ""] =
      /^window\.freeholdIndex = (.*)$/m.exec(readFileSync(join(folder, "site/search-index.js"), "utf8")) ?? []
    const index = MiniSearch.loadJSON(JSON.parse(text), {
      fields: ["title", "page", "text"],
      storeFields: ["title", "page", "url"]
    })
    const urls = (query: string) =>
      index.search(query, { prefix: true, combineWith: "AND" }).slice(0, 8).map((found) => String(found["url"]))
    assert.include(urls("recovery_target_time"), "deploying.html#restoring-tried-before-it-is-needed")
    assert.include(urls("service_draft_email"), "reference/tools.html#service_draft_email")
    assert.include(urls("unlock property"), "reference/endpoints.html#post-propertiesidunlock")
  })
})

it("Markdown keeps the text of a section for the search", () => {
  const { sections } = parse("# A\n\none `two`\n\n- three\n\n## B\n\n    four\n")
  assert.deepStrictEqual(sections.map(({ text, title }) => [title, text]), [["A", "one `two`\nthree\n"], [
    "B",
    "four\n\n"
  ]])
})

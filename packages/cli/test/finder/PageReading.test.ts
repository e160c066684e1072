/** What is read of a page, what of a site, and what a robots.txt lets be read. All is made up. */
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import * as PageText from "../../src/finder/PageText.ts"
import * as Robots from "../../src/finder/Robots.ts"
import * as SiteLinks from "../../src/finder/SiteLinks.ts"

const textOf = (html: string): PageText.PageText => Effect.runSync(PageText.read(html))

describe("the text of a page", () => {
  it("is what is shown of it", () => {
    const { text } = textOf(`<!doctype html><title>Title</title><style>p { color: red }</style><!-- a comment -->
      <h1>Our&nbsp;team</h1><p>Ann <b>Qu</b>ill</p><p>Bo&amp;Co</p><script>hidden()</script><noscript>hidden</noscript>
      <div style="display: none">hidden <p>hidden</p></div><p hidden>hidden</p><i aria-hidden="true">hidden</i>
      <img alt="hidden"><br>end<unclosed>`)
    assert.strictEqual(text, "Our team Ann Quill Bo&Co end")
  })

  it("is what is small or faint as well, as long as it is there", () => {
    const { text } = textOf(
      [
        "font-size:0.875rem",
        "font-size: 0.05em",
        "opacity:0.9",
        "font-size:0",
        "font-size: 0px",
        "font-size:0.0em",
        "opacity:0.0"
      ]
        .map((style) => `<p style="${style}; color: red">${style}</p>`).join("")
    )
    assert.strictEqual(text, "font-size:0.875rem font-size: 0.05em opacity:0.9")
  })

  it("is bounded, whatever the page is made of", () => {
    assert.isAtMost(textOf("<p>word ".repeat(100_000)).text.length, 12_000)
    const { links } = textOf("<a href=/x>x</a>".repeat(10_000))
    assert.isAtMost(links.length, 500)
    assert.strictEqual(textOf("<div>".repeat(400) + "seen").text, "seen")
    // Each level makes the next one slower, so that a page of nothing else would take minutes.
    assert.strictEqual(textOf(`seen${"<div>".repeat(200_000)}too deep`).text, "seen")
  })
})

it("a page of nothing but tags is read while others have their turns", async () => {
  let turns = 0
  let counter = setImmediate(function count() {
    turns++
    counter = setImmediate(count)
  })
  const { text } = await Effect.runPromise(PageText.read("<p>".repeat(200_000)))
  clearImmediate(counter)
  assert.strictEqual(text, "")
  assert.isAbove(turns, 50)
})

describe("the pages of a site", () => {
  const links = (...hrefs: ReadonlyArray<string>) => hrefs.map((href) => ({ href, words: "" }))

  it("are those of its own host that are worth it, the best first", () => {
    assert.deepStrictEqual(
      SiteLinks.choose(
        "https://birch.example/",
        links(
          "/about",
          "/news",
          "team#ann",
          "https://www.birch.example/contact",
          "https://oak.example/team",
          "http://birch.example/team",
          "https://birch.example.evil.example/team",
          "https://birch.example:8443/team",
          "/team.pdf",
          "/team?page=2",
          `/team/${"x".repeat(1000)}`,
          "javascript:team()",
          "mailto:team@birch.example",
          "https://[team"
        ),
        5
      ),
      ["https://birch.example/team", "https://www.birch.example/contact", "https://birch.example/about"]
    )
  })

  it("are chosen by the words of links too, and are so many at most", () => {
    const many = Array.from(
      { length: 20 },
      (_, n) => ({ href: `/page-${n}`, words: n === 13 ? "Our team" : "About us" })
    )
    const chosen = SiteLinks.choose("https://birch.example/", many, 5)
    assert.deepStrictEqual([chosen.length, chosen[0]], [5, "https://birch.example/page-13"])
  })
})

describe("a robots.txt", () => {
  const allows = (text: string, path: string) =>
    Robots.allows(Robots.parse(text, "Freehold"), `https://birch.example${path}`)

  it("forbids what its longest rule forbids, for the reader's own group before that of all", () => {
    const text = `# made up
User-agent: other
User-agent: freehold
Disallow: /team
Allow: /team/public # here
Disallow: /*.php$
Crawl-delay: 3

User-agent: *
Disallow: /`
    assert.deepStrictEqual(
      ["/", "/team", "/team/ann", "/team/public", "/a.php", "/a.php?x", "/teams"].map((path) => allows(text, path)),
      [true, false, false, true, false, true, false]
    )
    assert.strictEqual(Robots.parse(text, "Freehold").delay, 3)
    assert.isFalse(allows("User-agent: *\\nDisallow: /".replace("\\n", "\n"), "/"))
  })

  it("has the rules that it says, for however many readers it says them", () => {
    const rules = Array.from({ length: 2400 }, (_, n) => `Disallow: /${n}`)
    for (const agent of ["other", "*", "freehold"]) {
      const agents = Array.from({ length: 2400 }, (_, n) => `User-agent: ${agent === "other" ? `${agent}${n}` : agent}`)
      const robots = Robots.parse([...agents, "User-agent: *", ...rules].join("\n"), "Freehold")
      assert.lengthOf(robots.rules, rules.length, agent)
      assert.isFalse(Robots.allows(robots, "https://birch.example/2399"), agent)
    }
  })

  it("allows everything where it says nothing, and lets Allow win over a Disallow as long", () => {
    for (const text of ["", "User-agent: *\nDisallow:", "User-agent: other\nDisallow: /", "<html>", "Disallow: /"]) {
      assert.isTrue(allows(text, "/team"), text)
    }
    assert.isTrue(allows("User-agent: *\nDisallow: /team\nAllow: /team", "/team"))
  })

  it("is quick, whatever its rules are", () => {
    const rule = `Disallow: /${"*a".repeat(2000)}$`
    assert.isTrue(allows(`User-agent: *\n${rule}`, `/${"a".repeat(1500)}b`))
  })
})

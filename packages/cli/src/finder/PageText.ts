/**
 * What somebody who looks at a page of HTML reads, and where its links lead. What is not shown is not read: scripts, styles,
 * comments, and whatever is hidden by its attributes.
 *
 * A page may be a mebibyte of nothing but tags, which takes the better part of a second: it is read in slices, and others have their turn in between.
 */
import { Effect } from "effect"
import { Parser } from "htmlparser2"

export interface PageLink {
  readonly href: string
  /** What is shown of it. */
  readonly words: string
}

export interface PageText {
  readonly text: string
  readonly links: ReadonlyArray<PageLink>
}

/** Further text and links of a page are not read, nor is anything behind elements that are nested deeper. */
const mostText = 12_000
const mostLinks = 500
const mostDepth = 500

/** Characters that are parsed at once, some milliseconds at most: what is nested too deeply is seen behind them. */
const slice = 4096

const unshown = new Set(
  "script style noscript template svg math iframe object canvas audio video select option textarea title".split(" ")
)

/** Elements within a line: their ends do not end a word. */
const inline = new Set(
  "a abbr b bdi bdo cite code dfn em i kbd mark q s samp small span strong sub sup u var wbr".split(" ")
)

const isHidden = (name: string, attributes: Readonly<Record<string, string>>): boolean =>
  unshown.has(name) || attributes["hidden"] !== undefined || attributes["aria-hidden"] === "true"
  || /(display\s*:\s*none|visibility\s*:\s*hidden|(font-size|opacity)\s*:\s*0(\.0+)?(?![.\d]))/i.test(
    attributes["style"] ?? ""
  )

/** Of a page of HTML. */
export const read = Effect.fnUntraced(function*(html: string) {
  const links: Array<{ readonly href: string; words: string }> = []
  let text = ""
  let hidden = 0
  let depth = 0
  let link: { readonly href: string; words: string } | undefined
  const write = (part: string) => {
    const spaceAgain = part === " " && (text === "" || text.endsWith(" "))
    if (text.length < mostText && !spaceAgain) text += part
    if (link !== undefined && link.words.length < 200) link.words += part
  }
  const parser = new Parser({
    onopentag: (name, attributes) => {
      depth += 1
      if (hidden > 0 || isHidden(name, attributes)) {
        hidden += 1
        return
      }
      if (!inline.has(name)) write(" ")
      const href = attributes["href"]
      if (name === "a" && href !== undefined && links.length < mostLinks) {
        link = { href, words: "" }
        links.push(link)
      }
    },
    ontext: (part) => {
      if (hidden === 0) write(part)
    },
    onclosetag: (name) => {
      depth -= 1
      if (hidden > 0) {
        hidden -= 1
        return
      }
      if (name === "a") link = undefined
      if (!inline.has(name)) write(" ")
    }
  })
  for (let at = 0; at < html.length && depth < mostDepth; at += slice) {
    parser.write(html.slice(at, at + slice))
    yield* Effect.yieldNow
  }
  const page: PageText = { text: text.replaceAll(/\s+/g, " ").trim().slice(0, mostText), links }
  return page
})

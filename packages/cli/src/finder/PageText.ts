/**
 * What somebody who looks at a page of HTML reads, and where its links lead. What is not shown is not read: scripts, styles,
 * comments, and whatever is hidden by its attributes.
 */
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

/** Further text and links of a page are not read. */
const mostText = 12_000
const mostLinks = 500

const unshown = new Set(
  "script style noscript template svg math iframe object canvas audio video select option textarea title".split(" ")
)

/** Elements within a line: their ends do not end a word. */
const inline = new Set(
  "a abbr b bdi bdo cite code dfn em i kbd mark q s samp small span strong sub sup u var wbr".split(" ")
)

const isHidden = (name: string, attributes: Readonly<Record<string, string>>): boolean =>
  unshown.has(name) || attributes["hidden"] !== undefined || attributes["aria-hidden"] === "true"
  || /(display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d]))/i.test(
    attributes["style"] ?? ""
  )

/** Of a page of HTML. */
export const read = (html: string): PageText => {
  const links: Array<{ readonly href: string; words: string }> = []
  let text = ""
  let hidden = 0
  let link: { readonly href: string; words: string } | undefined
  const write = (part: string) => {
    if (text.length < mostText) text += part
    if (link !== undefined && link.words.length < 200) link.words += part
  }
  const parser = new Parser({
    onopentag: (name, attributes) => {
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
      if (hidden > 0) {
        hidden -= 1
        return
      }
      if (name === "a") link = undefined
      if (!inline.has(name)) write(" ")
    }
  })
  parser.end(html)
  return { text: text.replaceAll(/\s+/g, " ").trim().slice(0, mostText), links }
}

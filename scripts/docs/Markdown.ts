/** Markdown as the repository writes it: what GitHub makes of it, with the anchors that it gives to headings. */
import MarkdownIt from "markdown-it"

const parser = new MarkdownIt({ html: true, linkify: false })

/** The anchor that GitHub gives to a heading; `taken` holds those that the page has. */
const anchorOf = (title: string, taken: Map<string, number>): string => {
  const base = title.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").replaceAll(" ", "-")
  const used = taken.get(base)
  taken.set(base, (used ?? 0) + 1)
  return used === undefined ? base : `${base}-${used}`
}

export interface Section {
  /** The page's own title has level 1. */
  readonly level: number
  readonly title: string
  readonly anchor: string
  readonly text: string
}

export interface Page {
  readonly title: string
  readonly html: string
  readonly sections: ReadonlyArray<Section>
  /** What its links and pictures lead to, as written. */
  readonly links: ReadonlyArray<string>
}

/** Parses a page; `rewrite` says where each of its links leads. */
export const parse = (text: string, rewrite: (link: string) => string = (link) => link): Page => {
  const tokens = parser.parse(text, {})
  const taken = new Map<string, number>()
  const sections: Array<{ -readonly [K in keyof Section]: Section[K] }> = []
  const links: Array<string> = []
  tokens.forEach((token, i) => {
    if (token.type === "heading_open") {
      const inline = tokens[i + 1]?.children ?? []
      const title = inline.map((child) => child.type === "text" || child.type === "code_inline" ? child.content : "")
        .join("")
      const anchor = anchorOf(title, taken)
      token.attrSet("id", anchor)
      sections.push({ level: Number(token.tag.slice(1)), title, anchor, text: "" })
    }
    const section = sections.at(-1)
    if (section !== undefined && tokens[i - 1]?.type !== "heading_open") {
      if (token.type === "inline" || token.type === "fence" || token.type === "code_block") {
        section.text += `${token.content}\n`
      }
    }
    for (const child of token.children ?? []) {
      const attribute = child.type === "link_open" ? "href" : child.type === "image" ? "src" : undefined
      const link = attribute === undefined ? null : child.attrGet(attribute)
      if (attribute === undefined || link === null) continue
      links.push(String(link))
      child.attrSet(attribute, rewrite(String(link)))
    }
  })
  return {
    title: sections.find(({ level }) => level === 1)?.title ?? "",
    html: parser.renderer.render(tokens, parser.options, {}),
    sections,
    links
  }
}

/** Folds changesets into the section of a release: what is new first, then what changed, each with the parts that it touches. */

export interface Changeset {
  readonly bumps: Readonly<Record<string, string>>
  readonly summary: string
}

const frontMatter = /^---\n([^]*?)\n?---\n+([^]*)$/

/** Undefined for a file that is none, such as the folder's README. */
export const parse = (text: string): Changeset | undefined => {
  const [, head, summary] = frontMatter.exec(text) ?? []
  if (head === undefined || summary === undefined) return undefined
  const bumps = [...head.matchAll(/^["']?([^"':]+)["']?: (major|minor|patch)$/gm)].map(([, name = "", bump = ""]) =>
    [name, bump] as const
  )
  return { bumps: Object.fromEntries(bumps), summary: summary.trim() }
}

const titles = { major: "What you have to change", minor: "New", patch: "Changed and mended" }
const ranks = ["major", "minor", "patch"] as const

/** The weightiest of a changeset's bumps. */
const rankOf = ({ bumps }: Changeset) => ranks.find((rank) => Object.values(bumps).includes(rank)) ?? "patch"

const partsOf = ({ bumps }: Changeset): ReadonlyArray<string> =>
  Object.keys(bumps).map((name) => name.replace("@freehold/", "")).toSorted()

const line = (changeset: Changeset): string =>
  `- ${changeset.summary.replace(/\n+/g, "\n  ")} _(${partsOf(changeset).join(", ")})_`

export const section = (version: string, date: string, changesets: ReadonlyArray<Changeset>): string => {
  const groups = ranks.flatMap((rank) => {
    const entries = changesets.filter((each) => rankOf(each) === rank).toSorted((a, b) =>
      partsOf(b).length - partsOf(a).length
    )
    return entries.length === 0 ? [] : [`### ${titles[rank]}`, entries.map(line).join("\n")]
  })
  return [`## ${version} (${date})`, ...groups].join("\n\n")
}

/** The newest release stands first, below the introduction. */
export const insert = (changelog: string, added: string): string => {
  const at = changelog.search(/^## /m)
  return at === -1
    ? `${changelog.trimEnd()}\n\n${added}\n`
    : `${changelog.slice(0, at)}${added}\n\n${changelog.slice(at)}`
}

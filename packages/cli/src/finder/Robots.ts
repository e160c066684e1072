/**
 * What a robots.txt lets a reader have, by RFC 9309: of the groups that name the reader, else of those for everybody, the
 * longest rule that fits decides, and `Allow` where two are as long. What is no rule is passed by.
 */

interface Rule {
  readonly allow: boolean
  readonly path: string
}

export interface Robots {
  readonly rules: ReadonlyArray<Rule>
  /** Seconds between two requests that the site asks for; 0: it asks for none. */
  readonly delay: number
}

/** So many lines are read. */
const mostLines = 5000

const lineForm = /^\s*([a-z-]+)\s*:\s*([^#]*)/i

interface Group {
  rules: Array<Rule>
  delay: number
  /** Whether anything was said to it. */
  isNamed: boolean
}

const emptyGroup = (): Group => ({ rules: [], delay: 0, isNamed: false })

const add = (group: Group, name: string, value: string): void => {
  group.isNamed = true
  if (name === "crawl-delay") group.delay = Math.max(group.delay, Number(value) || 0)
  else if (value !== "") group.rules.push({ allow: name === "allow", path: value })
}

/** The part of the text that is for the reader of that name. */
export const parse = (text: string, agent: string): Robots => {
  const own = agent.toLowerCase()
  // Whom a group names besides does not matter, however many they are.
  const groups = { own: emptyGroup(), everybody: emptyGroup() }
  let isOwn = false
  let isEverybody = false
  let begun = false
  for (const line of text.split(/\r\n?|\n/, mostLines)) {
    const [, name = "", found = ""] = lineForm.exec(line) ?? []
    const value = found.trim()
    switch (name.toLowerCase()) {
      case "user-agent":
        isOwn = !begun && isOwn || value.toLowerCase() === own
        isEverybody = !begun && isEverybody || value === "*"
        begun = false
        break
      case "allow":
      case "disallow":
      case "crawl-delay":
        begun = true
        if (isOwn) add(groups.own, name.toLowerCase(), value)
        if (isEverybody) add(groups.everybody, name.toLowerCase(), value)
    }
  }
  const { delay, rules } = groups.own.isNamed ? groups.own : groups.everybody
  return { rules, delay }
}

/** Whether the path begins as the rule says, where `*` is anything and `$` the end. Walked once: no rule takes long. */
const fits = (rule: string, path: string): boolean => {
  const isWhole = rule.endsWith("$")
  const [first = "", ...parts] = (isWhole ? rule.slice(0, -1) : rule).split("*")
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    if (isWhole && isLast) return path.length - part.length >= at && path.endsWith(part)
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return !isWhole || at === path.length
}

/** Whether the address may be read. */
export const allows = ({ rules }: Robots, address: string): boolean => {
  const { pathname, search } = new URL(address)
  const path = `${pathname}${search}`
  const fitting = rules.filter((rule) => fits(rule.path, path))
  const longest = fitting.reduce((most, rule) => Math.max(most, rule.path.length), 0)
  const deciding = fitting.filter((rule) => rule.path.length === longest)
  return deciding.length === 0 || deciding.some(({ allow }) => allow)
}

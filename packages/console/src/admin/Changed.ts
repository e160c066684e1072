/** What a line of a log says was changed, in words: each field with what it was and what it is. */
import { momentOf } from "../part/Moment.ts"
import { joined, number, word } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"
import { isKind, kindName } from "./Words.ts"

export type Side = Output<"app_list_administration">["entries"][number]["before"]

export interface Changed {
  readonly field: string
  readonly words: string
}

type CountyOf = (fips: string) => string

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What was done: `org.suspended` as `Organization suspended`. */
export const actionName = (action: string): string => word(action.replace(/^org\./, "organization."))

const names: Readonly<Record<string, string>> = {
  county_fips: "Counties",
  state_abbrs: "States",
  whole_state_abbrs: "Whole states",
  ref: "Reference",
  refund_of: "Of entry",
  expires_at: "Ends"
}

const nameOf = (field: string): string => names[field] ?? (isKind(field) ? kindName(field) : word(field))

/** Numbers of lines of the ledger: names, not amounts. */
const entryFields: ReadonlySet<string> = new Set(["entry", "refund_of"])

/** How many of each kind were moved: what there was none of is no news. A limit of 0 is. */
const counts: ReadonlySet<string> = new Set(["moved"])

/** A member without a territory of their own sees all that their organization does. */
const nothingOf = (field: string): string => field === "territory" ? "everything" : "none"

const moment = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

const told = (field: string, value: unknown, countyOf: CountyOf): string => {
  if (value === null) return nothingOf(field)
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value === "number") return entryFields.has(field) ? `#${value}` : number(value)
  if (Array.isArray(value)) return value.map((each) => told(field, each, countyOf)).join(", ") || "none"
  if (isRecord(value)) {
    const set = Object.entries(value).filter(([, each]) => each !== null && !(each === 0 && counts.has(field)))
    return set.map(([name, each]) => `${nameOf(name).toLowerCase()} ${told(name, each, countyOf)}`).join("; ") || "none"
  }
  const text = String(value)
  return field === "county_fips" ? countyOf(text) : moment.test(text) ? momentOf(text) : text
}

/** What was added to a list and what was taken away. */
const listChange = (added: ReadonlyArray<string>, removed: ReadonlyArray<string>): string =>
  joined([
    added.length === 0 ? null : `${added.join(", ")} added`,
    removed.length === 0 ? null : `${removed.join(", ")} taken away`
  ], "; ")

const between = (field: string, before: unknown, after: unknown, countyOf: CountyOf): string => {
  const inWords = (value: unknown) => told(field, value, countyOf)
  if (Array.isArray(before) && Array.isArray(after)) {
    const [was, is] = [before.map(inWords), after.map(inWords)]
    const words = listChange(is.filter((each) => !was.includes(each)), was.filter((each) => !is.includes(each)))
    if (words !== "") return words
  }
  return `${inWords(before)}, now ${inWords(after)}`
}

const documentParts: Readonly<Record<string, string>> = {
  keys: "Key",
  members: "Member",
  loss_reasons: "Reason of a loss"
}

/** The fields of what is known by a name, which may have dots itself: an address does. */
const fieldsOfNamed =
  /^(.+?)((?:\.(?:county_fips|daily_limits|email|expires_at|label|monthly_credit_limit|name|requires_note|role|scopes|seat|status|territory))*(?:(?<=\.daily_limits)\.[a-z_]+)?)$/

/** `members.ana@acme.example.role` as `Member ana@acme.example, role`. */
const pathName = (path: string): string => {
  const [head = "", rest = ""] = splitOnce(path, ".")
  const part = documentParts[head]
  if (part === undefined || rest === "") {
    return word(path.split(".").map((name) => nameOf(name).toLowerCase()).join(", "))
  }
  const [, name = rest, fields = ""] = fieldsOfNamed.exec(rest) ?? []
  return joined([
    `${part} ${name}`,
    ...fields.split(".").map((field) => field === "" ? null : nameOf(field).toLowerCase())
  ])
}

const splitOnce = (text: string, by: string): readonly [string, string | undefined] => {
  const at = text.indexOf(by)
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + by.length)]
}

/** A value as the difference of documents writes it: objects in JSON, texts and the codes of counties as they are. */
const parsed = (field: string, text: string): unknown => {
  if (text === "none") return null
  if (field === "county_fips") return text.split(" ")
  if (!/^(?:[{[]|-?\d+$|true$|false$)/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A line of the difference of two documents of an organization: `plan: team -> enterprise`. */
const ofDocument = (line: string, countyOf: CountyOf): Changed => {
  const [path, rest] = splitOnce(line, ": ")
  if (rest === undefined) return { field: "", words: line }
  const last = path.slice(path.lastIndexOf(".") + 1)
  const field = pathName(path)
  const [before, after] = splitOnce(rest, " -> ")
  if (after !== undefined) return { field, words: between(last, parsed(last, before), parsed(last, after), countyOf) }
  const isNew = rest.startsWith("new, ")
  if (isNew) {
    return { field, words: joined(["new", told(last, parsed(last, rest.slice("new, ".length)), countyOf)], ": ") }
  }
  const entries = rest.split(" ")
  if (entries.every((entry) => /^[+-]./.test(entry))) {
    const of = (sign: string) =>
      entries.flatMap((entry) => entry.startsWith(sign) ? [told(last, entry.slice(1), countyOf)] : [])
    return { field, words: listChange(of("+"), of("-")) }
  }
  return { field, words: told(last, parsed(last, rest), countyOf) }
}

/** What was changed: what has a before and an after goes first. */
export const changesOf = (before: Side, after: Side, countyOf: CountyOf): ReadonlyArray<Changed> => {
  const [was, is] = [before ?? {}, after ?? {}]
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const isBoth = (field: string) => Object.hasOwn(was, field) && Object.hasOwn(is, field)
  const ordered = [...fields.filter(isBoth), ...fields.filter((field) => !isBoth(field))]
  return ordered.flatMap((field) => {
    const value = is[field]
    // The lines of a difference say by themselves that something was changed.
    if (field === "changes" && Array.isArray(value)) return value.map((line) => ofDocument(String(line), countyOf))
    if (field === "outcome" && Object.hasOwn(is, "changes") && value === "changed") return []
    const words = isBoth(field)
      ? between(field, was[field], value, countyOf)
      : Object.hasOwn(is, field)
      ? told(field, value, countyOf)
      : `was ${told(field, was[field], countyOf)}`
    return [{ field: nameOf(field), words }]
  })
}

/** Whether words leave something of it out, such as which values were none. */
export const isShortened = (...sides: ReadonlyArray<Side>): boolean =>
  sides.some((side) => Object.values(side ?? {}).some((value) => typeof value === "object" && value !== null))

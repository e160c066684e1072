/** The ledger as a file: made in the page, from pages of the same answer that it shows. */
import { call, type Input, type Output } from "../service/Call.ts"

type Entry = Output<"app_list_ledger">["entries"][number]
type Filter = Omit<Input<"app_list_ledger">, "cursor" | "limit">

const pageSize = 200

/** A file has at most so many pages. */
const maximumPages = 100

/** The newest entries, and whether those are all. */
export const ledgerOf = async (
  filter: Filter
): Promise<{ readonly entries: ReadonlyArray<Entry>; readonly isWhole: boolean }> => {
  const entries: Array<Entry> = []
  let cursor: string | null = null
  for (let page = 0; page < maximumPages; page++) {
    const input: Input<"app_list_ledger"> = { ...filter, limit: pageSize, ...cursor === null ? {} : { cursor } }
    const answer: Output<"app_list_ledger"> = (await call("app_list_ledger", input)).data
    entries.push(...answer.entries)
    cursor = answer.next_cursor
    if (cursor === null) return { entries, isWhole: true }
  }
  return { entries, isWhole: false }
}

const columns: ReadonlyArray<readonly [string, (entry: Entry) => string | number | null]> = [
  ["entry", ({ entry }) => entry],
  ["at", ({ at }) => at],
  ["kind", ({ kind }) => kind],
  ["action", ({ action }) => action],
  ["ref", ({ ref }) => ref],
  ["subject_type", ({ subject_type }) => subject_type],
  ["subject_id", ({ subject_id }) => subject_id],
  ["credits", ({ credits }) => credits],
  ["balance_after", ({ balance_after }) => balance_after],
  ["actor_kind", ({ actor }) => actor.kind],
  ["actor_id", ({ actor }) => actor.id],
  ["actor_name", ({ actor }) => actor.name],
  ["request_id", ({ request_id }) => request_id],
  ["refund_of", ({ refund_of }) => refund_of]
]

/** A spreadsheet takes what begins so for a formula; people chose some of these texts. */
const cellOf = (value: string | number | null): string => {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}

/** Without it a spreadsheet takes letters with accents for others. */
const byteOrderMark = "\uFEFF"

export const csvOf = (entries: ReadonlyArray<Entry>): string =>
  byteOrderMark + [
    columns.map(([name]) => name),
    ...entries.map((entry) => columns.map(([, value]) => cellOf(value(entry))))
  ].map((cells) => `${cells.join(",")}\r\n`).join("")

/** Has the browser keep it as a file; a text is CSV. */
export const save = (name: string, content: string | Blob): void => {
  const file = typeof content === "string" ? new Blob([content], { type: "text/csv;charset=utf-8" }) : content
  const address = URL.createObjectURL(file)
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

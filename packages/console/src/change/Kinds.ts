/** What kinds of recorded changes are called, and the events that tell of them. */
import { word } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"

type Kind = Output<"service_get_changes">["changes"][number]["kind"]

export const kinds: Readonly<Record<Kind, string>> = {
  ownership_transfer: "The owner of record changed",
  sale: "A sale was recorded",
  manager_change: "The manager changed",
  contact_departure: "Somebody left their employer",
  contact_title_change: "Somebody's title changed",
  contact_employer_change: "Somebody changed employers"
}

export const isKind = (value: string | null): value is Kind => value !== null && Object.hasOwn(kinds, value)

/** A kind that this page does not know is shown as it is. */
export const wordsOf = (kind: Kind): string => Object.hasOwn(kinds, kind) ? kinds[kind] : kind

const signal = "signal."

/** An event by its type: `signal.sale` as the change that it tells of. */
export const eventName = (type: string): string => {
  const kind = type.startsWith(signal) ? type.slice(signal.length) : null
  return isKind(kind) ? kinds[kind] : kind === "withdrawn" ? "A change was taken back" : word(type)
}

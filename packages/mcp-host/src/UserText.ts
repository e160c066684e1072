/**
 * Marks what people of the organization wrote, so that an assistant takes it for data and not for instructions: each
 * object with such a text beside its other values carries `user_content: true`. decisions, section 5.
 */
import { Predicate } from "effect"

/** An object that holds a text of people, with the mark. */
const marked = (holder: object) => ({ ...holder, user_content: true })

const markedRows = (rows: unknown): unknown =>
  Array.isArray(rows) ? rows.map((row) => Predicate.isObject(row) ? marked(row) : row) : rows

const isWritten = (text: unknown): boolean => Predicate.isString(text) && text !== ""

/** Marked where one of the texts stands: without them, nothing in the object is of people. */
const markedWhere = (...texts: ReadonlyArray<string>) => (holder: unknown): unknown =>
  Predicate.isObject(holder) && texts.some((text) => isWritten(holder[text])) ? marked(holder) : holder

/**
 * The result with a bundle whose notes and actions are marked, its pipeline where a note says why the lead was lost, and the bundle
 * itself where it has digests of them.
 */
export const markBundle = (result: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const { bundle } = result
  if (!Predicate.isObject(bundle) || !("notes" in bundle) || !("actions" in bundle)) return result
  return {
    ...result,
    bundle: markedWhere("notes_digest", "actions_digest")({
      ...bundle,
      ..."pipeline" in bundle ? { pipeline: markedWhere("loss_reason_note")(bundle["pipeline"]) } : {},
      notes: markedRows(bundle["notes"]),
      actions: markedRows(bundle["actions"])
    })
  }
}

/** The result with the moves marked that have a note. */
export const markHistory = (result: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const { history } = result
  return { ...result, history: Array.isArray(history) ? history.map(markedWhere("note")) : history }
}

/** The result with the requests marked that say in words what was asked, or what was answered. */
export const markRequests = (result: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const { requests } = result
  const mark = markedWhere("subject", "message", "answer")
  return { ...result, requests: Array.isArray(requests) ? requests.map(mark) : requests }
}

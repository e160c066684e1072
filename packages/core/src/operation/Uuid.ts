/** An id that the service gave out. */
import { Option, Schema } from "effect"

/** A UUID of any case, decoded to lower case by `parseId` where it is used. */
export const Uuid = Schema.String.annotate({ format: "uuid" }).check(
  Schema.isPattern(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, { message: "Expected a UUID" })
)

const canonical = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The id in its canonical lower-case form; none for what is no UUID. */
export const parseId = (text: string): Option.Option<string> => {
  const lower = text.toLowerCase()
  return canonical.test(lower) ? Option.some(lower) : Option.none()
}

/** What a record is named by: its id in the canonical form, or its key as it is. */
export const recordName = (text: string): string => Option.getOrElse(parseId(text), () => text)

/** Each record once, as far as its names tell. */
export const distinctNames = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(new Set(texts.map(recordName)))

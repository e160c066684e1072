/** What only a person can say of a source: a proposed document says what belongs there, and is not taken before it does. */
import type { SourceDocument } from "@freehold/core/source/SourceDocument"
import { Record } from "effect"

export const toWrite = {
  title: "what the publisher calls it",
  publisher: "who publishes it",
  licence: "under which terms it may be used",
  attribution: "what is shown with the data"
} as const satisfies Partial<SourceDocument>

/** What is still as it was proposed. */
export const unwritten = (document: SourceDocument): ReadonlyArray<string> =>
  Record.keys(toWrite).filter((field) => document[field] === toWrite[field])

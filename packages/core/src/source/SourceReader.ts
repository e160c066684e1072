/**
 * What is behind a source: reads its records page by page, in an order that stays the same while records come and go.
 *
 * The position after a page is a JSON value. A reader that is given one goes on behind that page, in another process too,
 * and what it reads then is what an undisturbed one would have read.
 */
import { Context, type Redacted, Schema, type Stream } from "effect"
import type { SourceDocument } from "./SourceDocument.ts"

/** One record: its cells by column, all of them text; a column of which nothing is known is missing or empty. */
export interface ReadRecord {
  readonly _tag: "Read"
  /** Where it stands at the source: a line, an id. */
  readonly place: string
  readonly cells: ReadonlyMap<string, string>
}

/** A record that could not be read, with what there is of it; empty: it is known that there is none. */
export interface UnreadableRecord {
  readonly _tag: "Unreadable"
  readonly place: string
  readonly reason: string
  readonly text: string
}

export interface SourcePage {
  readonly records: ReadonlyArray<ReadRecord | UnreadableRecord>
  /** The columns that the source says it has; null: it does not say. */
  readonly columns: ReadonlyArray<string> | null
  /** Behind this page. */
  readonly position: Schema.Json
  /** What the next reading that wants only what changed is given as `since`. */
  readonly mark: Schema.Json
}

export interface Reading {
  readonly document: SourceDocument
  readonly token: Redacted.Redacted | null
  /** The mark of an earlier reading: only what changed after it is asked for. Null: everything. */
  readonly since: Schema.Json
  /** Where to go on; null: at the beginning. */
  readonly position: Schema.Json
}

/** The source cannot be read. */
export class SourceFault extends Schema.TaggedError<SourceFault>()("SourceFault", {
  reason: Schema.String,
  /** It will be so again: someone has to look. Otherwise the next sync goes on where this one stopped. */
  lasting: Schema.Boolean
}) {
  override get message() {
    return this.reason
  }
}

/** Port: reads the records of a source. */
export class SourceReader extends Context.Service<SourceReader, {
  /**
   * The pages behind `position`. Of a source that did not change since the mark: one page without records whose
   * position is null.
   */
  read(reading: Reading): Stream.Stream<SourcePage, SourceFault>
  /** Whether the source can be asked for what changed; otherwise each reading is of everything. */
  tellsChanges(document: SourceDocument): boolean
}>()("@freehold/core/source/SourceReader") {}

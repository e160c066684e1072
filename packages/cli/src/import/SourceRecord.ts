/** One record of an import file before anything is known of its fields. */

/** A record that could be read: `value` is a JSON value, or the cells of a CSV record. */
export interface SourceRecord<A> {
  readonly _tag: "Read"
  /** The line on which it starts; the first line of the file is 1. */
  readonly line: number
  readonly value: A
}

/** A record that could not, with what there is of it. */
export interface BrokenRecord {
  readonly _tag: "Broken"
  readonly line: number
  readonly reason: string
  readonly text: string
}

/** Records longer than this are refused, so that a file of any content is read in constant memory. */
export const longestRecord = 16 * 1024 * 1024

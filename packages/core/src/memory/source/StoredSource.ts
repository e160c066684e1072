/** A source as memory keeps it. */
import type { KeptRow, Source, SourceRun } from "../../source/Sources.ts"

/** A source with what it has, and what an open run has read. */
export interface StoredSource extends Omit<Source, "records" | "lastRun"> {
  readonly failures: number
  /** It is there for the sake of the records that it brought, and nothing else knows it. */
  readonly isRemoved: boolean
  /** By number. */
  readonly runs: ReadonlyArray<SourceRun>
  /** By key: the digest of what was loaded, and since when the source does not have it any more. */
  readonly known: ReadonlyMap<string, { readonly digest: string; readonly vanishedAt: string | null }>
  /** By key; `row` is null where it is the same, faulty or loaded. */
  readonly rows: ReadonlyMap<string, KeptRow>
}

/** What reads a file of rows and loads it: whoever puts the installation together has it, since files belong to a platform. */
import { Context, type Effect, Schema, type Stream } from "effect"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { ImportKind } from "./ImportKind.ts"
import type { ImportCounts, ShownRow } from "./ImportRuns.ts"

/** What keeps an import from running at all: a fault of the file or of the map, as opposed to one of a row. */
export class ImportRefused extends Schema.TaggedError<ImportRefused>()("ImportRefused", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** Port: imports that come as bytes, and not by the name of a file. */
export class Importer extends Context.Service<Importer, {
  /** Whether a map fits a kind. It names no other file. */
  check(kind: ImportKind, map: string): Effect.Effect<void, ImportRefused>

  /** Reads, checks and loads in constant memory. */
  run(file: {
    readonly kind: ImportKind
    readonly name: string
    readonly map: string | null
    readonly strict: boolean
    readonly dryRun: boolean
    readonly bytes: Stream.Stream<Uint8Array, TemporarilyUnavailable>
    readonly onProgress: (counts: ImportCounts, bytesRead: number) => Effect.Effect<void, TemporarilyUnavailable>
    /** Hears of rejected rows, as lines of NDJSON: as they may be told of in the moment in which they are asked for. */
    readonly onRejects: (
      lines: Effect.Effect<string, TemporarilyUnavailable>
    ) => Effect.Effect<void, TemporarilyUnavailable>
  }): Effect.Effect<
    {
      readonly counts: ImportCounts
      /** The first rows, in the same way. */
      readonly shown: Effect.Effect<ReadonlyArray<ShownRow>, TemporarilyUnavailable>
      /** What there is to know of the rows beside their counts, in sentences; null: nothing. */
      readonly note: string | null
    },
    ImportRefused | TemporarilyUnavailable
  >
}>()("@freehold/core/import/Importer") {}

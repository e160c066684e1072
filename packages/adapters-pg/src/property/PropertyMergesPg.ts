/** `PropertyMerges` over PostgreSQL: one transaction, in which imports wait; what moves is the work of `MergeFunctions`. */
import { type Merged, MergeRefused, nothingMoved, PropertyMerges } from "@freehold/core/property/PropertyMerges"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { unavailable } from "../database/Availability.ts"
import { storable } from "../database/StorableText.ts"
import { transaction } from "../database/Transaction.ts"
import { takeTurn } from "../import/ImportBatches.ts"
import * as PropertyMerge from "./PropertyMerge.ts"

interface Found {
  readonly id: string
  readonly key: string
  readonly retired_into: string | null
}

/** Undoes a dry run, and carries what it found. */
interface Undone {
  readonly _tag: "Undone"
  readonly merged: Merged
}

export const layer: Layer.Layer<PropertyMerges, never, SqlClient.SqlClient> = Layer.effect(
  PropertyMerges,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    const find = Effect.fnUntraced(function*(named: string, reason: MergeRefused["reason"]) {
      const [found] = yield* sql<Found>`
        SELECT id::text AS id, key, retired_into::text AS retired_into FROM property
        WHERE id::text = ${named.toLowerCase()} OR key = ${storable(named)}
        ORDER BY key = ${storable(named)} DESC LIMIT 1`
      return found ?? (yield* new MergeRefused({ reason, named }))
    })

    const merge = Effect.fnUntraced(function*(from: string, into: string) {
      yield* takeTurn(sql)
      const gone = yield* find(from, "unknown_from")
      const named = yield* find(into, "unknown_into")
      const heir = named.retired_into === null ? named : yield* find(named.retired_into, "unknown_into")
      const between = { from: { id: gone.id, key: gone.key }, into: { id: heir.id, key: heir.key } }
      if (gone.id === heir.id) return yield* new MergeRefused({ reason: "same", named: into })
      if (gone.retired_into === heir.id) {
        return { outcome: "unchanged", ...between, moved: nothingMoved } satisfies Merged
      }
      if (gone.retired_into !== null) return yield* new MergeRefused({ reason: "merged_elsewhere", named: from })
      const moved = yield* Effect.provideService(PropertyMerge.merge(gone.id, heir.id), SqlClient.SqlClient, sql)
      if (moved === null) return yield* new MergeRefused({ reason: "research_running", named: from })
      return { outcome: "merged", ...between, moved } satisfies Merged
    })

    const tried = (from: string, into: string) =>
      Effect.flatMap(merge(from, into), (merged) => Effect.fail<Undone>({ _tag: "Undone", merged }))

    return PropertyMerges.of({
      merge: Effect.fn("PropertyMerges.merge")(
        ({ dryRun, from, into }) =>
          dryRun
            ? PropertyMerge.patiently(transaction(sql, tried(from, into))).pipe(
              Effect.catchTag("Undone", ({ merged }) => Effect.succeed(merged))
            )
            : PropertyMerge.patiently(transaction(sql, merge(from, into))),
        Effect.catchTag("SqlError", unavailable)
      )
    })
  })
)

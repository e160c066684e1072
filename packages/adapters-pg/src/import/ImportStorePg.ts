/**
 * `ImportStore` over PostgreSQL: a batch is one transaction of a few statements, whatever its size.
 *
 * Loads take turns on an advisory lock, so that two imports neither deadlock nor insert the same key twice; a strict
 * import holds it to its end.
 */
import type { ImportKind } from "@freehold/core/import/ImportKind"
import type { ImportBatch } from "@freehold/core/import/ImportRow"
import { ImportStore } from "@freehold/core/import/ImportStore"
import type { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { relay } from "../change/ChangeRelay.ts"
import { unavailable } from "../database/Availability.ts"
import { transaction } from "../database/Transaction.ts"
import { patiently } from "../property/PropertyMerge.ts"
import { takeTurn } from "./ImportBatches.ts"
import * as ImportFacts from "./ImportFacts.ts"
import * as ImportPeople from "./ImportPeople.ts"
import * as ImportProperties from "./ImportProperties.ts"

/** Fewer changed rows leave the planner's statistics good enough. */
const manyRows = 1000

const tables: Readonly<Record<ImportKind, ReadonlyArray<string>>> = {
  properties: ["property", "county"],
  firms: ["firm", "property_firm"],
  contacts: ["contact", "property_contact", "property"],
  research: ["property_research", "property"],
  changes: ["property_change"]
}

const loadRows = (batch: ImportBatch) => {
  switch (batch.kind) {
    case "properties":
      return ImportProperties.load(batch.rows)
    case "firms":
      return ImportPeople.loadFirms(batch.rows)
    case "contacts":
      return ImportPeople.loadContacts(batch.rows)
    case "research":
      return ImportFacts.loadResearch(batch.rows)
    case "changes":
      return ImportFacts.loadChanges(batch.rows)
  }
}

export const layer: Layer.Layer<ImportStore, never, SqlClient.SqlClient> = Layer.effect(
  ImportStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient

    return ImportStore.of({
      load: Effect.fn("ImportStore.load")(
        function*(batch: ImportBatch) {
          yield* takeTurn(sql)
          return yield* Effect.provideService(loadRows(batch), SqlClient.SqlClient, sql)
        },
        (load) => patiently(transaction(sql, load)),
        Effect.catchTag("SqlError", unavailable)
      ),

      atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        // The effect's own failure has to roll back without being taken for one of the database.
        transaction(sql, Effect.mapError(effect, (failure) => ({ _tag: "Failed" as const, failure }))).pipe(
          Effect.catch((error): Effect.Effect<never, E | TemporarilyUnavailable> =>
            error._tag === "Failed" ? Effect.fail(error.failure) : unavailable(error)
          )
        ),

      settle: Effect.fn("ImportStore.settle")(
        function*(kind, rows) {
          // Any kind of rows may have brought changes.
          yield* relay(sql)
          yield* sql`
            INSERT INTO import_total AS t (kind, runs, changed_rows, last_at) VALUES (${kind}, 1, ${rows}::integer, now())
            ON CONFLICT (kind) DO UPDATE
            SET runs = t.runs + 1, changed_rows = t.changed_rows + excluded.changed_rows, last_at = now()`
          if (rows < manyRows) return
          yield* sql.unsafe(`ANALYZE ${tables[kind].join(", ")}`)
        },
        Effect.asVoid,
        Effect.catchTag("SqlError", unavailable)
      )
    })
  })
)

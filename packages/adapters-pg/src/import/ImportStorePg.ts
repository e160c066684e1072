/**
 * `ImportStore` over PostgreSQL: a batch is one transaction of a few statements, whatever its size.
 *
 * Loads of properties run beside each other. Two that meet at one record find that out by its key or its version, and the
 * later one is tried again. So do loads of people, the later of whom waits for the earlier one where they meet at a person. Of the
 * other kinds one load runs at a time. What decides who may be listed, or which records are one, runs beside no load: so
 * does a batch that retires records, and a strict import, to its end.
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
import { mostAtFirst } from "../map/MapFunctions.ts"
import { patiently } from "../property/PropertyMerge.ts"
import { erasedPlaces } from "./ErasedPeople.ts"
import { commitLater, commitNow, joinIn, joinInAlone, takeTurn } from "./ImportBatches.ts"
import * as ImportFacts from "./ImportFacts.ts"
import * as ImportPeople from "./ImportPeople.ts"
import * as ImportProperties from "./ImportProperties.ts"
import * as RestingIndexes from "./RestingIndexes.ts"

/** Fewer changed rows leave the planner's statistics good enough. */
const manyRows = 1000

const tables: Readonly<Record<ImportKind, ReadonlyArray<string>>> = {
  properties: ["property", "county"],
  firms: ["firm", "property_firm"],
  contacts: ["contact", "property_contact", "property"],
  research: ["property_research", "property"],
  changes: ["property_change"]
}

/** Waits for those that the load must not run beside, and lets its transaction end as `commitLater` says. */
const enter = (sql: SqlClient.SqlClient, batch: ImportBatch) => {
  switch (batch.kind) {
    case "properties":
      return batch.rows.some(ImportProperties.retires)
        ? Effect.andThen(takeTurn(sql), commitLater(sql))
        : joinIn(sql)
    case "contacts":
      return joinIn(sql)
    case "firms":
    case "research":
    case "changes":
      return joinInAlone(sql, batch.kind)
  }
}

const loadRows = (batch: ImportBatch, onMisnamed: (fips: string) => void) => {
  switch (batch.kind) {
    case "properties":
      return ImportProperties.load(batch.rows, onMisnamed)
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

/** Between two batches the transaction stands still for as long as the rows take to come, from a program too. */
const waitForRows = (sql: SqlClient.SqlClient) => sql`SET LOCAL idle_in_transaction_session_timeout = '1h'`

export const layer: Layer.Layer<ImportStore, never, SqlClient.SqlClient> = Layer.effect(
  ImportStore,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    /** Looked at when an import ends: each costs a look at the records of its county. */
    const misnamed = new Set<string>()

    return ImportStore.of({
      load: Effect.fn("ImportStore.load")(
        function*(batch: ImportBatch) {
          yield* enter(sql, batch)
          return yield* Effect.provideService(loadRows(batch, (fips) => misnamed.add(fips)), SqlClient.SqlClient, sql)
        },
        (load) => patiently(transaction(sql, load)),
        Effect.catchTag("SqlError", unavailable)
      ),

      erased: Effect.fn("ImportStore.erased")(
        (people) => Effect.provideService(erasedPlaces(people), SqlClient.SqlClient, sql),
        Effect.catchTag("SqlError", unavailable)
      ),

      atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        // The effect's own failure has to roll back without being taken for one of the database.
        transaction(
          sql,
          Effect.andThen(
            Effect.andThen(waitForRows(sql), takeTurn(sql)),
            Effect.tap(
              Effect.mapError(effect, (failure) => ({ _tag: "Failed" as const, failure })),
              () => commitNow(sql)
            )
          )
        ).pipe(
          Effect.catch((error): Effect.Effect<never, E | TemporarilyUnavailable> =>
            error._tag === "Failed" ? Effect.fail(error.failure) : unavailable(error)
          )
        ),

      expectMore: Effect.fn("ImportStore.expectMore")((kind, soFar) =>
        RestingIndexes.isFirstLoaded(kind) ? RestingIndexes.rest(sql, kind, soFar) : Effect.void
      ),

      settle: Effect.fn("ImportStore.settle")(
        function*(kind, rows) {
          if (RestingIndexes.isFirstLoaded(kind)) yield* RestingIndexes.restore(sql)
          // Any kind of rows may have brought changes.
          yield* relay(sql)
          yield* sql`
            INSERT INTO import_total AS t (kind, runs, changed_rows, last_at) VALUES (${kind}, 1, ${rows}::integer, now())
            ON CONFLICT (kind) DO UPDATE
            SET runs = t.runs + 1, changed_rows = t.changed_rows + excluded.changed_rows, last_at = now()`
          // One by one, so that none is held while another is waited for.
          for (const fips of kind === "properties" ? Array.from(misnamed) : []) {
            yield* ImportProperties.renameCounty(sql, fips)
            misnamed.delete(fips)
          }
          const toDo = [
            ...rows < manyRows ? [] : [sql.unsafe(`ANALYZE ${tables[kind].join(", ")}`)],
            ...kind === "properties" ? [sql`SELECT map_cell_fold(${mostAtFirst}::integer)`] : []
          ]
          yield* Effect.all(toDo, { concurrency: "unbounded", discard: true })
        },
        Effect.catchTag("SqlError", unavailable)
      )
    })
  })
)

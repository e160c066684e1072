/**
 * The schema's migrations, in order.
 *
 * The first makes the schema of the first release. From that release on, migrations only add: one that was released is
 * never edited, and the next has a greater number (which may leave gaps) and says of every table, every function and
 * every column that is not obvious what it is (`database/Comment`). `pnpm schema` then writes docs/schema.md anew. So
 * servers are upgraded one by one while others answer. One that does more than add, as far as a program that does not know
 * it can tell, stands in `breaks`, and the database remembers it. docs/upgrading.md.
 *
 * SQL functions live beside the adapters that call them, in the text that they have today. A migration that changes one
 * runs that text again: `CREATE OR REPLACE` makes of an older function the present one, and nothing of what a fresh
 * database has already. What returns something else than before is dropped first, `IF EXISTS`. Since a text may name what
 * only a later migration makes, functions are not checked before they are called.
 */
import { Effect, Schema } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import * as RestingIndexes from "../import/RestingIndexes.ts"

/** Loaded when it is run: whoever finds the schema up to date needs the names alone. */
const step = <E, R>(load: () => Promise<{ readonly default: Effect.Effect<void, E, R> }>) =>
  Effect.flatMap(Effect.promise(load), ({ default: migration }) => migration)

/** Each under its number and name. */
export const migrations = {
  "0001_baseline": step(() => import("./0001_baseline.ts")),
  "0030_monthly_grants": step(() => import("./0030_monthly_grants.ts")),
  "0032_address_windows": step(() => import("./0032_address_windows.ts")),
  "0040_reach": step(() => import("./0040_reach.ts")),
  "0041_county_order": step(() => import("./0041_county_order.ts")),
  "0047_watching": step(() => import("./0047_watching.ts")),
  "0050_sessions": step(() => import("./0050_sessions.ts")),
  "0051_viewing": step(() => import("./0051_viewing.ts")),
  "0053_administration": step(() => import("./0053_administration.ts")),
  "0056_issuer_sessions": step(() => import("./0056_issuer_sessions.ts")),
  "0060_retries": step(() => import("./0060_retries.ts")),
  "0070_history": step(() => import("./0070_history.ts")),
  "0071_key_expiry": step(() => import("./0071_key_expiry.ts")),
  "0072_operator_log": step(() => import("./0072_operator_log.ts")),
  "0073_erasure": step(() => import("./0073_erasure.ts")),
  "0075_cells": step(() => import("./0075_cells.ts")),
  "0076_moves": step(() => import("./0076_moves.ts")),
  "0080_operator": step(() => import("./0080_operator.ts")),
  "0081_imports": step(() => import("./0081_imports.ts")),
  "0085_found_again": step(() => import("./0085_found_again.ts")),
  "0090_delivery_lanes": step(() => import("./0090_delivery_lanes.ts")),
  "0095_sources": step(() => import("./0095_sources.ts")),
  "0105_crm": step(() => import("./0105_crm.ts")),
  "0110_lock_order": step(() => import("./0110_lock_order.ts")),
  "0111_notices": step(() => import("./0111_notices.ts")),
  "0115_matches": step(() => import("./0115_matches.ts")),
  "0120_finder": step(() => import("./0120_finder.ts")),
  "0125_resting_indexes": step(() => import("./0125_resting_indexes.ts")),
  "0126_places_given": step(() => import("./0126_places_given.ts")),
  "0130_claims_in_place": step(() => import("./0130_claims_in_place.ts")),
  "0131_first_calls_at_once": step(() => import("./0131_first_calls_at_once.ts")),
  "0140_map_cells": step(() => import("./0140_map_cells.ts")),
  "0141_arrivals_at_once": step(() => import("./0141_arrivals_at_once.ts")),
  "0150_map_upkeep": step(() => import("./0150_map_upkeep.ts")),
  "0151_lanes_free_while_recording": step(() => import("./0151_lanes_free_while_recording.ts")),
  "0160_failing_places_rest": step(() => import("./0160_failing_places_rest.ts")),
  "0170_requests_counted_together": step(() => import("./0170_requests_counted_together.ts")),
  "0171_claims_by_kept_plans": step(() => import("./0171_claims_by_kept_plans.ts")),
  "0172_first_load_rounds": step(() => import("./0172_first_load_rounds.ts")),
  "0173_reach_tally": step(() => import("./0173_reach_tally.ts")),
  "0174_settings_in_order": step(() => import("./0174_settings_in_order.ts")),
  "0175_calls_share_a_commit": step(() => import("./0175_calls_share_a_commit.ts")),
  "0176_page_rows": step(() => import("./0176_page_rows.ts")),
  "0177_titles_and_counties": step(() => import("./0177_titles_and_counties.ts")),
  "0178_people_beyond_ascii": step(() => import("./0178_people_beyond_ascii.ts")),
  "0179_erased_titles": step(() => import("./0179_erased_titles.ts")),
  "0182_resting_indexes_of_people": step(() => import("./0182_resting_indexes_of_people.ts")),
  "0183_bounded_lists": step(() => import("./0183_bounded_lists.ts")),
  "0184_bounded_notes": step(() => import("./0184_bounded_notes.ts")),
  "0185_bounded_searches": step(() => import("./0185_bounded_searches.ts")),
  "0186_bounded_changes_of_leads": step(() => import("./0186_bounded_changes_of_leads.ts")),
  "0190_names_without_accents": step(() => import("./0190_names_without_accents.ts")),
  "0191_replaced_endpoints": step(() => import("./0191_replaced_endpoints.ts")),
  "0192_less_patient_days": step(() => import("./0192_less_patient_days.ts")),
  "0196_records_as_published": step(() => import("./0196_records_as_published.ts")),
  "0197_titles_and_owners_without_accents": step(() => import("./0197_titles_and_owners_without_accents.ts")),
  "0198_coverage_asked_once": step(() => import("./0198_coverage_asked_once.ts")),
  "0199_places_by_county": step(() => import("./0199_places_by_county.ts")),
  "0200_former_counties_of_runs": step(() => import("./0200_former_counties_of_runs.ts")),
  "0201_retired_opens_nobody": step(() => import("./0201_retired_opens_nobody.ts")),
  "0202_notes_of_imports": step(() => import("./0202_notes_of_imports.ts")),
  "0203_replaced_endpoints_end": step(() => import("./0203_replaced_endpoints_end.ts")),
  "0204_order_of_the_log": step(() => import("./0204_order_of_the_log.ts")),
  "0205_disclosed_ties_in_order": step(() => import("./0205_disclosed_ties_in_order.ts")),
  "0206_statistics_of_choices": step(() => import("./0206_statistics_of_choices.ts")),
  "0207_choices_by_county": step(() => import("./0207_choices_by_county.ts")),
  "0208_research_by_county": step(() => import("./0208_research_by_county.ts")),
  "0209_open_tasks_first": step(() => import("./0209_open_tasks_first.ts")),
  "0210_owners_of_merged_properties": step(() => import("./0210_owners_of_merged_properties.ts")),
  "0211_changes_since_subscription": step(() => import("./0211_changes_since_subscription.ts")),
  "0212_moves_lose_nothing": step(() => import("./0212_moves_lose_nothing.ts")),
  "0213_no_organization_holds_up_others": step(() => import("./0213_no_organization_holds_up_others.ts")),
  "0214_nobody_suppressed_is_named": step(() => import("./0214_nobody_suppressed_is_named.ts")),
  "0215_late_deliveries_are_kept": step(() => import("./0215_late_deliveries_are_kept.ts")),
  "0216_imports_keep_nobody_erased": step(() => import("./0216_imports_keep_nobody_erased.ts")),
  "0217_ties_stay_whose_they_are": step(() => import("./0217_ties_stay_whose_they_are.ts")),
  "0220_a_promoted_cell_is_told": step(() => import("./0220_a_promoted_cell_is_told.ts")),
  "0223_parcels_by_county": step(() => import("./0223_parcels_by_county.ts"))
}

/** Migrations that do more than add, each with the first version of the program that knows it. */
export const breaks: Readonly<Record<string, string>> = {}

const table = "freehold_migration"

const idOf = (name: string): number => Number.parseInt(name, 10)

/** The migrations that the database ran: their names by their ids. */
const ran = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly present: boolean }>`SELECT to_regclass(${table}::text) IS NOT NULL AS present`
  if (found?.present !== true) return new Map<number, string>()
  const rows = yield* sql<{ readonly id: number; readonly name: string }>`
    SELECT migration_id AS id, to_char(migration_id, 'FM0000') || '_' || name AS name FROM ${sql(table)}`
  return new Map(rows.map(({ id, name }) => [id, name]))
})

/** What did more than add in the database, by its ids: the first version that knows it. */
const broke = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly present: boolean }>`
    SELECT to_regclass('schema_break') IS NOT NULL AS present`
  if (found?.present !== true) return new Map<number, string>()
  const rows = yield* sql<{ readonly id: number; readonly since: string }>`
    SELECT migration_id AS id, since FROM schema_break ORDER BY migration_id`
  return new Map(rows.map(({ id, since }) => [id, since]))
})

/** The database ran a migration that this program would have to know: it belongs to a later version. */
export class SchemaIsNewer extends Schema.TaggedError<SchemaIsNewer>()("SchemaIsNewer", {
  /** The first version that works with it; null: not known. */
  since: Schema.NullOr(Schema.String)
}) {
  override get message() {
    const version = this.since === null ? "" : ` to ${this.since} or later`
    return `the schema of the database is newer than this program; upgrade the program${version}`
  }
}

/** The database ran another migration under a number of ours: it was made before there was a release. */
export class SchemaIsForeign extends Schema.TaggedError<SchemaIsForeign>()("SchemaIsForeign", {
  theirs: Schema.String,
  ours: Schema.String
}) {
  override get message() {
    return `the database was made by a program of no release (it ran ${this.theirs} where this program has ${this.ours}), `
      + "and no migration leads from its schema to this one; start with an empty database, and import again"
  }
}

/** Migrations by names that begin with their numbers, as this program knows them. */
export const make = <E>(migrations: Readonly<Record<string, Effect.Effect<void, E, SqlClient.SqlClient>>>) => {
  const known = new Map(Object.keys(migrations).map((name) => [idOf(name), name]))
  const newest = Math.max(...known.keys())

  /**
   * How the schema stands to what this version of the code needs.
   *
   * | the database ran                                | standing        |
   * | ----------------------------------------------- | --------------- |
   * | what this program knows                         | `current`       |
   * | none                                            | `none`          |
   * | less                                            | `older`         |
   * | later ones too, which only add                  | `ahead`         |
   * | one of `breaks` that this program does not know | SchemaIsNewer   |
   * | another one under a number of ours              | SchemaIsForeign |
   */
  const standing = Effect.gen(function*() {
    const present = yield* ran
    if (present.size === 0) return "none"
    for (const [id, theirs] of present) {
      const ours = known.get(id)
      if (ours !== undefined && ours !== theirs) return yield* new SchemaIsForeign({ theirs, ours })
    }
    const others = [...present.keys()].filter((id) => !known.has(id))
    const isMissing = [...known.keys()].some((id) => !present.has(id))
    if (others.length === 0) return isMissing ? "older" : "current"
    const breaking = [...yield* broke].filter(([id]) => !known.has(id))
    // What only adds comes after everything that this program knows; another line of numbers belongs to another program.
    if (isMissing || breaking.length > 0 || others.some((id) => id < newest)) {
      return yield* new SchemaIsNewer({ since: breaking.at(-1)?.[1] ?? null })
    }
    return "ahead"
  })

  /** The migrator runs what follows the last one that the database ran, and would pass over what is missing before it. */
  const refuseGaps = Effect.gen(function*() {
    const present = yield* ran
    const last = Math.max(0, ...present.keys())
    const missing = [...known].filter(([id]) => id < last && !present.has(id)).map(([, name]) => name)
    if (missing.length === 0) return
    return yield* new Migrator.MigrationError({
      kind: "BadState",
      message: `this database ran ${present.get(last) ?? last} but never ${missing.join(", ")}, `
        + "and migrations run in their order only; restore it from a backup, or start with an empty database"
    })
  })

  /** Cells come first: what the installation that imports writes, each of them has to be able to receive. */
  const refuseBeforeCells = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [found] = yield* sql<{ readonly present: boolean }>`SELECT to_regclass('cell') IS NOT NULL AS present`
    if (found?.present !== true || (yield* standing) !== "older") return
    const late = yield* sql<{ readonly name: string }>`SELECT name FROM cell WHERE migration < ${newest} ORDER BY name`
    if (late.length === 0) return
    return yield* new Migrator.MigrationError({
      kind: "BadState",
      message: `its cells are migrated first: ${
        late.map(({ name }) => name).join(", ")
      } ran no migration ${newest} yet, `
        + "as far as they told; run freehold migrate there, with FREEHOLD_IMPORTER_URL set"
    })
  })

  /** Lets programs that do not know what did more than add find out. */
  const recordBreaks = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    for (const [name, since] of Object.entries(breaks).filter(([name]) => name in migrations)) {
      yield* sql`
        INSERT INTO schema_break (migration_id, since) VALUES (${idOf(name)}, ${since})
        ON CONFLICT (migration_id) DO NOTHING`
    }
  })

  /**
   * Made before the migrator would: it looks once more for the table when that fails, which a transaction that has failed does not
   * allow, so that nobody would hear why.
   */
  const makeTable = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql`
      CREATE TABLE IF NOT EXISTS ${sql(table)} (
        migration_id integer PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now(),
        name text NOT NULL
      )`)

  const migrate = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table })

  /**
   * Brings the schema up to date; answers the migrations that it ran. May be called by several processes at once: one
   * migrates, the others wait for it.
   */
  const run = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    if ((yield* standing) === "current") return []
    return yield* sql.withTransaction(Effect.gen(function*() {
      // An index over a million rows takes as long as it takes.
      yield* sql`SET LOCAL statement_timeout = 0`
      yield* sql`SET LOCAL check_function_bodies = off`
      yield* sql`SELECT pg_advisory_xact_lock(hashtext('freehold migration'))`
      const isOlder = (yield* standing) === "older"
      yield* refuseGaps
      yield* refuseBeforeCells
      // A migration may change them.
      if (isOlder) yield* RestingIndexes.restoreWithin
      yield* makeTable
      const applied = yield* migrate
      yield* recordBreaks
      return applied
    }))
  })

  return { standing, run }
}

const released = make(migrations)

/** Brings the schema up to date; answers the migrations that it ran. Any number of processes may ask for it at once. */
export const run = released.run

export type Standing = Effect.Success<typeof released.standing>

/** How the schema stands to what this version of the code needs; fails where neither it nor a migration helps. */
export const standing = released.standing

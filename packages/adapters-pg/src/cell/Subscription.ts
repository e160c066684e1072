/**
 * What a cell has: the subscription to the importing installation, and guards on the shared tables.
 *
 * The slot is made before the subscription and by itself, so that both can be in one server, and so that a join that was
 * interrupted is gone on with by joining again.
 *
 * A copy of a cell's server goes on receiving as soon as it is a primary, from where the one before had got to: PostgreSQL sends nothing
 * twice that was confirmed to it. So what is applied is confirmed only when the synchronous standbys have it, and a server on
 * another timeline than the one on which the cell joined is taken for one that lacks something until the operator says otherwise.
 */
import { Effect, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "../database/Transaction.ts"
import { CellRefused } from "./CellRefused.ts"
import { Importer } from "./Importer.ts"
import * as Publication from "./Publication.ts"
import { publication, sharedTables, subscriptionOf } from "./SharedTables.ts"

export interface Joined {
  readonly cell: string
  readonly outcome: "joined" | "refreshed"
}

/** The last migration that the database ran. */
export const lastMigration = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly id: number }>`SELECT max(migration_id)::integer AS id FROM freehold_migration`
  return row?.id ?? 0
})

const atImporter = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Importer, (importer) => Effect.provideService(effect, SqlClient.SqlClient, importer))

const refuse = (reason: string) => Effect.fail(new CellRefused({ reason }))

/** Those of the tables in which there is something already. */
const filled = Effect.fnUntraced(function*(tables: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.filter(
    tables,
    (table) => Effect.map(sql`SELECT FROM ${sql(table)} LIMIT 1`, (rows) => rows.length > 0)
  )
})

/** The shared tables that this cell does not receive: a later version has them besides. */
const unreceived = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const received = yield* sql<{ readonly name: string }>`
    SELECT c.relname::text AS name FROM pg_subscription_rel r JOIN pg_class c ON c.oid = r.srrelid
    JOIN pg_subscription s ON s.oid = r.srsubid WHERE s.subname = ${subscriptionOf("")} || cell_name()`
  const names = new Set(received.map(({ name }) => name))
  return sharedTables.filter((table) => !names.has(table))
})

/** Whether a standby was promoted here, or a base backup restored with the log after it, since the cell joined. */
const isOnAnotherTimeline = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql`SELECT FROM cell_timeline WHERE timeline <> server_timeline()`
  return found.length > 0
})

const keepTimeline = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    INSERT INTO cell_timeline (timeline) VALUES (server_timeline())
    ON CONFLICT (only_one) DO UPDATE SET timeline = excluded.timeline`)

interface Right {
  readonly role: string
  readonly present: boolean
}

/** Both installations have to let their role do its part; a failure half-way would leave the log kept for nobody. */
const refuseWithoutRights = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [own] = yield* sql<Right & { readonly grantable: boolean }>`
    SELECT rolname::text AS role, has_database_privilege(current_database(), 'CREATE')
      AND (rolsuper OR coalesce(pg_has_role(rolname, to_regrole('pg_create_subscription')::oid, 'MEMBER'), false)) AS present,
      to_regrole('pg_create_subscription') IS NOT NULL AS grantable
    FROM pg_roles WHERE rolname = current_user`
  if (own?.present === false) {
    return yield* refuse(
      `the role ${own.role} may make no subscription here; `
        + (own.grantable
          ? `a superuser lets it: GRANT pg_create_subscription TO ${own.role}`
          : "before version 16 of PostgreSQL superusers alone may")
    )
  }
  const [theirs] = yield* atImporter(Effect.flatMap(SqlClient.SqlClient, (importer) =>
    importer<Right>`
      SELECT rolname::text AS role, rolsuper OR rolreplication AS present FROM pg_roles WHERE rolname = current_user`))
  if (theirs?.present === false) {
    return yield* refuse(
      `the role ${theirs.role} of the importing installation may not replicate; a superuser there lets it: `
        + `ALTER ROLE ${theirs.role} REPLICATION`
    )
  }
})

/** What a cell has missed for good would not be seen any more once it is joined anew. */
const refuseLoss = Effect.fnUntraced(function*(name: string, nothingLost: boolean) {
  const cells = yield* atImporter(Publication.cells)
  if ((cells.find((cell) => cell.name === name)?.behind ?? null) === null) {
    return yield* refuse(
      "the importing installation's PostgreSQL has no log for this cell any more; see scaling.md, Restoring a cell"
    )
  }
  if (!nothingLost && (yield* isOnAnotherTimeline)) {
    return yield* refuse(
      `the server of this cell was promoted or restored; if it lacks nothing that the one before had, say so: `
        + `freehold cell join ${name} --nothing-lost; else see scaling.md, Restoring a cell`
    )
  }
})

const refuseUnfit = Effect.fnUntraced(function*(name: string, nothingLost: boolean) {
  const present = yield* Publication.cellName
  if (present !== null && present !== name) return yield* refuse(`this installation is the cell ${present} already`)
  if (yield* Publication.isPublishing) {
    return yield* refuse(
      "this installation publishes records itself; a cell is another one, with a database of its own"
    )
  }
  if (!(yield* atImporter(Publication.isPublishing))) {
    return yield* refuse("the importing installation publishes nothing yet; run there: freehold cell publish")
  }
  const [own, theirs] = [yield* lastMigration, yield* atImporter(lastMigration)]
  if (theirs > own) {
    return yield* refuse(
      `the schema of the importing installation is newer (migration ${theirs}, here ${own}); upgrade this one first`
    )
  }
  if (present !== null) {
    yield* refuseLoss(name, nothingLost)
    const own = yield* filled(yield* unreceived)
    if (own.length > 0) {
      const names = own.join(", ")
      return yield* refuse(
        `there are rows in ${names}, which come from the importing installation from now on; `
          + `see that what matters of them is there, and empty them here: TRUNCATE ${names} CASCADE`
      )
    }
    return true
  }
  yield* refuseWithoutRights
  const tables = yield* filled(sharedTables)
  if (tables.length > 0) {
    return yield* refuse(
      `there are rows in ${tables.join(", ")}; a cell begins without records of its own, so join with an empty database`
    )
  }
  return false
})

/** Lets the importing installation know of the cell, and keep its log for it from now on. */
const announce = Effect.fnUntraced(function*(name: string, migration: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO cell (name, migration) VALUES (${name}, ${migration})
    ON CONFLICT (name) DO UPDATE SET migration = excluded.migration`
  const slot = subscriptionOf(name)
  yield* sql`
    SELECT (pg_create_logical_replication_slot(${slot}, 'pgoutput')).slot_name::text
    WHERE NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = ${slot})`
})

const nameIsTaken = Effect.fnUntraced(function*(name: string) {
  const known = yield* atImporter(Publication.cells)
  return known.some((cell) => cell.name === name && cell.receiving)
})

const guards = (change: "CREATE" | "DROP"): ReadonlyArray<string> =>
  sharedTables.map((table) =>
    change === "DROP"
      ? `DROP TRIGGER IF EXISTS cell_guard ON ${table}`
      : `CREATE OR REPLACE TRIGGER cell_guard BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION cell_guard()`
  )

const runAll = Effect.fnUntraced(function*(statements: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})

/**
 * Such a statement takes no parameters, and its connection has a password, which neither a trace nor the server's log may have: so the
 * server makes the statement of settings, and what fails in it fails as if by another one.
 */
const subscription = `
  DO $$
  DECLARE
    told text;
    details text;
    advice text;
  BEGIN
    EXECUTE format('CREATE SUBSCRIPTION %I CONNECTION %L PUBLICATION %I
        WITH (create_slot = false, streaming = off, synchronous_commit = on)',
      current_setting('freehold.subscription'), current_setting('freehold.connection'),
      current_setting('freehold.publication'));
  EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS told = MESSAGE_TEXT, details = PG_EXCEPTION_DETAIL, advice = PG_EXCEPTION_HINT;
    RAISE EXCEPTION USING ERRCODE = SQLSTATE, MESSAGE = told, DETAIL = details, HINT = advice;
  END $$`

/** Has the server log no parameters until the end of the transaction, where the role may say so. */
const parametersUnlogged = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`
    SELECT set_config(name, '0', true)
    FROM unnest(ARRAY['log_parameter_max_length', 'log_parameter_max_length_on_error']) AS setting (name)
    WHERE name = 'log_parameter_max_length_on_error' OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)`)

const subscribe = Effect.fnUntraced(function*(name: string, url: Redacted.Redacted) {
  const sql = yield* SqlClient.SqlClient
  yield* transaction(
    sql,
    Effect.gen(function*() {
      yield* runAll(guards("CREATE"))
      yield* parametersUnlogged
      yield* sql`
        SELECT FROM (VALUES
          ('freehold.subscription', ${subscriptionOf(name)}::text),
          ('freehold.connection', ${Redacted.value(url)}::text),
          ('freehold.publication', ${publication}::text)
        ) AS setting (name, value)
        WHERE set_config(name, value, true) IS NULL`
      yield* sql.unsafe(subscription)
      yield* keepTimeline
    })
  )
})

/**
 * Makes this installation a cell, or lets the cell that it is receive the tables that a later version has besides. A dry run
 * only says whether it can be.
 */
export const join = Effect.fn("Subscription.join")(function*(options: {
  readonly name: string
  /** The database of the importing installation, as the server of this one reaches it. */
  readonly url: Redacted.Redacted
  readonly dryRun: boolean
  /** Of a cell whose server was promoted or restored: it has everything that the one before had confirmed. */
  readonly nothingLost: boolean
}) {
  const { dryRun, name, nothingLost, url } = options
  const isCell = yield* refuseUnfit(name, nothingLost)
  if (!isCell && (yield* nameIsTaken(name))) return yield* refuse(`there is another cell ${name}`)
  const joined: Joined = { cell: name, outcome: isCell ? "refreshed" : "joined" }
  if (dryRun) return joined
  yield* atImporter(announce(name, yield* lastMigration))
  if (!isCell) {
    yield* Effect.onError(subscribe(name, url), () => Effect.ignore(atImporter(Publication.forget(name))))
  } else {
    const sql = yield* SqlClient.SqlClient
    yield* runAll(guards("CREATE"))
    const subscription = sql(subscriptionOf(name))
    yield* sql`ALTER SUBSCRIPTION ${subscription} SET (synchronous_commit = on)`
    yield* sql`ALTER SUBSCRIPTION ${subscription} REFRESH PUBLICATION`
    yield* keepTimeline
  }
  return joined
})

/** Ends the subscription; what was received stays. Answers the cell that it was; null: it was none. */
export const leave = Effect.fn("Subscription.leave")(function*() {
  const sql = yield* SqlClient.SqlClient
  const name = yield* Publication.cellName
  if (name === null) return null
  const subscription = sql(subscriptionOf(name))
  yield* transaction(
    sql,
    Effect.gen(function*() {
      yield* sql`ALTER SUBSCRIPTION ${subscription} DISABLE`
      yield* sql`ALTER SUBSCRIPTION ${subscription} SET (slot_name = NONE)`
      yield* sql`DROP SUBSCRIPTION ${subscription}`
      yield* sql`DELETE FROM cell_timeline`
      yield* runAll(guards("DROP"))
    })
  )
  return name
})

/** Lets the importing installation forget this cell, as soon as the connection that received has ended. */
export const forgetAtImporter = (name: string) =>
  atImporter(Publication.forget(name)).pipe(Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 50 }))

/** Tells the importing installation of this cell's migrations. */
export const tellMigration = Effect.gen(function*() {
  const name = yield* Publication.cellName
  if (name === null) return
  const importer = yield* Importer
  yield* importer`UPDATE cell SET migration = ${yield* lastMigration} WHERE name = ${name}`
})

export interface Receiving {
  readonly cell: string
  readonly enabled: boolean
  /** Whether PostgreSQL is connected to the importing installation. */
  readonly receiving: boolean
  readonly tables: number
  /** Of these, whose first copy is complete. */
  readonly copied: number
  /** The shared tables that are not among them. */
  readonly missing: ReadonlyArray<string>
  readonly applyErrors: number
  /** Suppressions, merges and changes that wait for the worker. */
  readonly unsettled: number
  /** Its server was promoted or restored since it joined, and may lack what the one before had confirmed. */
  readonly promoted: boolean
  /** It confirms what its synchronous standbys do not have yet: an earlier version joined it. */
  readonly outrunning: boolean
}

/** How this cell receives; null: the installation is none. */
export const receiving = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Omit<Receiving, "missing" | "promoted">>`
    SELECT cell_name() AS cell, s.subenabled AS enabled,
      EXISTS (SELECT FROM pg_stat_subscription w WHERE w.subid = s.oid AND w.relid IS NULL AND w.pid IS NOT NULL) AS receiving,
      (SELECT count(*)::integer FROM pg_subscription_rel r WHERE r.srsubid = s.oid) AS tables,
      (SELECT count(*)::integer FROM pg_subscription_rel r WHERE r.srsubid = s.oid AND r.srsubstate = 'r') AS copied,
      coalesce((SELECT t.apply_error_count::integer FROM pg_stat_subscription_stats t WHERE t.subid = s.oid), 0)
        AS "applyErrors",
      (SELECT count(*)::integer FROM cell_arrival) + (SELECT count(*)::integer FROM change_outbox) AS unsettled,
      s.subsynccommit IN ('off', 'local') AND current_setting('synchronous_standby_names') <> '' AS outrunning
    FROM pg_subscription s
    WHERE s.subname = ${subscriptionOf("")} || cell_name()
      AND s.subdbid = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())`
  if (row === undefined) return null
  return { ...row, promoted: yield* isOnAnotherTimeline, missing: yield* unreceived } satisfies Receiving
})

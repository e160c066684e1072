/**
 * Moves an organization from the database at hand to that of another cell.
 *
 * | step                                                    | when it is killed after it                              |
 * | ------------------------------------------------------- | ------------------------------------------------------- |
 * | the other cell notes changes that arrive from now on    | they are noted until the move is made, or given up      |
 * | here the organization is fenced in: nothing of it moves | it is answered 503 until the move is made, or given up  |
 * | one transaction there: all its rows, proved equal, and settled with what arrived there | it lives there, and here is still fenced in |
 * | there, what was withheld in that moment is forgotten    | the same                                                |
 * | one transaction here: its rows go, its keys name the cell | the move is made                                      |
 *
 * So it is active in one of them at most, at every moment, and moving again goes on from wherever it stands. What is refused after it
 * was fenced in is given up: nothing was moved, and nobody waits for the operator. What arrived here meanwhile, and was settled and told
 * without it, then waits for the worker again.
 *
 * The other cell keeps the id of the move with the organization, and here only what that names is removed: an organization of the same
 * name that somebody made meanwhile, on either side, is another one.
 *
 * *Gotcha*: rows are inserted there without their triggers, which would number events anew and count lists twice. PostgreSQL
 * lets a superuser do that, or a role that was granted it.
 */
import { Context, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as Arrivals from "../change/Arrivals.ts"
import { pause, relay } from "../change/ChangeRelay.ts"
import * as AuditorPg from "../credit/AuditorPg.ts"
import { ofOneState, transaction } from "../database/Transaction.ts"
import { patiently } from "../property/PropertyMerge.ts"
import * as KeyProofPg from "../webhook/KeyProofPg.ts"
import { CellRefused } from "./CellRefused.ts"
import { Importer } from "./Importer.ts"
import * as OwnedTables from "./OwnedTables.ts"
import * as Publication from "./Publication.ts"
import { subscriptionOf } from "./SharedTables.ts"
import { lastMigration } from "./Subscription.ts"

/** The database of the other cell. */
export class Target extends Context.Service<Target, SqlClient.SqlClient>()("@freehold/adapters-pg/cell/Move/Target") {}

export interface Move {
  readonly orgId: string
  /** The name of the other cell. */
  readonly to: string
}

export interface Moved {
  readonly outcome: "moved" | "unchanged"
  readonly rows: number
}

const refuse = (reason: string) => Effect.fail(new CellRefused({ reason }))

const at = <A, E, R>(sql: SqlClient.SqlClient, effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, SqlClient.SqlClient, sql)

const isThere = (sql: SqlClient.SqlClient, orgId: string) =>
  Effect.map(sql`SELECT FROM organization WHERE org_id = ${orgId}`, (rows) => rows.length > 0)

/** Nobody else copies the organization, or gives up to do so, before the transaction ends. */
const hold = (sql: SqlClient.SqlClient, orgId: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtext('freehold move ' || ${orgId}::text))`

/** Waits until a cell has everything that the importing installation wrote before. */
const catchUp = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  const importer = yield* Importer
  const cell = yield* at(sql, Publication.cellName)
  // The importing installation itself, from which organizations may move as well.
  if (cell === null) return
  const [now] = yield* importer<{ readonly lsn: string }>`
    SELECT pg_logical_emit_message(true, 'freehold', '')::text AS lsn`
  const caughtUp = Effect.map(
    importer`
      SELECT FROM pg_replication_slots
      WHERE slot_name = ${subscriptionOf(cell)} AND confirmed_flush_lsn >= ${now?.lsn ?? ""}::pg_lsn`,
    (rows) => rows.length > 0
  )
  const done = yield* Effect.repeat(caughtUp, {
    schedule: Schedule.spaced("100 millis"),
    until: (done) => done,
    times: 600
  })
  if (done !== true) return yield* refuse(`the cell ${cell} is a minute behind; see there: freehold cell status`)
})

/** Rows are copied, and removed, without their triggers. */
const refuseWithoutRight = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, place: string) {
  const [right] = yield* sql<{ readonly role: string; readonly present: boolean }>`
    SELECT rolname::text AS role, rolsuper OR has_parameter_privilege('session_replication_role', 'SET') AS present
    FROM pg_roles WHERE rolname = current_user`
  if (right?.present === false) {
    return yield* refuse(
      `the role ${right.role} ${place} may not write without triggers; a superuser there lets it: `
        + `GRANT SET ON PARAMETER session_replication_role TO ${right.role}`
    )
  }
})

/** Signing secrets, and answers that are kept, are copied as they are sealed. */
const refuseOtherKey = Effect.fnUntraced(function*(sql: SqlClient.SqlClient, place: string) {
  if ((yield* at(sql, KeyProofPg.standing)) === "another") {
    return yield* refuse(
      `FREEHOLD_ENCRYPTION_KEY is not the key ${place}; what is sealed in one cell has to open in the other`
    )
  }
})

const refuseAnother = ({ orgId, to }: Move) => refuse(`the cell ${to} has another organization ${orgId}`)

const refuseUnfit = Effect.fnUntraced(function*({ orgId, to }: Move) {
  const sql = yield* SqlClient.SqlClient
  const target = yield* Target
  const there = yield* at(target, Publication.cellName)
  if (there !== to) {
    return yield* refuse(`the database at FREEHOLD_TARGET_URL is ${there === null ? "no cell" : `the cell ${there}`}`)
  }
  if ((yield* Publication.cellName) === to) return yield* refuse(`this is the cell ${to} itself`)
  const [own, other] = [yield* OwnedTables.ownedTables, yield* at(target, OwnedTables.ownedTables)]
  const [version, otherVersion] = [yield* lastMigration, yield* at(target, lastMigration)]
  if (version !== otherVersion || JSON.stringify(own) !== JSON.stringify(other)) {
    return yield* refuse("the two databases differ in their schemas; upgrade both to the same version first")
  }
  const [move] = yield* sql<{ readonly to_cell: string; readonly moved: boolean }>`
    SELECT to_cell, moved_at IS NOT NULL AS moved FROM organization_move WHERE org_id = ${orgId}`
  const here = yield* isThere(sql, orgId)
  if (!here && move?.moved !== true) return yield* refuse(`there is no organization ${orgId}`)
  if (move !== undefined && move.to_cell !== to) {
    return yield* refuse(`${orgId} ${move.moved ? "moved" : "is on its way"} to the cell ${move.to_cell}`)
  }
  if (here && move?.moved === true) {
    return yield* refuse(`${orgId} moved to the cell ${to}, and is another organization here; nothing of it is touched`)
  }
  if (here && move === undefined && (yield* isThere(target, orgId))) return yield* refuseAnother({ orgId, to })
  const places = [[sql, "of this installation"], [target, `of the cell ${to}`]] as const
  for (const [database, place] of places) {
    yield* refuseWithoutRight(database, place)
    yield* refuseOtherKey(database, place)
  }
  return { tables: own, isMoved: !here, isFirst: move === undefined }
})

/** Organizations that are fenced in here, by a move that runs or was interrupted. */
export const underWay = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<Move>`
    SELECT org_id AS "orgId", to_cell AS to FROM organization_move WHERE moved_at IS NULL ORDER BY org_id`
})

/** The move that is under way; its id is null where an earlier version began it. */
const moveOf = Effect.fnUntraced(function*(orgId: string) {
  const sql = yield* SqlClient.SqlClient
  const [move] = yield* sql<{ readonly id: string | null }>`
    SELECT move_id AS id FROM organization_move WHERE org_id = ${orgId} AND moved_at IS NULL`
  return move
})

/** Whether what is there came by this move; of one that an earlier version began, it is taken for granted. */
const cameBy = Effect.fnUntraced(function*({ id }: { readonly id: string | null }) {
  const target = yield* Target
  const known = yield* target`SELECT FROM organization_arrived WHERE move_id = ${id}::uuid`
  return id === null || known.length > 0
})

/** From now on the other cell notes changes that arrive, and nobody makes an organization of this name there. */
const expect = Effect.fnUntraced(function*({ orgId, to }: Move, isFirst: boolean) {
  const target = yield* Target
  yield* target`SELECT pg_advisory_xact_lock(hashtext('freehold arrival ' || ${orgId}::text))`
  if (!(yield* isThere(target, orgId))) {
    yield* target`SELECT moves_forget()`
    yield* target`INSERT INTO organization_arrival (org_id) VALUES (${orgId}) ON CONFLICT DO NOTHING`
  } else if (isFirst) return yield* refuseAnother({ orgId, to })
})

/** Whatever was told of changes is told by now; from here on nothing of the organization moves. */
const fenceIn = Effect.fnUntraced(function*({ orgId, to }: Move) {
  const sql = yield* SqlClient.SqlClient
  yield* patiently(transaction(
    sql,
    Effect.gen(function*() {
      // A worker would pass the fence by, with arrivals and changes that it has taken already.
      yield* Arrivals.pause(sql)
      yield* pause(sql)
      yield* relay(sql)
      yield* sql`SELECT moves_forget()`
      yield* sql`
        INSERT INTO organization_move (org_id, to_cell, move_id) VALUES (${orgId}, ${to}, gen_random_uuid())
        ON CONFLICT DO NOTHING`
      if ((yield* moveOf(orgId)) === undefined) return yield* refuse(`${orgId} moved to the cell ${to} meanwhile`)
      yield* sql`SELECT organization_fence(${orgId})`
    })
  ))
})

const withoutTriggers = (sql: SqlClient.SqlClient) => sql`SET LOCAL session_replication_role = replica`

const unhurried = (sql: SqlClient.SqlClient) =>
  sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true), set_config('statement_timeout', '0', true)`

/** Copies everything within the transaction of the other cell; answers what was read here. */
const copy = Effect.fnUntraced(function*(orgId: string, tables: ReadonlyArray<OwnedTables.OwnedTable>) {
  const sql = yield* SqlClient.SqlClient
  const target = yield* Target
  return yield* transaction(
    sql,
    Effect.gen(function*() {
      yield* ofOneState(sql)
      yield* unhurried(sql)
      for (const table of tables) {
        yield* OwnedTables.forEachRows(orgId, table, (rows) => at(target, OwnedTables.insertRows(table, rows)))
      }
      return yield* OwnedTables.digests(orgId, tables)
    })
  )
})

const proveEqual = Effect.fnUntraced(function*(
  orgId: string,
  tables: ReadonlyArray<OwnedTables.OwnedTable>,
  here: ReadonlyArray<OwnedTables.Digest>
) {
  const there = yield* OwnedTables.digests(orgId, tables)
  const differing = here.filter((each, place) => JSON.stringify(each) !== JSON.stringify(there[place]))
  if (differing.length > 0) {
    return yield* refuse(`the copy differs in ${differing.map(({ table }) => table).join(", ")}; nothing was moved`)
  }
  const strays = yield* OwnedTables.strays(orgId)
  if (strays.length > 0) {
    return yield* refuse(`${strays.join(", ")} name records that the other cell does not have; nothing was moved`)
  }
})

/** Only then its laws hold: what it bought of a property that was merged meanwhile is the survivor's. */
const settle = Effect.fnUntraced(function*(orgId: string) {
  const sql = yield* SqlClient.SqlClient
  // What arrives from here on waits until the organization is seen.
  yield* Arrivals.pause(sql)
  yield* pause(sql)
  yield* sql`SELECT organization_settle_arrived(${orgId})`
  const broken = yield* AuditorPg.brokenBy(orgId)
  if (broken.length > 0) return yield* refuse(`laws are broken: ${broken.join(", ")}; see: freehold audit`)
})

/** One transaction of the other cell, with which the organization lives there. */
const settleThere = Effect.fnUntraced(function*({ orgId, to }: Move, tables: ReadonlyArray<OwnedTables.OwnedTable>) {
  const target = yield* Target
  yield* unhurried(target)
  yield* hold(target, orgId)
  const under = yield* moveOf(orgId)
  if (under === undefined) return yield* refuse(`the move of ${orgId} was given up, or made, meanwhile`)
  if (yield* isThere(target, orgId)) return (yield* cameBy(under)) ? undefined : yield* refuseAnother({ orgId, to })
  yield* withoutTriggers(target)
  const here = yield* copy(orgId, tables)
  yield* target`SET LOCAL session_replication_role = origin`
  yield* at(target, proveEqual(orgId, tables, here))
  yield* target`DELETE FROM organization_move WHERE org_id = ${orgId}`
  yield* target`
    DELETE FROM moved_key WHERE secret_hash IN (SELECT secret_hash FROM credential WHERE org_id = ${orgId})`
  yield* at(target, patiently(transaction(target, settle(orgId))))
  yield* target`DELETE FROM organization_arrival WHERE org_id = ${orgId}`
  yield* target`INSERT INTO organization_arrived (move_id) SELECT ${under.id}::uuid WHERE ${under.id}::uuid IS NOT NULL`
  yield* target`SELECT moves_forget()`
})

/**
 * What was being withheld there while it came: who applied that did not see it yet. And what research found or wrote of people who were
 * erased there before it came: their names are known there no more, so that it is forgotten here first. A cell that does not come to
 * have it leaves the move to be made again.
 */
const forgetThere = Effect.fnUntraced(function*({ orgId }: Move) {
  const sql = yield* SqlClient.SqlClient
  const target = yield* Target
  yield* catchUp(sql)
  yield* catchUp(target)
  const forgotten = yield* sql<{ readonly id: string }>`
    SELECT id FROM research_item WHERE org_id = ${orgId} AND state IN ('complete', 'partial') AND result IS NULL`
  yield* patiently(transaction(
    target,
    Effect.andThen(
      target`SELECT organization_forget_arrived(${orgId})`,
      target`
        UPDATE research_item SET result = NULL
        WHERE org_id = ${orgId} AND id = ANY(${forgotten.map(({ id }) => id)}::uuid[]) AND result IS NOT NULL`
    )
  ))
})

/** One transaction here: the organization is gone, and its keys say where to. */
const endHere = Effect.fnUntraced(function*({ orgId, to }: Move, tables: ReadonlyArray<OwnedTables.OwnedTable>) {
  const sql = yield* SqlClient.SqlClient
  yield* patiently(transaction(
    sql,
    Effect.gen(function*() {
      yield* unhurried(sql)
      const ended = yield* sql`
        UPDATE organization_move SET moved_at = now() WHERE org_id = ${orgId} AND moved_at IS NULL RETURNING org_id`
      if (ended.length === 0) return
      yield* withoutTriggers(sql)
      yield* sql`
        INSERT INTO moved_key (secret_hash, cell) SELECT secret_hash, ${to} FROM credential
        WHERE org_id = ${orgId} AND revoked_at IS NULL AND secret_hash IS NOT NULL
        ON CONFLICT (secret_hash) DO UPDATE SET cell = excluded.cell`
      yield* Effect.forEach(tables, ({ name }) => sql`DELETE FROM ${sql(name)} WHERE org_id = ${orgId}`, {
        discard: true
      })
      yield* sql`SET LOCAL session_replication_role = origin`
      yield* sql`SELECT organization_unfence(${orgId})`
      yield* sql`SELECT moves_forget()`
    })
  ))
})

/** Gives up a move that has not come to its end; answers whether there was one. */
export const giveUp = Effect.fn("Move.giveUp")(function*({ orgId }: Move) {
  const sql = yield* SqlClient.SqlClient
  const target = yield* Target
  return yield* transaction(
    target,
    Effect.gen(function*() {
      yield* hold(target, orgId)
      const under = yield* moveOf(orgId)
      if ((yield* isThere(target, orgId)) && (under === undefined || (yield* cameBy(under)))) {
        return yield* refuse(`${orgId} lives in the other cell already; move it again`)
      }
      yield* target`DELETE FROM organization_arrival WHERE org_id = ${orgId}`
      yield* target`SELECT moves_forget()`
      const [given] = yield* patiently(transaction(
        sql,
        sql<{ readonly up: boolean }>`SELECT organization_stay(${orgId}) AS up`
      ))
      return given?.up === true
    })
  )
})

/** What came by the move is there for good, and here is nothing any more that could be taken for it. */
const forgetArrived = Effect.fnUntraced(function*(orgId: string) {
  const sql = yield* SqlClient.SqlClient
  const target = yield* Target
  const [made] = yield* sql<{ readonly id: string | null }>`
    SELECT move_id AS id FROM organization_move WHERE org_id = ${orgId} AND moved_at IS NOT NULL`
  yield* target`DELETE FROM organization_arrived WHERE move_id = ${made?.id ?? null}::uuid`
})

/** Moves it, or goes on with a move that was interrupted. A dry run only looks whether it can. */
export const move = Effect.fn("Move.move")(function*(given: Move & { readonly dryRun: boolean }) {
  const sql = yield* SqlClient.SqlClient
  const target = yield* Target
  const { isFirst, isMoved, tables } = yield* refuseUnfit(given)
  const rows = (yield* OwnedTables.digests(given.orgId, tables)).reduce((sum, each) => sum + each.rows, 0)
  const moved: Moved = { outcome: isMoved ? "unchanged" : "moved", rows }
  if (given.dryRun) return moved
  if (!isMoved) {
    yield* transaction(target, expect(given, isFirst))
    yield* catchUp(sql)
    yield* fenceIn(given)
    yield* Effect.andThen(catchUp(target), transaction(target, settleThere(given, tables))).pipe(
      Effect.tapErrorTag("CellRefused", () => giveUp(given))
    )
    yield* forgetThere(given)
    yield* endHere(given, tables)
  }
  yield* forgetArrived(given.orgId)
  return moved
})

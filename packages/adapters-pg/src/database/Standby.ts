/**
 * One standby: whether it may be read from, how far it has replayed, and how far it lags.
 *
 * How far it lags is the age of the oldest position of the primary that it has not reached. So a primary that rests has
 * standbys that do not lag, whatever time the last commit was.
 */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Deferred, Duration, Effect, Option } from "effect"
import type { SqlError } from "effect/sql"
import * as WalPosition from "./WalPosition.ts"

/** How long a standby may take to say how it stands. */
const patience = Duration.seconds(1)

/** How long until it is asked again while somebody waits for it. */
const step = Duration.millis(5)

/** Positions of the primary that are kept for one that does not reach them. */
const mostPositions = 600

/** A position of the primary, and whose it is. */
export interface Mark {
  readonly position: bigint
  /** Of the cluster, which its standbys share. */
  readonly system: string
  readonly database: string
}

/** How things stand: null is well, anything else is why it is not read from. */
export interface Standing {
  readonly name: string
  readonly trouble: string | null
  /** Null: not known. */
  readonly lagMillis: number | null
}

/** One read, on whichever client it is given. */
export type Read<A> = (sql: PgClient.PgClient) => Effect.Effect<A, SqlError.SqlError>

interface Row {
  readonly standby: boolean
  readonly replayed: string | null
  readonly system: string
  readonly database: string
}

const identity = `(SELECT system_identifier::text FROM pg_control_system()) AS system, current_database() AS database`

/** Where the primary stands: what was committed before it is asked has that position or an earlier one. */
export const markOf = (primary: PgClient.PgClient): Effect.Effect<Mark, SqlError.SqlError> =>
  Effect.flatMap(
    primary<{ readonly position: string; readonly system: string; readonly database: string }>`
      SELECT ${primary.literal(WalPosition.committed)} AS position, ${primary.literal(identity)}`,
    ([row]) =>
      row === undefined
        ? Effect.die("a SELECT without a table answers one row")
        : Effect.succeed({ ...row, position: WalPosition.parse(row.position) })
  )

/** What a failure on a standby is due to: the server that is away, the log that it has to replay, or what was asked of it. */
export type Fault = "server" | "replay" | "statement"

export interface Standby {
  readonly name: string
  readonly standing: () => Standing
  /** Asks how it stands to a position of the primary. */
  readonly look: (mark: Mark) => Effect.Effect<void>
  /** Whether it has replayed as much, or does within that time. */
  readonly reaches: (mark: Mark, within: Duration.Duration) => Effect.Effect<boolean>
  /** Reads from it; ends when it is found away. */
  readonly read: <A>(use: Read<A>) => Effect.Effect<Option.Option<A>, SqlError.SqlError>
}

export const make = (options: {
  readonly name: string
  /** For reads. */
  readonly reads: PgClient.PgClient
  /** For short questions, which nothing else keeps busy. */
  readonly watch: PgClient.PgClient
  readonly maxLag: Duration.Duration
  readonly faultOf: (error: SqlError.SqlError) => Fault
  /** What the server or the network said. */
  readonly reasonOf: (error: SqlError.SqlError) => string
}): Standby => {
  const { faultOf, maxLag, name, reads, reasonOf, watch } = options
  /** Why it does not answer as a standby of ours; null: it does. */
  let fault: string | null = "it was not asked yet"
  let replayed = 0n
  let lost = Deferred.makeUnsafe<void>()
  let unreached: Array<{ readonly position: bigint; readonly at: number }> = []
  let lagMillis: number | null = null

  const standing = (): Standing => {
    if (fault !== null) return { name, trouble: fault, lagMillis: null }
    const lags = lagMillis !== null && lagMillis > Duration.toMillis(maxLag)
    return { name, trouble: lags ? `it lags more than ${Duration.format(maxLag)}` : null, lagMillis }
  }

  const fail = (reason: string) => {
    fault = reason
    lagMillis = null
    unreached = []
    Deferred.doneUnsafe(lost, Effect.void)
  }

  const ask = watch<Row>`
    SELECT pg_is_in_recovery() AS standby, pg_last_wal_replay_lsn()::text AS replayed, ${watch.literal(identity)}`.pipe(
    Effect.timeoutOption(patience),
    Effect.match({
      onFailure: (error) => fail(`it does not answer: ${reasonOf(error)}`),
      onSuccess: Option.match({ onNone: () => fail("it does not answer"), onSome: ([row]) => hear(row) })
    })
  )

  let expected: Mark | null = null

  const strangenessOf = (row: Row | undefined): string | null => {
    if (row?.standby !== true || row.replayed === null) return "it is no standby"
    if (expected?.system !== row.system) return "it is a standby of another server"
    return expected.database === row.database ? null : "its address names another database"
  }

  const hear = (row: Row | undefined) => {
    const found = strangenessOf(row)
    if (found !== null) return fail(found)
    if (fault !== null) lost = Deferred.makeUnsafe<void>()
    fault = null
    // One that was made anew begins where its copy did.
    replayed = WalPosition.parse(row?.replayed ?? "0/0")
  }

  /** The answer comes after the question, so what it shows was reached by then. */
  const look = Effect.fnUntraced(function*(mark: Mark) {
    expected = mark
    const now = (yield* Clock.Clock).monotonicTimeNanosUnsafe()
    const at = Number(now) / 1e6
    if (unreached.length < mostPositions) unreached.push({ position: mark.position, at })
    yield* ask
    if (fault !== null) return
    unreached = unreached.filter(({ position }) => position > replayed)
    lagMillis = at - (unreached[0]?.at ?? at)
  })

  return {
    name,
    standing,
    look,
    reaches: (mark, within) =>
      Effect.suspend(() => {
        if (replayed >= mark.position) return Effect.succeed(true)
        return ask.pipe(
          Effect.andThen(Effect.sync(() => fault !== null || replayed >= mark.position)),
          Effect.tap((ended) => ended ? Effect.void : Effect.sleep(step)),
          Effect.repeat({ until: (ended) => ended }),
          Effect.timeoutOption(within),
          Effect.map(() => fault === null && replayed >= mark.position)
        )
      }),
    read: (use) =>
      Effect.suspend(() =>
        Effect.raceFirst(
          Effect.asSome(use(reads)),
          Effect.as(Deferred.await(lost), Option.none())
        )
      ).pipe(
        Effect.catchTag("SqlError", (error) => {
          const whose = faultOf(error)
          if (whose === "statement") return Effect.fail(error)
          if (whose === "server") fail(`it does not answer: ${reasonOf(error)}`)
          return Effect.succeedNone
        })
      )
  }
}

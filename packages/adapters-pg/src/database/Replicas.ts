/**
 * Reads that see everything that was committed before they began, from standbys where they can and from the primary where not.
 *
 * A read first asks the primary where its log stands, which takes no more than the way there and back, and then waits until
 * a standby has replayed up to there. So a caller sees what it wrote, a suppression holds at once, and two reads one after
 * the other never go back in time, whichever process and whichever standby answers. A standby that is away, lags further than
 * it may or does not come up to the position in time is passed over.
 *
 * The standbys are asked how they stand each second; whoever becomes unusable or usable again is logged once.
 */
import type { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Metric, Option, Result, type Scope } from "effect"
import type { SqlError, Statement } from "effect/sql"
import * as Standby from "./Standby.ts"

const interval = Duration.seconds(1)

/** How long the primary may take to say where it stands, before a round is given up. */
const patienceOfRound = Duration.seconds(2)

export interface Bounds {
  /** A standby further behind is not read from. */
  readonly maxLag: Duration.Duration
  /** How long a read waits for a standby to come up to it. */
  readonly patience: Duration.Duration
}

export const defaultBounds: Bounds = { maxLag: Duration.seconds(5), patience: Duration.millis(100) }

/** The gauges and counters of reads that may come from a standby. */
export const metrics = {
  lagSeconds: Metric.gauge("freehold_replica_lag_seconds", { description: "How far a replica is behind the primary" }),
  usable: Metric.gauge("freehold_replica_usable", { description: "Whether a replica is read from: 1 or 0" }),
  reads: Metric.counter("freehold_replica_reads_total", {
    description: "Reads that may come from a replica, by what answered them",
    incremental: true
  })
}

const readFrom = (from: "replica" | "primary") =>
  Metric.update(Metric.withAttributes(metrics.reads, { answered_by: from }), 1)

const reported = (name: string, { lagMillis, trouble }: Standby.Standing) =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(metrics.usable, { replica: name }), trouble === null ? 1 : 0),
    Metric.update(
      Metric.withAttributes(metrics.lagSeconds, { replica: name }),
      lagMillis === null ? Number.NaN : lagMillis / 1000
    )
  )

export interface Replicas {
  readonly read: <A>(use: Standby.Read<A>) => Effect.Effect<A, SqlError.SqlError>
  /** Reads by one statement, which is planned anew each time. */
  readonly rows: <A extends object>(statement: Statement.Fragment) => Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>
  /** The same, each row as its values in the order of the columns. */
  readonly values: (
    statement: Statement.Fragment
  ) => Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlError.SqlError>
  readonly standing: Effect.Effect<ReadonlyArray<Standby.Standing>>
}

const by = (read: Replicas["read"]): Pick<Replicas, "rows" | "values"> => ({
  rows: <A extends object>(statement: Statement.Fragment) => read((sql) => sql<A>`${statement}`.unprepared),
  values: (statement) => read((sql) => sql`${statement}`.valuesUnprepared)
})

/** Everything is read from the primary. */
export const primaryAlone = (primary: PgClient.PgClient): Replicas => {
  const read: Replicas["read"] = (use) => use(primary)
  return { read, ...by(read), standing: Effect.succeed([]) }
}

export const make = Effect.fnUntraced(function*(options: {
  readonly standbys: readonly [Standby.Standby, ...ReadonlyArray<Standby.Standby>]
  /** Reads for which no standby is to be had. */
  readonly primary: PgClient.PgClient
  /** Short questions to the primary. */
  readonly marks: PgClient.PgClient
  readonly patience: Duration.Duration
}): Effect.fn.Return<Replicas, never, Scope.Scope> {
  const { marks, patience, primary, standbys } = options
  const told = new Map<string, string | null>()

  const tell = Effect.fnUntraced(function*(standing: Standby.Standing) {
    const { name, trouble } = standing
    yield* reported(name, standing)
    const before = told.get(name) ?? null
    told.set(name, trouble)
    if (before === null && trouble !== null) {
      yield* Effect.logWarning(`the replica ${name} is not read from: ${trouble}`)
    }
    if (before !== null && trouble === null) yield* Effect.logInfo(`the replica ${name} is read from again`)
  })

  const round = Standby.markOf(marks).pipe(
    Effect.timeoutOption(patienceOfRound),
    Effect.result,
    Effect.flatMap((found) => {
      const mark = Option.flatten(Result.getSuccess(found))
      // Nothing is read while the primary is away, since nobody is let in.
      if (Option.isNone(mark)) return Effect.void
      return Effect.forEach(
        standbys,
        (standby) => Effect.andThen(standby.look(mark.value), Effect.suspend(() => tell(standby.standing()))),
        { concurrency: "unbounded", discard: true }
      )
    })
  )
  yield* round
  yield* Effect.forkScoped(Effect.forever(Effect.delay(round, interval)))

  const fromPrimary = <A>(use: Standby.Read<A>) => Effect.andThen(readFrom("primary"), use(primary))

  let turn = 0
  const next = (): Standby.Standby | undefined => {
    const usable = standbys.filter((standby) => standby.standing().trouble === null)
    turn++
    return usable[turn % usable.length]
  }

  const read: Replicas["read"] = Effect.fnUntraced(function*(use) {
    const standby = next()
    if (standby === undefined) return yield* fromPrimary(use)
    const mark = yield* Standby.markOf(marks)
    if (!(yield* standby.reaches(mark, patience))) return yield* fromPrimary(use)
    const answer = yield* standby.read(use)
    if (Option.isNone(answer)) return yield* fromPrimary(use)
    yield* readFrom("replica")
    return answer.value
  })

  return {
    read,
    ...by(read),
    standing: Effect.sync(() => standbys.map(({ standing }) => standing()))
  }
})

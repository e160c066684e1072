/**
 * The connection pools of a process: how many connections each purpose has, how long a statement may take there, and what
 * is sent when a connection begins.
 *
 * *Gotchas.* A pooler between Freehold and PostgreSQL may refuse what is sent at the beginning, and one that shares
 * connections between transactions cannot keep it: then `sessionSettings` has to be shorter, and what is left out is the
 * role's (`ALTER ROLE ... SET`). docs/scaling.md.
 */
import type { PgClient } from "@effect/sql-pg"
import { Duration, type Redacted, Struct } from "effect"

/** Most connections of each pool. `worker` and `command` are for transactions; half as many more read, and two are pipelined. */
export interface PoolSizes {
  readonly admission: number
  readonly points: number
  readonly ledger: number
  readonly reads: number
  readonly replica: number
  readonly worker: number
  readonly command: number
}

/**
 * `Workload.boundsOn` of core is the other half of those that answer requests: an operation has at most two statements under
 * way, so that the reads of all places fit, and one organization's are a third.
 */
export const defaultSizes: PoolSizes = {
  admission: 2,
  points: 2,
  // Commits that wait for the disk together are written together.
  ledger: 16,
  reads: 12,
  replica: 6,
  worker: 8,
  command: 8
}

/** Transactions of the operator's area at once, in each process that serves it. */
export const operatorConnections = 3

/** Settings of a session that any role may send when its connection begins. */
export const sessionSettings = [
  "jit",
  "max_parallel_workers_per_gather",
  "work_mem",
  "statement_timeout",
  "idle_in_transaction_session_timeout"
] as const

/** What superusers alone may send besides, and roles that one has let: any other is refused the whole connection. */
export const superuserSettings = ["temp_file_limit"] as const

export type SessionSetting = typeof sessionSettings[number] | typeof superuserSettings[number]

/** How connections are made; for a PostgreSQL without a pooler in front, `directly`. */
export interface Manner {
  readonly sizes: PoolSizes
  /** Whether statements are prepared and kept, which a pooler that shares connections has to know of. */
  readonly prepare: boolean
  readonly startup: ReadonlyArray<SessionSetting>
}

export const directly: Manner = { sizes: defaultSizes, prepare: true, startup: sessionSettings }

/** The same connections to the embedded server, whose superuser makes them. */
export const toEmbedded = (manner: Manner): Manner => ({
  ...manner,
  startup: [...new Set([...manner.startup, ...superuserSettings])]
})

export interface Pool {
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string
  readonly connections: number
  /** Whether the statements of many fibers go down the same connection. */
  readonly pipelined: boolean
  /** The time limit of a statement; the server ends it, whatever became of the process that asked. */
  readonly statementLimit: Duration.Duration
  /** When the server rolls back a transaction that its process left standing; without it after a minute. */
  readonly idleLimit?: Duration.Duration | undefined
  /** Whether one statement may keep several processors busy. */
  readonly parallel?: boolean
  /** What a statement may sort or hash in memory, where it is more than the server's own setting. */
  readonly workMemory?: string
  /** What its connections may have in temporary files at once, each by itself; without it as much as the server lets them. */
  readonly temporaryFiles?: string
  /** What it is for, where several pools have one name. */
  readonly purpose?: string
}

/** As the metrics of a pool have it: `freehold reads` is `reads`. */
export const purposeOf = ({ applicationName, purpose }: Pool): string =>
  [applicationName.replace(/^freehold /, ""), ...purpose === undefined ? [] : [purpose]].join(" ")

/** A search that matches a whole county sorts it in memory. */
const searchMemory = "16MB"

/**
 * What sorts and hashes of a statement that answers a request may write beside its memory: five times what the worst permitted
 * request writes over a million properties. Commands and what works in the background have no such bound: building an index
 * takes as much as the index.
 */
const temporaryFiles = "1GB"

/** The pools of a process that answers requests. */
export const serving = ({ admission, ledger, points, reads, replica }: PoolSizes) =>
  ({
    admission: {
      applicationName: "freehold admission",
      connections: admission,
      pipelined: true,
      statementLimit: Duration.seconds(2),
      temporaryFiles
    },
    points: {
      applicationName: "freehold points",
      connections: points,
      pipelined: true,
      statementLimit: Duration.seconds(10),
      temporaryFiles
    },
    ledger: {
      applicationName: "freehold ledger",
      connections: ledger,
      pipelined: false,
      statementLimit: Duration.seconds(10),
      temporaryFiles
    },
    reads: {
      applicationName: "freehold reads",
      connections: reads,
      pipelined: false,
      statementLimit: Duration.seconds(10),
      workMemory: searchMemory,
      temporaryFiles
    },
    replica: {
      applicationName: "freehold replica",
      connections: replica,
      pipelined: false,
      statementLimit: Duration.seconds(10),
      workMemory: searchMemory,
      temporaryFiles
    }
  }) as const satisfies Readonly<Record<string, Pool>>

/** The connections that a purpose with a pool for transactions has beside it. */
export const besides = { reading: (connections: number): number => Math.ceil(connections / 2), pipelined: 2 }

const inAll = (connections: number): number => connections + besides.reading(connections) + besides.pipelined

/** One tells readiness and one measures, beside those that do something. */
const watching = 2

/**
 * Most connections to the primary of a process that answers requests, of what works in the background beside one, and of a
 * command.
 */
export const connectionsOf = ({ admission, command, ledger, points, reads, worker }: PoolSizes) => ({
  server: admission + points + ledger + reads + watching,
  worker: inAll(worker),
  operator: inAll(operatorConnections),
  command: inAll(command)
})

const idleInTransaction = Duration.minutes(1)

const milliseconds = (duration: Duration.Duration): string => String(Duration.toMillis(duration))

const sessionOf = (pool: Pool): Readonly<Record<SessionSetting, string | undefined>> => ({
  // Compiling a plan costs more than any of our statements runs.
  jit: "off",
  // A statement of one organization keeps one processor busy, and not all of them.
  max_parallel_workers_per_gather: pool.parallel === true ? undefined : "0",
  work_mem: pool.workMemory,
  statement_timeout: milliseconds(pool.statementLimit),
  idle_in_transaction_session_timeout: milliseconds(pool.idleLimit ?? idleInTransaction),
  temp_file_limit: pool.temporaryFiles
})

const isGiven = (entry: readonly [string, string | undefined]): entry is readonly [string, string] =>
  entry[1] !== undefined

export const configOf = (url: Redacted.Redacted, pool: Pool, { prepare, startup }: Manner): PgClient.PgPoolConfig => ({
  url,
  applicationName: pool.applicationName,
  maxConnections: pool.connections,
  multiplex: pool.pipelined,
  multiplexConcurrency: 6,
  prepare,
  connectTimeout: "5 seconds",
  // A new connection costs a process of the server, and its first statement of each kind a plan: a rest between two busy
  // minutes is no reason to pay that again.
  idleTimeout: "15 minutes",
  // Finds a peer that vanished without a word.
  keepAlive: "30 seconds",
  startupParameters: {
    timezone: "UTC",
    ...Object.fromEntries(Object.entries(Struct.pick(sessionOf(pool), startup)).filter(isGiven))
  }
})

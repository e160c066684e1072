/**
 * Several processes that serve on one port, and their parent.
 *
 * The parent holds the port and answers nothing itself; whichever process has time takes the next connection from there. One
 * that dies is started again (`Restarts`), the others go on meanwhile. When the parent is asked to stop, all finish what they
 * have in hand. A process whose parent is gone ends at once.
 *
 * *Gotchas*
 *
 * - The first one alone does the background work. The rest are started when it listens, so that a port that is in use is
 *   told once.
 * - Node would have the parent take connections and hand them on in turns; one that is on its way to a process that dies
 *   would then hang for ever. From a port that all of them share nothing is lost that was not taken yet.
 * - Whoever watches asks each process for itself, so each has a watch port of its own, counted up from the setting's.
 */
import { Deferred, Duration, Effect, Option, Schema, type Scope } from "effect"
import cluster, { type Worker } from "node:cluster"
import { CommandRefused } from "./CommandRefused.ts"
import { hostAndPort } from "./Origin.ts"
import * as Restarts from "./Restarts.ts"
import { Settings } from "./Settings.ts"

/** Longer than a server needs to drain. */
const patience = Duration.seconds(20)

const Listening = Schema.Struct({ listening: Schema.String })
const isListening = Schema.is(Listening)

/** Whether this process is one of several: the parent, which has its own command line, asked for it. */
export const isOneOf = (processes: number): boolean => processes > 1 && cluster.isWorker

/** Tells the parent that this process answers at that origin. */
export const tellParent = (origin: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    process.send?.({ listening: origin }, () => resume(Effect.void))
  })

interface Child {
  readonly pid: number
  /** The origin where it answers; never if it ends before. */
  readonly listening: Effect.Effect<string>
  /** How it ended, in words. */
  readonly ended: Effect.Effect<string>
}

const ending = (code: number | null, signal: string | null): string =>
  signal === null ? `with code ${code}` : `by ${signal}`

const isAlive = ({ process: { exitCode, signalCode } }: Worker): boolean => exitCode === null && signalCode === null

/** What the environment of each process has beside the parent's. */
const environmentOf = (index: number) =>
  Effect.map(Settings, ({ watchAddress }) =>
    Option.match(watchAddress, {
      onNone: () => ({}),
      onSome: ({ host, port }) => ({
        FREEHOLD_WATCH_ADDRESS: hostAndPort({ host, port: port === 0 ? 0 : port + index })
      })
    }))

interface Launch {
  readonly args: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
}

/** Starts a process, which is asked to stop, and at last made to, when the scope closes. */
const start = ({ args, environment }: Launch): Effect.Effect<Child, never, Scope.Scope> =>
  Effect.gen(function*() {
    const listening = yield* Deferred.make<string>()
    const ended = yield* Deferred.make<string>()
    const worker = yield* Effect.acquireRelease(
      Effect.sync(() => {
        cluster.schedulingPolicy = cluster.SCHED_NONE
        cluster.setupPrimary({ args: [...args] })
        const forked = cluster.fork(environment)
        forked.on("message", (message) => {
          if (isListening(message)) Deferred.doneUnsafe(listening, Effect.succeed(message.listening))
        })
        forked.on("error", () => {})
        forked.on("exit", (code, signal) => Deferred.doneUnsafe(ended, Effect.succeed(ending(code, signal))))
        return forked
      }),
      (forked) =>
        Effect.suspend(() => {
          if (!isAlive(forked)) return Effect.void
          forked.process.kill("SIGTERM")
          return Effect.timeoutOrElse(Effect.asVoid(Deferred.await(ended)), {
            duration: patience,
            orElse: () => Effect.sync(() => void forked.process.kill("SIGKILL"))
          })
        })
    )
    return { pid: worker.process.pid ?? 0, listening: Deferred.await(listening), ended: Deferred.await(ended) }
  })

/** The command line of a process. */
const argsOf = (options: { readonly processes: number; readonly port: number; readonly background: boolean }) => [
  "serve",
  "--workers",
  String(options.processes),
  "--port",
  String(options.port),
  ...options.background ? [] : ["--no-worker"]
]

/** Runs the processes until it is interrupted, or one of them cannot live. `onListening` runs once all of them answer. */
export const run = <E, R>(options: {
  readonly processes: number
  readonly port: number
  /** Whether the first one does the background work. */
  readonly background: boolean
  readonly onListening: (origin: string) => Effect.Effect<void, E, R>
}) =>
  Effect.gen(function*() {
    let ends: Restarts.Ends = []

    /** Keeps one of them running; `ready` is told when it answers for the first time. */
    const keep = (index: number, ready: Deferred.Deferred<string>) => {
      const args = argsOf({ ...options, background: options.background && index === 0 })
      const life = Effect.scoped(Effect.gen(function*() {
        const { ended, listening, pid } = yield* start({ args, environment: yield* environmentOf(index) })
        yield* Effect.forkScoped(Effect.flatMap(listening, (origin) => Deferred.succeed(ready, origin)))
        return { how: yield* ended, pid }
      }))
      return Effect.forever(Effect.gen(function*() {
        const { how, pid } = yield* life
        if (!(yield* Deferred.isDone(ready))) {
          return yield* new CommandRefused({ reason: `process ${index + 1} ended ${how} before it served` })
        }
        const { ends: known, wait } = Restarts.after(ends, performance.now())
        ends = known
        if (wait === null) {
          return yield* new CommandRefused({
            reason: `${Restarts.mostEnds} processes ended within a minute, the last one ${how}; stopping`
          })
        }
        yield* Effect.logWarning(
          `process ${index + 1} (${pid}) ended ${how}; another one is started in ${Duration.format(wait)}`
        )
        yield* Effect.sleep(wait)
      }))
    }

    const answers = yield* Effect.all(Array.from({ length: options.processes }, () => Deferred.make<string>()))
    const [first, ...others] = answers
    const all = Effect.all(answers.map(Deferred.await), { concurrency: "unbounded" })
    const announced = Effect.flatMap(all, ([origin = ""]) => options.onListening(origin))
    const rest = Effect.andThen(
      first === undefined ? Effect.never : Deferred.await(first),
      Effect.all(others.map((ready, index) => keep(index + 1, ready)), { concurrency: "unbounded" })
    )
    return yield* Effect.all(
      [first === undefined ? Effect.never : keep(0, first), rest, Effect.andThen(announced, Effect.never)],
      { concurrency: "unbounded", discard: true }
    )
  })

/** `freehold serve`: REST, MCP and the delivery worker in one process, or in several on one port. */
import { Console, Effect, Fiber, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { attached, hosting, owning, preparing } from "../LazyComposition.ts"
import { ProcessCount } from "../ProcessCount.ts"
import { processes as processesForm } from "../setting/CapacityForm.ts"
import { Settings } from "../Settings.ts"
import { endsWhenStopped } from "../StoppedBySignal.ts"
import { wholeNumberFlag } from "./NumberFlag.ts"

const server = Effect.promise(() => import("../Server.ts"))

const severalProcesses = Effect.promise(() => import("../Processes.ts"))

const demonstration = Effect.promise(() => import("../demo/Demonstration.ts"))

/** Says where the server listens, and with `guide` what to try there. */
const announce = <E, R>(guide: Option.Option<(origin: string) => Effect.Effect<string, E, R>>) => (origin: string) => {
  const listening = `freehold listening on ${origin}/v1`
  return Option.match(guide, {
    onNone: () => Console.log(listening),
    onSome: (text) => Effect.flatMap(text(origin), (lines) => Console.log(`${listening}\n\n${lines}`))
  })
}

const guideOf = (demo: boolean) =>
  demo
    ? Effect.asSome(Effect.flatMap(demonstration, ({ prepare }) => prepare))
    : Effect.succeedNone

interface Asked {
  readonly demo: boolean
  readonly noWorker: boolean
  readonly port: Option.Option<number>
}

const alone = Effect.fn(function*({ demo, noWorker, port }: Asked) {
  // Loaded while the database starts.
  const loading = yield* Effect.forkChild(server)
  const serving = Effect.gen(function*() {
    const guide = yield* guideOf(demo)
    const { layer } = yield* Fiber.join(loading)
    return yield* Layer.launch(layer({ worker: !noWorker, port, onListening: announce(guide) }))
  })
  return yield* Effect.provide(serving, hosting)
})

/** One of several: the parent has made the database right, and hears where this one listens. */
const oneOf = Effect.fn(function*({ noWorker, port }: Asked) {
  const { tellParent } = yield* severalProcesses
  const { layer } = yield* server
  return yield* Effect.provide(
    Layer.launch(layer({ worker: !noWorker, port, onListening: tellParent })),
    attached
  )
})

/** The parent of several. */
const parentOf = Effect.fn(function*({ demo, noWorker, port }: Asked) {
  const { run } = yield* severalProcesses
  const supervising = Effect.gen(function*() {
    const settings = yield* Settings
    const guide = yield* Effect.provide(guideOf(demo), preparing)
    return yield* run({
      processes: yield* ProcessCount,
      port: Option.getOrElse(port, () => settings.port),
      background: !noWorker,
      onListening: announce(Option.map(guide, (text) => (origin: string) => Effect.provide(text(origin), preparing)))
    })
  })
  return yield* Effect.provide(supervising, owning)
})

export const serveCommand = Command.make(
  "serve",
  {
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription("Make, once, a demonstration organization with made-up data; print its key and what to try"),
      Flag.withDefault(false)
    ),
    noWorker: Flag.Boolean("no-worker").pipe(
      Flag.withDescription("Leave webhooks, research and the sync of sources to `freehold worker`"),
      Flag.withDefault(false)
    ),
    port: wholeNumberFlag("port", { least: 0, most: 65_535 }).pipe(
      Flag.withDescription("Listen on this port instead of PORT; 0 is any free one"),
      Flag.optional
    ),
    workers: Flag.String("workers").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription(
        "Serve from so many processes on one port instead of FREEHOLD_WORKERS; one for each processor"
      ),
      Flag.filterMap(processesForm.parse, (workers) => `Expected ${processesForm.expected}, got ${workers}`),
      Flag.optional
    )
  },
  Effect.fn(function*({ workers, ...asked }) {
    const settings = yield* Effect.provide(Settings.use(Effect.succeed), Settings.layer)
    const processes = Option.getOrElse(workers, () => settings.workers)
    if (processes === 1) return yield* alone(asked)
    const { isOneOf } = yield* severalProcesses
    return yield* Effect.provideService(
      isOneOf(processes) ? oneOf(asked) : parentOf(asked),
      ProcessCount,
      processes
    )
  }, endsWhenStopped)
).pipe(
  Command.withExamples([
    { command: "freehold serve --demo", description: "Try it with made-up data on an embedded PostgreSQL" },
    {
      command: "DATABASE_URL=postgres://freehold@db/freehold freehold serve --no-worker --port 8000",
      description: "One of several servers over one database"
    },
    { command: "freehold serve --workers 4", description: "Four processes on one port, for four processors" }
  ])
)

/** `freehold serve`: REST, MCP and the delivery worker in one process. */
import { Console, Effect, Fiber, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { hosting } from "../LazyComposition.ts"
import { endsWhenStopped } from "../StoppedBySignal.ts"

const server = Effect.promise(() => import("../Server.ts"))

const demonstration = Effect.promise(() => import("../demo/Demonstration.ts"))

/** Says where the server listens, and with `guide` what to try there. */
const announce = <E, R>(guide: Option.Option<(origin: string) => Effect.Effect<string, E, R>>) => (origin: string) => {
  const listening = `freehold listening on ${origin}/v1`
  return Option.match(guide, {
    onNone: () => Console.log(listening),
    onSome: (text) => Effect.flatMap(text(origin), (lines) => Console.log(`${listening}\n\n${lines}`))
  })
}

export const serveCommand = Command.make(
  "serve",
  {
    demo: Flag.Boolean("demo").pipe(
      Flag.withDescription("Make, once, a demonstration organization with made-up data; print its key and what to try"),
      Flag.withDefault(false)
    ),
    noWorker: Flag.Boolean("no-worker").pipe(
      Flag.withDescription("Leave webhooks and research to `freehold worker`"),
      Flag.withDefault(false)
    ),
    port: Flag.Int("port").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("Listen on this port instead of PORT; 0 is any free one"),
      Flag.filter((port) => port >= 0 && port <= 65_535, (port) => `Expected 0 to 65535, got ${port}`),
      Flag.optional
    )
  },
  Effect.fn(function*({ demo, noWorker, port }) {
    // Loaded while the database starts.
    const loading = yield* Effect.forkChild(server)
    const serving = Effect.gen(function*() {
      const guide = demo
        ? Option.some(yield* Effect.flatMap(demonstration, ({ prepare }) => prepare))
        : Option.none()
      const { layer } = yield* Fiber.join(loading)
      return yield* Layer.launch(layer({ worker: !noWorker, port, onListening: announce(guide) }))
    })
    return yield* Effect.provide(serving, hosting)
  }, endsWhenStopped)
).pipe(
  Command.withDescription(
    "Serve REST at /v1, MCP at /v1/mcp and the reference at /docs; deliver webhooks and work on research"
  ),
  Command.withExamples([
    { command: "freehold serve --demo", description: "Try it with made-up data on an embedded PostgreSQL" },
    {
      command: "DATABASE_URL=postgres://freehold@db/freehold freehold serve --no-worker --port 8000",
      description: "One of several servers over one database"
    }
  ])
)

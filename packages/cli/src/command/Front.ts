/** `freehold cell front`: one address before several cells. */
import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpServer } from "effect/http"
import { CommandRefused } from "../CommandRefused.ts"
import type { Routes } from "../front/Route.ts"
import * as Observability from "../Observability.ts"
import * as Form from "../setting/SettingForm.ts"
import { Settings } from "../Settings.ts"
import { endsWhenStopped } from "../StoppedBySignal.ts"
import { wholeNumberFlag } from "./NumberFlag.ts"

const front = Effect.promise(() =>
  Promise.all([import("../front/Front.ts"), import("../Listening.ts"), import("../watch/WatchServer.ts")])
)

const pairs = (values: Readonly<Record<string, string>>): ReadonlyArray<readonly [string, string]> =>
  Object.entries(values)

const cellsOf = Effect.fnUntraced(function*(given: Readonly<Record<string, string>>) {
  return new Map(
    yield* Effect.forEach(pairs(given), ([name, text]) =>
      Option.match(Form.origin.parse(text), {
        onNone: () =>
          Effect.fail(new CommandRefused({ reason: `--cell ${name} must be ${Form.origin.expected}, not ${text}` })),
        onSome: (origin) => Effect.succeed([name, new URL(origin)] as const)
      }))
  )
})

const routesOf = Effect.fnUntraced(function*(input: {
  readonly cells: Readonly<Record<string, string>>
  readonly hosts: Readonly<Record<string, string>>
  readonly otherwise: Option.Option<string>
}) {
  const cells = yield* cellsOf(input.cells)
  const hosts = new Map(pairs(input.hosts).map(([host, cell]) => [host.toLowerCase(), cell]))
  const otherwise = Option.getOrNull(input.otherwise)
  const missing = [...hosts.values(), ...otherwise === null ? [] : [otherwise]].find((name) => !cells.has(name))
  if (missing !== undefined) {
    return yield* new CommandRefused({ reason: `there is no --cell ${missing}=ORIGIN` })
  }
  return { cells, hosts, otherwise } satisfies Routes
})

export const frontCommand = Command.make(
  "front",
  {
    cells: Flag.KeyValuePair("cell").pipe(
      Flag.withMetavar("NAME=ORIGIN"),
      Flag.withDescription("A cell and where its servers answer; once for each cell")
    ),
    hosts: Flag.KeyValuePair("host").pipe(
      Flag.withMetavar("HOST=NAME"),
      Flag.withDescription("The cell of everybody who comes by this host name, whatever the key"),
      Flag.withDefault({})
    ),
    otherwise: Flag.String("otherwise").pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription(
        "The cell of keys that name none, and of whoever has no key; without it they are answered 401"
      ),
      Flag.optional
    ),
    port: wholeNumberFlag("port", { least: 0, most: 65_535 }).pipe(
      Flag.withDescription("Listen on this port instead of PORT; 0 is any free one"),
      Flag.optional
    )
  },
  Effect.fn(
    function*(input) {
      const settings = yield* Settings
      const routes = yield* routesOf(input)
      const [{ create }, { bind, portOf }, { layerOfProcess }] = yield* front
      const port = Option.getOrElse(input.port, () => settings.port)
      const server = create(routes, undefined, { trustedProxies: settings.trustedProxies })
      const announced = Layer.effectDiscard(Effect.gen(function*() {
        const { address } = yield* HttpServer.HttpServer
        yield* Console.log(`freehold front listening on http://${settings.host}:${portOf(address, port)}`)
      }))
      const answering = announced.pipe(Layer.provide(bind(server, settings.host, port, "--port or PORT")))
      return yield* Layer.launch(Layer.merge(layerOfProcess, answering))
    },
    Effect.provide(Observability.layer.pipe(Layer.provideMerge(Settings.layer))),
    endsWhenStopped
  )
).pipe(
  Command.withDescription(
    "Hand each request to its cell: by the host name, or by the cell that the key names. Needs no database"
  ),
  Command.withExamples([{
    command: "freehold cell front --cell west=http://10.0.0.2:8080 --cell east=http://10.0.1.2:8080 --otherwise west",
    description: "Two cells behind one address; the cells trust it by FREEHOLD_TRUSTED_PROXIES"
  }])
)

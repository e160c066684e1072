/** `freehold cell front`: one address before several cells. */
import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { HttpServer } from "effect/http"
import type { Routes } from "../front/Route.ts"
import * as Observability from "../Observability.ts"
import * as Form from "../setting/SettingForm.ts"
import { Settings } from "../Settings.ts"
import { endsWhenStopped } from "../StoppedBySignal.ts"
import { wrongUsage } from "../WrongUsage.ts"
import { wholeNumberFlag } from "./NumberFlag.ts"

const front = Effect.promise(() =>
  Promise.all([import("../front/Front.ts"), import("../Listening.ts"), import("../watch/WatchServer.ts")])
)

type Pair<A> = readonly [name: string, value: A]

/** `NAME=VALUE`, where each name is given once. */
const pairs = <A>(
  flag: string,
  metavar: string,
  valueOf: (text: string) => Option.Option<A>,
  expected: string,
  least: 0 | 1
) =>
  Flag.String(flag).pipe(
    Flag.withMetavar(metavar),
    Flag.filterMap(
      (text): Option.Option<Pair<A>> => {
        const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? []
        return name === undefined || value === undefined
          ? Option.none()
          : Option.map(valueOf(value), (parsed) => [name, parsed])
      },
      (text) => `Expected ${metavar}, where ${expected}, got "${text}"`
    ),
    Flag.atLeast(least),
    Flag.filter(
      (given) => new Set(given.map(([name]) => name)).size === given.length,
      () => `Expected each ${metavar.split("=", 1)[0]} once`
    )
  )

const routesOf = Effect.fnUntraced(function*(input: {
  readonly cells: ReadonlyArray<Pair<string>>
  readonly hosts: ReadonlyArray<Pair<string>>
  readonly otherwise: Option.Option<string>
}) {
  const cells = new Map(input.cells.map(([name, origin]) => [name, new URL(origin)]))
  const hosts = new Map(input.hosts.map(([host, cell]) => [host.toLowerCase(), cell]))
  const otherwise = Option.getOrNull(input.otherwise)
  const missing = [...hosts.values(), ...otherwise === null ? [] : [otherwise]].find((name) => !cells.has(name))
  if (missing !== undefined) {
    return yield* wrongUsage(`there is no --cell ${missing}=ORIGIN`)
  }
  return { cells, hosts, otherwise } satisfies Routes
})

export const frontCommand = Command.make(
  "front",
  {
    cells: pairs("cell", "NAME=ORIGIN", Form.origin.parse, `ORIGIN is ${Form.origin.expected}`, 1).pipe(
      Flag.withDescription("A cell and where its servers answer; once for each cell")
    ),
    hosts: pairs("host", "HOST=NAME", Option.some, "NAME is that of a --cell", 0).pipe(
      Flag.withDescription("The cell of everybody who comes by this host name, whatever the key"),
      Flag.withDefault([])
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

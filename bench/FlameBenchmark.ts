/**
 * Where the processor time of `freehold serve`, as published, and of the server written by hand goes: both are profiled while they
 * answer the requests of `RequestsBenchmark` that they have in common, and each profile is drawn as a flame graph
 * (`flame/*.svg`).
 *
 * *Gotchas.* Samples are taken by the clock, so a machine that is busy with something else stretches what waits for a
 * processor; and to take them costs the server itself some.
 */
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Baseline from "./Baseline.ts"
import * as Child from "./Child.ts"
import { type Contender, warmUp } from "./Contest.ts"
import * as Customers from "./Customers.ts"
import { draw } from "./flame/FlameGraph.ts"
import { framesOf, ownBy, owners } from "./flame/Frames.ts"
import type { Question } from "./flame/Profiled.ts"
import * as Freehold from "./Freehold.ts"
import * as Load from "./Load.ts"
import { type Comparison, decimal, whole } from "./Report.ts"
import * as RequestsBenchmark from "./RequestsBenchmark.ts"

export interface Sizes {
  readonly properties: number
  /** Distinct searches. */
  readonly searches: number
  readonly clients: number
  /** Of each profile. */
  readonly seconds: number
  /** Which state of Freehold is drawn: a part of the pictures' names. */
  readonly state: string
}

const preload = new URL("./flame/Profiled.ts", import.meta.url).href

/** The same program, which is profiled when it is asked for it. */
const profiled = (program: Child.Program): Child.Program => ({
  ...program,
  args: ["--import", preload, ...program.args]
})

/** Microseconds from one sample to the next. */
const interval = 250

/** `GET /me` as `get-me`. */
const fileName = (title: string): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")

const picture = (name: string): string => join(fileURLToPath(new URL("./flame", import.meta.url)), `${name}.svg`)

const percent = (part: number, all: number): string => `${decimal(100 * part / all)} %`

export const measure = Effect.fn("FlameBenchmark.measure")(function*({ clients, seconds, state, ...sizes }: Sizes) {
  const { env, folder, kinds, statements, url } = yield* RequestsBenchmark.scene(sizes)
  const start = yield* Freehold.publish({ isMapped: true })
  const product = yield* Freehold.serve(env, { start: (args, env) => profiled(start(args, env)) })
  const byHand = yield* Baseline.serve(url, statements, folder, profiled)
  const load = yield* Load.make

  const profile = Effect.fnUntraced(function*(name: string, title: string, { asked, server }: Contender) {
    const requests = asked.requests.map((request) => ({ ...request, secret: Customers.searcher.secret }))
    const order = { root: server.root, clients, method: asked.method, requests }
    const tell = (question: Question) => server.ask(question)
    yield* load({ ...order, until: { requests: warmUp } })
    yield* tell({ begin: interval })
    const { cpuMillis, value } = yield* Child.withCpu(server, load({ ...order, until: { seconds } }))
    const file = join(folder, `${name}.cpuprofile`)
    yield* tell({ end: file })
    const frames = framesOf(JSON.parse(readFileSync(file, "utf8")))
    writeFileSync(picture(name), draw(frames, title))
    const own = ownBy(frames)
    return [
      title,
      whole(value.answered),
      decimal(cpuMillis / value.answered, 2),
      ...owners.map((owner) => percent(own[owner], frames.samples))
    ]
  })

  const rows = yield* Effect.forEach(
    kinds.filter(({ byHand }) => byHand),
    ({ asked, title }) =>
      Effect.all([
        profile(`${fileName(title)}-${state}`, `${title}: freehold serve, ${state}`, { server: product, asked }),
        profile(`${fileName(title)}-by-hand`, `${title}: Fastify + pg, same SQL`, { server: byHand, asked })
      ])
  )
  const report: Comparison = {
    title: `Where processor time goes, ${clients} clients, ${seconds} seconds each`,
    columns: ["", "requests", "server CPU ms a request", ...owners],
    rows: rows.flat(),
    notes: ["Shares are of the samples in which the code of each was itself running; a profile is taken meanwhile."],
    ratios: []
  }
  return report
})

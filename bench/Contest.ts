/**
 * Two servers that answer the same requests in turn: how many a second, and what one costs the processor of its server.
 */
import { Effect } from "effect"
import { alternately, median, medianRatio } from "./Alternation.ts"
import * as Child from "./Child.ts"
import type { make as makeLoad } from "./Load.ts"
import type { Order, Outcome } from "./LoadGenerator.ts"
import { decimal, type Ratio, spread, whole } from "./Report.ts"

/** Requests of one kind, as the load generator sends them. */
export interface Asked {
  readonly method: "GET" | "POST"
  readonly requests: ReadonlyArray<{ readonly path: string; readonly body: string }>
}

export interface Contender {
  readonly server: Child.Running & { readonly root: string }
  readonly asked: Asked
  /** Of a second one: how many of its requests a second the first is to answer at least. */
  readonly goal?: number | undefined
  /** And how much of its processor time one of the first may take at most. */
  readonly cpuGoal?: number | undefined
}

export interface Terms {
  readonly load: Effect.Success<typeof makeLoad>
  /** The key of all requests. */
  readonly secret: string
  readonly clients: number
  /** Of one turn. */
  readonly seconds: number
  readonly rounds: number
}

interface Turn {
  readonly perSecond: number
  readonly cpuMillis: number
}

/**
 * So many requests each has answered before anything is measured: code becomes as fast as it will be by being run, so that on
 * a busy machine a time would favour whoever has less of it.
 */
export const warmUp = 3000

/** No more than this for each second of a turn, for turns that only show that everything runs. */
const warmUpPerSecond = 1000

const turnOf = ({ answered, millis }: Outcome, cpuMillis: number): Turn => ({
  perSecond: answered / millis * 1000,
  cpuMillis: cpuMillis / answered
})

const turn = ({ clients, load, secret }: Terms, { asked, server }: Contender, until: Order["until"]) =>
  Effect.map(
    Child.withCpu(
      server,
      load({
        root: server.root,
        clients,
        until,
        method: asked.method,
        requests: asked.requests.map((request) => ({ ...request, secret }))
      })
    ),
    ({ cpuMillis, value }) => turnOf(value, cpuMillis)
  )

/** The columns that `compare` fills. */
export const columns = ["requests/s", "server CPU ms a request", "of the other's requests/s", "of its CPU"] as const

/** Rows for the first and for each of those that it is measured against, a note of how the rounds went, and the ratios. */
export const compare = Effect.fnUntraced(function*(
  terms: Terms,
  title: string,
  ours: Contender,
  others: Readonly<Record<string, Contender>>
) {
  const contenders = { ...others, [title]: ours }
  const before = { requests: Math.min(warmUp, terms.seconds * warmUpPerSecond) }
  for (const each of Object.values(contenders)) yield* turn(terms, each, before)
  const samples = yield* alternately(
    terms.rounds,
    Object.fromEntries(
      Object.entries(contenders).map(([name, each]) => [name, turn(terms, each, { seconds: terms.seconds })])
    )
  )
  const all = (name: string, figure: keyof Turn) => (samples[name] ?? []).map((sample) => sample[figure])
  const ratio = (name: string, figure: keyof Turn) => medianRatio(all(title, figure), all(name, figure))
  const middle = (name: string) => [
    whole(median(all(name, "perSecond"))),
    decimal(median(all(name, "cpuMillis")), 2)
  ]
  return {
    rows: [
      [title, ...middle(title), "", ""],
      ...Object.keys(others).map((name) => [
        `  ${name}`,
        ...middle(name),
        decimal(ratio(name, "perSecond"), 2),
        decimal(ratio(name, "cpuMillis"), 2)
      ])
    ],
    notes: Object.keys(others).map((name) =>
      spread(
        `${title}, of the CPU of ${name}`,
        all(title, "cpuMillis").map((value, round) => value / (all(name, "cpuMillis")[round] ?? Number.NaN)),
        (value) => decimal(value, 2)
      )
    ),
    ratios: Object.entries(others).flatMap(([name, { cpuGoal, goal }]): ReadonlyArray<Ratio> => [
      {
        what: `${title} a second, of ${name}`,
        value: ratio(name, "perSecond"),
        goal: goal === undefined ? null : `at least ${goal}`
      },
      ...cpuGoal === undefined ? [] : [{
        what: `${title}, of the CPU of ${name}`,
        value: ratio(name, "cpuMillis"),
        goal: `at most ${cpuGoal}`
      }]
    ])
  }
})

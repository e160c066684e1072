/**
 * Measures what the README of this folder lists:
 * `node bench/main.ts [import|beside|search|requests|assistants|unlock|start|availability|worst|shapes|delivery|flame]...
 * [--quick|--long] [--minutes N] [--attack WORDS] [--write] [--properties N] [--data FOLDER] [--rounds N] [--state WORD]`.
 *
 * Without a name all are run but `flame`, which compares nothing, one after the other, on one embedded PostgreSQL: in short form, with small sizes, or `--long`.
 * `--quick` is the short form of those that are named. Several of them end with one table of their ratios. `--minutes`: the time that all attacks on availability have together;
 * `--attack WORDS`: only those whose names contain the words; `--write`: what all of them did becomes the table of docs/laws.md.
 * `--properties`: over how many the shapes of searches are measured, and how many are imported; `--rounds`: how often an import
 * is done (3), or each shape asked for (40).
 * `--state`: flame graphs of Freehold are named by it (`after`).
 * `--data`: the shapes are measured over the data that `pnpm bench:data` left in this folder (`FREEHOLD_DATA_DIR`).
 * Exit code 1: a benchmark could not be run; the others still are.
 */
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Duration, Effect } from "effect"
import { parseArgs } from "node:util"
import * as AssistantsBenchmark from "./AssistantsBenchmark.ts"
import * as AvailabilityBenchmark from "./AvailabilityBenchmark.ts"
import * as BesideBenchmark from "./BesideBenchmark.ts"
import * as DeliveryBenchmark from "./DeliveryBenchmark.ts"
import * as FlameBenchmark from "./FlameBenchmark.ts"
import * as ImportBenchmark from "./ImportBenchmark.ts"
import * as LawsPage from "./LawsPage.ts"
import * as Machine from "./Machine.ts"
import * as Postgres from "./Postgres.ts"
import { type Comparison, format, together } from "./Report.ts"
import * as RequestsBenchmark from "./RequestsBenchmark.ts"
import * as SearchBenchmark from "./SearchBenchmark.ts"
import * as ShapesBenchmark from "./ShapesBenchmark.ts"
import * as StartBenchmark from "./StartBenchmark.ts"
import * as UnlockBenchmark from "./UnlockBenchmark.ts"
import * as WorstBenchmark from "./WorstBenchmark.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
    minutes: { type: "string" },
    attack: { type: "string", default: "" },
    write: { type: "boolean", default: false },
    properties: { type: "string", default: "1000000" },
    data: { type: "string" },
    rounds: { type: "string" },
    state: { type: "string", default: "after" }
  }
})
const { write } = values

const quick = values.quick || positionals.length === 0 && !values.long

/** Of the attacks; ten are enough for p99 to mean something. */
const minutes = Number(values.minutes ?? (quick ? 1 : 10))

/** Of the shapes of searches, and of the import. */
const properties = Number(values.properties)

/** Of the import, one of which takes a quarter of an hour with a million properties. */
const rounds = Number(values.rounds ?? 3)

/** Of the shapes of searches. */
const askedEach = Number(values.rounds ?? 40)

/** No benchmark takes longer on any machine that is fit to measure on, but for the time that attacks are given. */
const limit = Duration.minutes(20 + 2 * minutes + 10 * properties / 1_000_000)

/** Prints what a benchmark found, or why it found nothing; answers its ratios. */
const reported = <E, R>(
  name: string,
  benchmark: Effect.Effect<Comparison, E, R>,
  keep: (facts: ReadonlyArray<string>, found: string) => void = () => {}
) =>
(facts: ReadonlyArray<string>) =>
  Effect.scoped(benchmark).pipe(
    Effect.timeout(limit),
    Effect.tap((found) => Effect.sync(() => keep(facts, format(found)))),
    Effect.tap((found) => Console.log(format(found))),
    Effect.map(({ ratios }) => ratios),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.suspend(() => {
        process.exitCode = 1
        return Effect.as(Console.error(`${name} could not be measured: ${Cause.pretty(cause)}`), [])
      })
    )
  )

const benchmarks = {
  import: reported(
    "import",
    ImportBenchmark.measure(
      quick
        ? { properties: 30_000, more: 3000, rounds: 1 }
        : { properties, more: Math.min(properties, 50_000), rounds }
    )
  ),
  beside: reported(
    "beside",
    BesideBenchmark.measure(
      quick
        ? { properties: 10_000, more: 3000, searches: 20, rounds: 1 }
        : { properties: 100_000, more: 50_000, searches: 100, rounds }
    )
  ),
  search: reported(
    "search",
    SearchBenchmark.measure(
      quick
        ? { properties: 5000, requests: 40, clients: 16, seconds: 2, rounds: 1 }
        : { properties: 100_000, requests: 200, clients: 16, seconds: 10, rounds: 5 }
    )
  ),
  requests: reported(
    "requests",
    RequestsBenchmark.measure(
      quick
        ? { properties: 5000, searches: 40, clients: 16, seconds: 2, rounds: 1 }
        : { properties: 20_000, searches: 200, clients: 16, seconds: 6, rounds: 5 }
    )
  ),
  assistants: reported(
    "assistants",
    AssistantsBenchmark.measure(
      quick
        ? { properties: 5000, clients: 16, seconds: 2, rounds: 1 }
        : { properties: 20_000, clients: 16, seconds: 8, rounds: 5 }
    )
  ),
  unlock: reported(
    "unlock",
    UnlockBenchmark.measure(
      quick ? { unlocks: 480, rounds: 1, organizations: 20 } : { unlocks: 2400, rounds: 3, organizations: 1000 }
    )
  ),
  start: reported("start", StartBenchmark.measure({ rounds: quick ? 1 : 7 })),
  availability: reported(
    "availability",
    AvailabilityBenchmark.measure(
      quick
        ? { properties: 20_000, changes: 40_000, requests: 300, minutes, only: values.attack }
        : { properties: 300_000, changes: 400_000, requests: 3000, minutes, only: values.attack }
    ),
    write ? LawsPage.write : undefined
  ),
  worst: reported(
    "worst",
    WorstBenchmark.measure(
      quick
        ? { properties: 5000, firms: 500, busyPeople: 500, rounds: 1 }
        : { properties: 1_000_000, firms: 300_000, busyPeople: 500, rounds: 5 }
    )
  ),
  shapes: reported(
    "shapes",
    ShapesBenchmark.measure(
      quick
        ? { properties: 5000, rounds: 3, plainRounds: 1, dataDirectory: null }
        : { properties, rounds: askedEach, plainRounds: 2, dataDirectory: values.data ?? null }
    )
  ),
  delivery: reported(
    "delivery",
    DeliveryBenchmark.measure(
      quick
        ? { deliveries: 2000, rounds: 1, single: 1000, seconds: 2, parked: { endpoints: 100, retries: 2000 } }
        : {
          deliveries: 30_000,
          rounds: 5,
          single: 10_000,
          seconds: 20,
          parked: { endpoints: 10_000, retries: 1_000_000 }
        }
    )
  ),
  flame: reported(
    "flame",
    FlameBenchmark.measure(
      quick
        ? { properties: 5000, searches: 40, clients: 16, seconds: 2, state: values.state }
        : { properties: 20_000, searches: 200, clients: 16, seconds: 10, state: values.state }
    )
  )
}

/** Of those that compare something. */
const all = Object.keys(benchmarks).filter((name) => name !== "flame")

const isName = (text: string): text is keyof typeof benchmarks => Object.hasOwn(benchmarks, text)

const run = Effect.gen(function*() {
  const facts = yield* Machine.facts
  yield* Console.log(`${facts.map((fact) => `- ${fact}`).join("\n")}\n`)
  const names = (positionals.length === 0 ? all : positionals).filter(isName)
  const ratios = yield* Effect.forEach(
    names,
    (name) => Effect.andThen(Console.error(`measuring ${name} ...`), benchmarks[name](facts))
  )
  if (names.length > 1) yield* Console.log(format(together(ratios.flat())))
})

const unknown = positionals.filter((name) => !isName(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}; there are ${Object.keys(benchmarks).join(", ")}.`)
  process.exitCode = 2
} else if (!/^[a-z0-9-]+$/.test(values.state)) {
  console.error("--state must be a word of small letters, digits and hyphens.")
  process.exitCode = 2
} else if (!(minutes > 0)) {
  console.error("--minutes must be a number above 0.")
  process.exitCode = 2
} else if (!(Number.isInteger(properties) && properties > 0 && properties <= 10_000_000)) {
  console.error("--properties must be a whole number from 1 to 10000000.")
  process.exitCode = 2
} else if (!(Number.isInteger(rounds) && rounds > 0)) {
  console.error("--rounds must be a whole number above 0.")
  process.exitCode = 2
} else if (write && (quick || values.attack !== "")) {
  console.error("--write needs all attacks in their full size: it goes without --quick and --attack.")
  process.exitCode = 2
} else {
  run.pipe(Effect.provide(Postgres.layer), NodeRuntime.runMain)
}

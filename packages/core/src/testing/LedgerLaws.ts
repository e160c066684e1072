/**
 * The laws of credits over the core's own services, tried with generated calls against the model.
 *
 * `ledgerLaws` runs against any adapters: sequences of calls, simultaneous calls over two applications, and the laws that
 * compare one trace with another. `ledgerSchedules` runs simultaneous calls under every order of their steps that
 * fast-check thinks of; it is for adapters whose every step is a fiber's own (memory), since a step that waits for
 * something outside is never released.
 *
 * The name of a law (`L1`, `I6`, `F3`) stands in the title of each test that proves it; docs/laws.md lists them.
 *
 * Where the layer holds an `Auditor` too, it is asked at the end.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Context, Effect, type Layer, Option, type Scheduler } from "effect"
import * as fc from "fast-check"
import { Auditor } from "../credit/Auditor.ts"
import { Bucket, total } from "../credit/Bucket.ts"
import {
  type Application,
  application,
  asModelCommand,
  batch,
  checked,
  closing,
  command,
  isPossible,
  type LedgerPorts,
  type ModelCell,
  newRequestId,
  newScene,
  opening,
  type Real
} from "./LedgerCommands.ts"
import { canonical, explain, type Observed } from "./LedgerExplanation.ts"
import {
  type Answer,
  callOf,
  type Command,
  dayMillis,
  type Door,
  happened,
  initial,
  type ModelState,
  observationOf,
  start,
  step
} from "./LedgerModel.ts"
import { Seeder } from "./Seed.ts"

/** The ports of another application over the same store; the same ones where only one application can use it. */
export class Elsewhere
  extends Context.Service<Elsewhere, Context.Context<LedgerPorts>>()("@freehold/core/testing/LedgerLaws/Elsewhere")
{}

export interface LawOptions {
  /** Cases of each law. */
  readonly runs: number
  /** Where fast-check begins. */
  readonly seed?: number | undefined
}

const everySequence = [
  "ok",
  "grant",
  "charge",
  "refund",
  "expiry",
  "split",
  "INSUFFICIENT_CREDITS",
  "PAYMENT_FAILED",
  "CREDITS_DORMANT",
  "COST_CONFIRMATION_REQUIRED",
  "NOT_RESEARCHED",
  "NOT_FOUND",
  "OUT_OF_TERRITORY",
  "PROPERTY_RETIRED",
  "NOT_ENTITLED",
  "INVALID_ARGUMENTS"
]

const everyBatch = ["charge", "refund", "split", "INSUFFICIENT_CREDITS", "ACTION_IN_PROGRESS"]

const assertSeen = (expected: ReadonlyArray<string>, seen: ReadonlySet<string>): void =>
  assert.deepStrictEqual(expected.filter((each) => !seen.has(each)), [], "never generated")

const nothing = () => {}

/** One after another; what is not possible is left out. */
export const inOrder = Effect.fnUntraced(function*(
  app: Pick<Application, "perform">,
  state: ModelState,
  commands: ReadonlyArray<Command>,
  note: (happened: ReadonlyArray<string>) => void = nothing
) {
  let current = state
  for (const each of commands) if (isPossible(current, each)) current = yield* checked(app, current, each, note)
  return current
})

/** All at once, over the applications in turn, with when each began and ended. */
const atOnce = (
  apps: ReadonlyArray<Pick<Application, "perform">>,
  state: ModelState,
  commands: ReadonlyArray<Command>
) => {
  let moment = 0
  return Effect.forEach(
    commands,
    Effect.fnUntraced(function*(each, index) {
      const call = callOf(state, each, newRequestId())
      const app = apps[index % apps.length]
      const began = ++moment
      const answer: Answer = app === undefined ? { code: "" } : yield* app.perform(state, call)
      return { call, answer, began, ended: ++moment } satisfies Observed
    }),
    { concurrency: "unbounded" }
  )
}

/** I6: the state after the batch, by some order of the model. */
const explained = Effect.fnUntraced(function*(
  app: Pick<Application, "observe">,
  state: ModelState,
  observed: ReadonlyArray<Observed>,
  note: (happened: ReadonlyArray<string>) => void
) {
  const left = yield* app.observe(state)
  const found = canonical(left)
  const explanation = explain(state, observed, (end) => canonical(observationOf(end)) === found)
  if (explanation.state === null) {
    const entries = left.entries.slice(state.account.entries.length)
    return assert.fail(`no order of the model explains ${JSON.stringify({ observed, left: { ...left, entries } })}`)
  }
  for (const { answer } of observed) note([answer.code])
  note(happened(state, explanation.state, { code: "explained" }))
  return explanation.state
})

/** Where there is an auditor, it finds nothing wrong with all that the cases left. */
export const audited = Effect.gen(function*() {
  const auditor = yield* Effect.serviceOption(Auditor)
  if (Option.isNone(auditor)) return
  const broken = (yield* auditor.value.audit).filter(({ count }) => count > 0)
  assert.deepStrictEqual(broken, [])
})

/** Only what the model accepts, one after another. */
const accepted = (state: ModelState, commands: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  let current = state
  return commands.filter((each) => {
    if (!isPossible(current, each)) return false
    const [next, { code }] = step(current, callOf(current, each, "accepted?"))
    if (code === "ok") current = next
    return code === "ok"
  })
}

/** The commands, with each of `extra` put in where the model refuses it. */
const withRefusals = (
  state: ModelState,
  commands: ReadonlyArray<Command>,
  extra: ReadonlyArray<Command>
): ReadonlyArray<Command> => {
  let current = state
  return commands.flatMap((each, index) => {
    const before = current
    const candidate = extra[index % extra.length]
    const [next] = isPossible(current, each) ? step(current, callOf(current, each, "refused?")) : [current]
    current = next
    if (candidate === undefined || !isPossible(before, candidate)) return [each]
    const [, { code }] = step(before, callOf(before, candidate, "refused?"))
    return code === "ok" ? [each] : [{ ...candidate, extra: true }, each]
  })
}

/** The answers to the commands that are no extra ones. */
const answersTo = Effect.fnUntraced(function*(
  { perform }: Application,
  state: ModelState,
  commands: ReadonlyArray<Command>
) {
  const answers: Array<Answer> = []
  let current = state
  for (const each of commands) {
    if (!isPossible(current, each)) continue
    const call = callOf(current, each, newRequestId())
    const answer = yield* perform(current, call)
    current = step(current, call)[0]
    if (!("extra" in each)) answers.push(answer)
  }
  return { answers, state: current }
})

/** What is the same for organizations that did the same: the answers but for the ids in them. */
const withoutIds = ({ successorPropertyId: _, ...answer }: Answer): Answer => answer

const otherDoor = (each: Command): Command =>
  each._tag === "Unlock"
    ? { ...each, door: each.door === "key" ? "upper" : "key", key: each.key === 0 ? 1 : 0 }
    : each._tag === "Reveal"
    ? { ...each, door: each.door === "id" ? "upper" : "id", key: each.key === 0 ? 1 : 0 }
    : each

const withoutAttaching = (commands: ReadonlyArray<Command>) => commands.filter(({ _tag }) => _tag !== "Attach")

const trace = fc.array(command, { minLength: 4, maxLength: 16, size: "max" })

/** A charge of its own, whatever was charged before. */
const charges: ReadonlyArray<Command> = [
  { _tag: "Unlock", property: 0, door: "id", key: 0, max: null },
  { _tag: "Unlock", property: 1, door: "id", key: 0, max: null },
  { _tag: "Reveal", contact: 4, door: "id", key: 0, max: null }
]

/** `layer` holds an empty store. */
export const ledgerLaws = <E>(
  name: string,
  layer: Layer.Layer<LedgerPorts | Elsewhere, E>,
  { runs, seed = 20_260_330 }: LawOptions
): void => {
  const parameters = { numRuns: runs, seed }
  const timeout = 30_000 + runs * 3000
  suite(layer, { excludeTestServices: true })(`${name}: the laws of credits`, (it) => {
    const applications = Effect.gen(function*() {
      yield* Seeder.use((seeder) => seeder.clear)
      const here = yield* application
      const there = yield* Effect.provide(application, yield* Elsewhere)
      return { here, both: [here, there] as const }
    })
    const runner = Effect.map(
      Effect.context<LedgerPorts>(),
      (context) => <A>(effect: Effect.Effect<A>): Promise<A> => Effect.runPromiseWith(context)(effect)
    )

    it.effect(
      "a sequence of calls answers and leaves what the model says (L1 L2 L3 L4 L5 L6 L7 L9 L10 L11 L13 L15 I2 I3 I4 I8 I10 I11)",
      () =>
        Effect.gen(function*() {
          const { here } = yield* applications
          const run = yield* runner
          const seen = new Set<string>()
          const real: Real = { application: here, run, note: (each) => each.forEach((one) => seen.add(one)) }
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(
                opening,
                fc.commands([command.map(asModelCommand)], { maxCommands: 40, size: "max" }),
                (grants, commands) => {
                  const model: ModelCell = { state: initial(newScene()) }
                  const prepare = Effect.gen(function*() {
                    model.state = yield* inOrder(here, yield* here.arrange(), grants)
                  })
                  const compare = Effect.gen(function*() {
                    assert.deepStrictEqual(yield* here.observe(model.state), observationOf(model.state))
                  })
                  return run(prepare)
                    .then(() => fc.asyncModelRun(() => ({ model, real }), commands))
                    .then(() => run(compare))
                }
              ),
              parameters
            )
          )
          assertSeen(everySequence, seen)
          yield* audited
        }),
      { timeout }
    )

    it.effect(
      "simultaneous calls over two applications are explained by some order of the model (I6 I1 I5 I7 L6 L14)",
      () =>
        Effect.gen(function*() {
          const { both, here } = yield* applications
          const run = yield* runner
          const seen = new Set<string>()
          const note = (each: ReadonlyArray<string>) => each.forEach((one) => seen.add(one))
          const property = Effect.fnUntraced(function*(
            grants: ReadonlyArray<Command>,
            before: ReadonlyArray<Command>,
            batches: ReadonlyArray<ReadonlyArray<Command>>
          ) {
            let state = yield* inOrder(here, yield* here.arrange(), [...grants, ...before])
            for (const each of batches) state = yield* explained(here, state, yield* atOnce(both, state, each), note)
            // Nothing is left in progress.
            yield* inOrder(here, state, charges)
          })
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(
                opening,
                fc.array(command, { maxLength: 5 }),
                fc.array(batch, { minLength: 1, maxLength: 4, size: "max" }),
                (grants, before, batches) => run(property(grants, before, batches))
              ),
              parameters
            )
          )
          assertSeen(everyBatch, seen)
          yield* audited
        }),
      { timeout }
    )

    it.effect(
      "a refund beside what goes by the access that it closes is explained by some order (I6 L10)",
      () =>
        Effect.gen(function*() {
          const { both, here } = yield* applications
          const run = yield* runner
          const property = Effect.fnUntraced(function*(commands: ReadonlyArray<Command>) {
            const state = yield* inOrder(here, yield* here.arrange(), closing.before)
            yield* inOrder(here, yield* explained(here, state, yield* atOnce(both, state, commands), nothing), charges)
          })
          yield* Effect.promise(() =>
            fc.assert(fc.asyncProperty(closing.batch, (commands) => run(property(commands))), parameters)
          )
        }),
      { timeout }
    )

    it.effect(
      "N unlocks of one property by id, upper case, key and two keys at once are charged once (I1 I2)",
      () =>
        Effect.gen(function*() {
          const { both, here } = yield* applications
          const doors = ["id", "upper", "key"] satisfies ReadonlyArray<Door>
          for (let round = 0; round < Math.max(5, runs / 4); round++) {
            const funded: Command = { _tag: "Grant", ref: 0, bucket: "purchased", amount: 15, days: null }
            const state = yield* inOrder(here, yield* here.arrange(), [funded])
            const unlocks = Array.from({ length: 12 }, (_, index): Command => ({
              _tag: "Unlock",
              property: 0,
              door: doors[(index + round) % 3] ?? "id",
              key: index % 2 === 0 ? 0 : 1,
              max: null
            }))
            const observed = yield* atOnce(both, state, unlocks)
            const charged = observed.filter(({ answer }) => answer["creditsCharged"] === 10)
            assert.strictEqual(charged.length, 1)
            for (const { answer } of observed) {
              if (answer["creditsCharged"] === 10) continue
              if (answer.code === "ok") {
                assert.deepStrictEqual(answer, { code: "ok", alreadyRevealed: true, creditsCharged: 0 })
              } else assert.deepStrictEqual(answer, { code: "ACTION_IN_PROGRESS", retryAfterSeconds: 1 })
            }
            const { balance, entries } = yield* here.glance(state)
            assert.strictEqual(total(balance), 5)
            assert.strictEqual(entries.length, 2)
          }
        }),
      { timeout }
    )

    it.effect(
      "the total after a set of charges does not depend on their order, nor do the buckets (L8)",
      () =>
        Effect.gen(function*() {
          const { here } = yield* applications
          const run = yield* runner
          const amounts = fc.tuple(...Bucket.literals.map(() => fc.constantFrom(0, 4, 5, 9, 10, 11, 25)))
            .filter((each) => each.reduce<number>((sum, amount) => sum + amount, 0) >= 25)
          const property = Effect.fnUntraced(function*(given: ReadonlyArray<number>, order: ReadonlyArray<Command>) {
            const grants = given.flatMap((amount, index): ReadonlyArray<Command> => {
              const bucket = Bucket.literals[index]
              return amount === 0 || bucket === undefined
                ? []
                : [{ _tag: "Grant", ref: index, bucket, amount, days: null }]
            })
            // A person of a property of its own, so that no unlock opens it.
            const apart: Command = { _tag: "Attach", property: 2, contact: 4 }
            const after = Effect.fnUntraced(function*(each: ReadonlyArray<Command>) {
              const state = yield* inOrder(here, yield* here.arrange(), [apart, ...grants, ...each])
              return (yield* here.glance(state)).balance
            })
            assert.deepStrictEqual(yield* after(order), yield* after(charges))
          })
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(
                amounts,
                fc.shuffledSubarray([...charges], { minLength: charges.length }),
                (given, order) => run(property(given, order))
              ),
              { ...parameters, numRuns: Math.ceil(runs / 2) }
            )
          )
        }),
      { timeout }
    )

    it.effect("a refused call anywhere in a trace changes no later answer (F2 I3 I4)", () =>
      Effect.gen(function*() {
        const { here } = yield* applications
        const run = yield* runner
        let refusals = 0
        const property = Effect.fnUntraced(function*(commands: ReadonlyArray<Command>, extra: ReadonlyArray<Command>) {
          const plain = yield* here.arrange()
          const more = yield* here.arrange()
          const extended = withRefusals(plain, commands, extra)
          refusals += extended.length - commands.length
          const [left, right] = [yield* answersTo(here, plain, commands), yield* answersTo(here, more, extended)]
          assert.deepStrictEqual(right.answers.map(withoutIds), left.answers.map(withoutIds))
          assert.deepStrictEqual((yield* here.glance(right.state)).balance, (yield* here.glance(left.state)).balance)
        })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              trace,
              fc.array(command, { minLength: 4, maxLength: 8 }),
              (commands, extra) => run(property(commands, extra))
            ),
            { ...parameters, numRuns: Math.ceil(runs / 2) }
          )
        )
        assert.isAbove(refusals, 0)
      }), { timeout })

    it.effect("more credits never turn an accepted trace into a refusal (F3)", () =>
      Effect.gen(function*() {
        const { here } = yield* applications
        const run = yield* runner
        const property = Effect.fnUntraced(function*(
          grants: ReadonlyArray<Command>,
          commands: ReadonlyArray<Command>,
          bucket: Bucket
        ) {
          const poor = yield* here.arrange()
          const more: Command = { _tag: "Grant", ref: 20, bucket, amount: 15, days: null }
          const rich = yield* inOrder(here, yield* here.arrange(), [more])
          const every = accepted(poor, [...grants, ...commands])
          assert.isTrue((yield* answersTo(here, poor, every)).answers.every(({ code }) => code === "ok"))
          assert.isTrue((yield* answersTo(here, rich, every)).answers.every(({ code }) => code === "ok"))
        })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              opening,
              trace,
              fc.constantFrom(...Bucket.literals),
              (grants, commands, bucket) => run(property(grants, commands, bucket))
            ),
            { ...parameters, numRuns: Math.ceil(runs / 2) }
          )
        )
      }), { timeout })

    it.effect(
      "other ids, another door, another key or another time of the day: the same answers (F4)",
      () =>
        Effect.gen(function*() {
          const { here } = yield* applications
          const run = yield* runner
          const property = Effect.fnUntraced(function*(commands: ReadonlyArray<Command>, later: number) {
            const one = yield* here.arrange()
            const other = yield* here.arrange(start + later)
            const [left, right] = [
              yield* answersTo(here, one, commands),
              yield* answersTo(here, other, commands.map(otherDoor))
            ]
            assert.deepStrictEqual(right.answers.map(withoutIds), left.answers.map(withoutIds))
          })
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(
                trace,
                fc.nat({ max: dayMillis - 1 }),
                (commands, later) => run(property(commands, later))
              ),
              { ...parameters, numRuns: Math.ceil(runs / 2) }
            )
          )
        }),
      { timeout }
    )

    it.effect(
      "two organizations on the same items do not touch each other, whoever comes first (L12 F5)",
      () =>
        Effect.gen(function*() {
          const { both: [here, there] } = yield* applications
          const run = yield* runner
          const property = Effect.fnUntraced(function*(
            left: ReadonlyArray<Command>,
            right: ReadonlyArray<Command>,
            areAtOnce: boolean
          ) {
            const one = yield* here.arrange()
            const other = yield* here.arrange(start, one.scene)
            const ends = yield* Effect.all([
              inOrder(here, one, withoutAttaching(left)),
              inOrder(there, other, withoutAttaching(right))
            ], { concurrency: areAtOnce ? "unbounded" : 1 })
            for (const end of ends) assert.deepStrictEqual(yield* here.observe(end), observationOf(end))
          })
          const paying = (commands: ReadonlyArray<Command>): ReadonlyArray<Command> => [
            { _tag: "Grant", ref: 0, bucket: "purchased", amount: 25, days: null },
            ...commands
          ]
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(
                trace,
                trace,
                fc.boolean(),
                (left, right, areAtOnce) => run(property(left, right, areAtOnce))
              ),
              // In the examples one meets what the other has paid for, in the second each of them, which few of those that are drawn do.
              {
                ...parameters,
                numRuns: Math.ceil(runs / 2),
                examples: [false, true].map((areAtOnce) => [paying(charges), paying(charges.toReversed()), areAtOnce])
              }
            )
          )
        }),
      { timeout }
    )
  })
}

/** Fibers go on in the order that fast-check chooses, one step at a time. */
const chosenBy = (schedule: fc.Scheduler): Scheduler.Scheduler => ({
  executionMode: "async",
  shouldYield: () => false,
  makeDispatcher: () => ({
    scheduleTask: (task) => {
      void schedule.schedule(Promise.resolve()).then(task)
    },
    flush: nothing
  })
})

/** `layer` holds an empty store in memory. */
export const ledgerSchedules = <E>(
  name: string,
  layer: Layer.Layer<LedgerPorts, E>,
  { runs, seed = 20_260_330 }: LawOptions
): void => {
  suite(layer, { excludeTestServices: true })(`${name}: the laws of credits under chosen schedules`, (it) => {
    it.effect(
      "simultaneous calls are explained by some order of the model, however their steps interleave (I6 I5)",
      () =>
        Effect.gen(function*() {
          const here = yield* application
          const context = yield* Effect.context<LedgerPorts>()
          const run = Effect.runPromiseWith(context)
          const seen = new Set<string>()
          const note = (each: ReadonlyArray<string>) => each.forEach((one) => seen.add(one))
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(
                fc.scheduler(),
                fc.oneof(
                  { weight: 4, arbitrary: fc.tuple(opening, fc.array(command, { maxLength: 4 }), batch) },
                  { weight: 1, arbitrary: fc.tuple(fc.constant([]), fc.constant(closing.before), closing.batch) }
                ),
                (schedule, [grants, before, commands]) =>
                  run(Effect.flatMap(here.arrange(), (state) => inOrder(here, state, [...grants, ...before]))).then((
                    state
                  ) =>
                    schedule.waitFor(run(atOnce([here], state, commands), { scheduler: chosenBy(schedule) }))
                      .then((observed) => run(explained(here, state, observed, note)))
                      .then((end) => run(Effect.asVoid(inOrder(here, end, charges))))
                  )
              ),
              { numRuns: runs, seed }
            )
          )
          assertSeen(everyBatch, seen)
        }),
      { timeout: 30_000 + runs * 1000 }
    )
  })
}

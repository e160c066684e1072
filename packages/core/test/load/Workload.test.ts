/** What one organization keeps busy, and for how long, at the one place that every operation passes. */
import { assert, describe, it } from "@effect/vitest"
import { Caller, type CallerFacts } from "@freehold/core/access/Caller"
import { operations } from "@freehold/core/catalogue/Catalogue"
import { longestRest } from "@freehold/core/load/FairShares"
import * as Spare from "@freehold/core/load/Spare"
import * as Turn from "@freehold/core/load/Turn"
import * as Usage from "@freehold/core/load/Usage"
import { boundsOn, Processors, Workload } from "@freehold/core/load/Workload"
import type { Work } from "@freehold/core/operation/Operation"
import { defaults } from "@freehold/core/organization/Organization"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"

const bounds = boundsOn(2)

const callerOf = (orgId: string): CallerFacts => ({
  kind: "key",
  territory: null,
  credentialId: "key_sample",
  keyName: "sample",
  label: "sample",
  scopes: [],
  organization: defaults(orgId),
  requestId: "request"
})

const work = <R>(orgId: string, kind: Work, effect: Effect.Effect<unknown, never, R>) =>
  Workload.use(({ within }) => within(kind, effect)).pipe(Effect.provideService(Caller, callerOf(orgId)))

const kinds = ["point", "read", "write", "research"] as const

describe("Workload", () => {
  it.effect.each(kinds)(
    "an organization that fills its share of %s refuses itself alone, and gets everything back (P1)",
    (kind) =>
      Effect.gen(function*() {
        const { perOrganization, seconds, waiting } = bounds[kind]
        const crowd = yield* Effect.forEach(
          Array.from({ length: perOrganization + waiting }),
          () => Effect.forkChild(Effect.flip(work("org_a", kind, Effect.never)), { startImmediately: true })
        )
        const { standing } = yield* Workload
        assert.deepInclude(standing()[kind], { running: perOrganization, waiting })
        const refused = yield* Effect.flip(work("org_a", kind, Effect.void))
        assert.strictEqual(refused._tag, "TEMPORARILY_UNAVAILABLE")
        // Another one, and another kind, find everything as ever.
        yield* work("org_b", kind, Effect.void)
        for (const other of kinds) if (other !== kind) yield* work("org_a", other, Effect.void)
        yield* TestClock.adjust(`${seconds} seconds`)
        for (const each of crowd) assert.strictEqual((yield* Fiber.join(each))._tag, "TEMPORARILY_UNAVAILABLE")
        yield* TestClock.adjust(longestRest)
        assert.deepStrictEqual(standing()[kind], { running: 0, waiting: 0, organizations: 0 })
        yield* work("org_a", kind, Effect.void)
      }).pipe(Effect.provide(Workload.layer))
  )

  it.effect("work within work takes no second place", () =>
    Effect.gen(function*() {
      const { standing } = yield* Workload
      const nested = work("org_a", "write", Effect.orDie(work("org_a", "read", Effect.sync(() => standing()))))
      assert.deepInclude(yield* nested, { read: { running: 0, waiting: 0, organizations: 0 } })
    }).pipe(Effect.provide(Workload.layer)))

  it.effect("goes on in its organization's turn after each statement, but for what takes microseconds (V7)", () =>
    Effect.gen(function*() {
      const turns: Array<string> = []
      const next = (orgId: string) => Effect.sync(() => void turns.push(orgId))
      const statement = Turn.after("rows")
      const twice = Effect.gen(function*() {
        for (const [orgId, kind] of [["org_a", "read"], ["org_a", "point"], ["org_b", "write"]] as const) {
          yield* work(orgId, kind, Effect.andThen(statement, statement))
        }
        // Nobody's work.
        assert.strictEqual(yield* statement, "rows")
      })
      yield* Effect.provide(twice, Layer.provide(Workload.layer, Layer.succeed(Turn.Next, next)))
      assert.deepStrictEqual(turns, ["org_a", "org_a", "org_b", "org_b"])
    }))

  it.effect("one organization's reads take at most half of the processors", () =>
    Effect.gen(function*() {
      for (const [processors, places] of [[1, 1], [2, 1], [4, 2], [64, 3]] as const) {
        const running = Effect.gen(function*() {
          for (let n = 0; n < 10; n++) {
            yield* Effect.forkChild(work("org_a", "read", Effect.never), { startImmediately: true })
          }
          return (yield* Workload).standing().read.running
        })
        const there = Layer.provide(Workload.layer, Layer.succeed(Processors, processors))
        assert.strictEqual(yield* Effect.provide(running, there), places, `on ${processors}`)
      }
    }))

  describe("a second processor", () => {
    const isTaken = Spare.use({ byTwo: Effect.succeed(true), byOne: Effect.succeed(false) })
    const found = (orgId: string, kind: Work) =>
      Effect.gen(function*() {
        let taken = false
        yield* work(orgId, kind, Effect.scoped(Effect.map(isTaken, (found) => void (taken = found))))
        return taken
      })
    const on = (processors: number) =>
      Effect.provide(Layer.provide(Workload.layer, Layer.succeed(Processors, processors)))

    it.effect("is to spare for a read, of its organization's half or while nobody else is there", () =>
      Effect.gen(function*() {
        const seen = Effect.gen(function*() {
          const alone = [yield* found("org_a", "read"), yield* found("org_a", "read"), yield* found("org_a", "point")]
          yield* work("org_b", "point", Effect.void)
          const beside = yield* found("org_a", "read")
          yield* TestClock.adjust(Usage.presence)
          return [...alone, beside, yield* found("org_a", "read"), yield* Effect.scoped(isTaken)]
        })
        assert.deepStrictEqual(yield* on(1)(seen), [false, false, false, false, false, false])
        assert.deepStrictEqual(yield* on(2)(seen), [true, true, false, false, true, false])
        assert.deepStrictEqual(yield* on(4)(seen), [true, true, false, true, true, false])
      }))

    const keeping = (orgId: string) =>
      Effect.forkChild(
        work(orgId, "read", Effect.scoped(Effect.andThen(isTaken, Effect.never))),
        { startImmediately: true }
      )

    it.effect("counts with all that run for as long as it is kept", () =>
      Effect.gen(function*() {
        const kept = yield* keeping("org_a")
        yield* keeping("org_b")
        assert.isFalse(yield* found("org_c", "read"))
        yield* Fiber.interrupt(kept)
        assert.isTrue(yield* found("org_c", "read"))
      }).pipe(on(4)))

    it.effect("counts with the places of its organization for as long as it is kept", () =>
      Effect.gen(function*() {
        yield* work("org_b", "point", Effect.void)
        const kept = yield* keeping("org_a")
        yield* keeping("org_a")
        assert.isFalse(yield* found("org_a", "read"))
        assert.isTrue(yield* found("org_b", "read"))
        yield* Fiber.interrupt(kept)
        assert.isTrue(yield* found("org_a", "read"))
      }).pipe(on(8)))
  })

  it("one organization has at most half of the places of any kind (P1)", () => {
    for (const { besideBusier, inAll } of Object.values(bounds)) assert.isAtMost(besideBusier, inAll / 2)
  })

  it("research and drafts have 30 seconds, all others 10 (P4)", () => {
    for (const operation of operations) {
      const slow = /research|find_email|draft/.test(operation.name)
      assert.strictEqual(bounds[operation.work].seconds, slow ? 30 : 10, operation.name)
    }
  })
})

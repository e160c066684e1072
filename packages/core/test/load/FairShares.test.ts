/**
 * The laws of fair shares, over generated histories of work that comes, ends, fails or stops waiting.
 *
 * All organizations are made up.
 */
import { assert, describe, it } from "@effect/vitest"
import {
  type Bounds,
  type FairShares,
  freeInterruptions,
  make,
  modestLine,
  restOfInterrupted
} from "@freehold/core/load/FairShares"
import * as Usage from "@freehold/core/load/Usage"
import { Clock, Deferred, Duration, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"

const organizations = ["org_a", "org_b", "org_c", "org_d"] as const

/** One piece of work: it runs until it is told how to end. */
class Job {
  state: "waiting" | "running" | "over" = "waiting"
  readonly org: string
  readonly end = Deferred.makeUnsafe<void, "failed">()
  constructor(org: string) {
    this.org = org
  }
}

interface Started {
  readonly job: Job
  readonly fiber: Fiber.Fiber<Result.Result<void, "full" | "failed">>
}

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ _tag: fc.constant("Come" as const), org: fc.constantFrom(...organizations) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constantFrom("Succeed" as const, "Fail" as const, "Interrupt" as const),
      job: fc.nat({ max: 1000 })
    })
  }
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const bounds = fc.record({
  inAll: fc.integer({ min: 1, max: 5 }),
  perOrganization: fc.integer({ min: 1, max: 3 }),
  waiting: fc.integer({ min: 0, max: 4 }),
  rest: fc.constant(0)
}).map((limits) => ({ ...limits, besideBusier: limits.perOrganization }))

/** Lets a job come; `order` is told when it gets its turn. */
const come = Effect.fnUntraced(function*(shares: FairShares, org: string, order: Array<string>) {
  const job = new Job(org)
  const use = Effect.suspend(() => {
    job.state = "running"
    order.push(org)
    return Deferred.await(job.end)
  })
  const whole = Effect.ensuring(
    Effect.result(shares.take(org, use, Effect.fail("full" as const))),
    Effect.sync(() => {
      job.state = "over"
    })
  )
  const started: Started = { job, fiber: yield* Effect.forkChild(whole, { startImmediately: true }) }
  return started
})

const alive = (jobs: ReadonlyArray<Job>, state: Job["state"], org?: string) =>
  jobs.filter((job) => job.state === state && (org === undefined || job.org === org))

/** What holds whenever nothing is about to move. */
const check = (jobs: ReadonlyArray<Job>, { inAll, perOrganization, waiting }: Bounds, shares: FairShares) => {
  const running = alive(jobs, "running")
  assert.isAtMost(running.length, inAll)
  for (const org of organizations) {
    const own = alive(jobs, "running", org).length
    const line = alive(jobs, "waiting", org).length
    assert.isAtMost(own, perOrganization)
    assert.isAtMost(line, waiting)
    // Nobody waits for a place that is there.
    if (line > 0) assert.isTrue(own === perOrganization || running.length === inAll)
  }
  assert.deepInclude(shares.standing(), { running: running.length, waiting: alive(jobs, "waiting").length })
}

const history = Effect.fnUntraced(function*(limits: Bounds, steps: ReadonlyArray<Step>) {
  const shares = make(limits)
  const order: Array<string> = []
  const started: Array<Started> = []
  const jobs: Array<Job> = []
  const settle = Effect.repeat(Effect.yieldNow, { times: 20 })
  for (const each of steps) {
    if (each._tag === "Come") {
      const full = alive(jobs, "waiting", each.org).length === limits.waiting &&
        (alive(jobs, "running", each.org).length === limits.perOrganization ||
          alive(jobs, "running").length === limits.inAll)
      const came = yield* come(shares, each.org, order)
      yield* settle
      assert.strictEqual(came.job.state === "over", full)
      if (full) assert.deepStrictEqual(yield* Fiber.join(came.fiber), Result.fail("full" as const))
      started.push(came)
      jobs.push(came.job)
    } else {
      const open = started.filter(({ job }) => job.state !== "over")
      const chosen = open[each.job % Math.max(1, open.length)]
      if (chosen === undefined) continue
      const { fiber, job } = chosen
      if (each._tag === "Interrupt" || job.state === "waiting") yield* Fiber.interrupt(fiber)
      else if (each._tag === "Succeed") yield* Deferred.succeed(job.end, undefined)
      else yield* Deferred.fail(job.end, "failed")
      yield* settle
    }
    check(jobs, limits, shares)
  }
  // When all is over nothing is held, and nothing is remembered.
  for (const { job } of started) yield* Deferred.succeed(job.end, undefined)
  yield* Effect.forEach(started, ({ fiber }) => Fiber.await(fiber))
  assert.deepStrictEqual(shares.standing(), { running: 0, waiting: 0, organizations: 0 })
})

describe("FairShares", () => {
  it("keeps every bound, lets nobody wait for a place that is free, and gets every place back (P1)", () =>
    fc.assert(
      fc.asyncProperty(bounds, fc.array(step, { maxLength: 60, size: "max" }), (limits, steps) =>
        Effect.runPromise(history(limits, steps))),
      { numRuns: 200, seed: 20_261_122 }
    ))

  it("lets different organizations in by turns, however many of one wait (P2)", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 3 }), { minLength: 4, maxLength: 40 }), (arrivals) =>
        Effect.runPromise(Effect.gen(function*() {
          const shares = make({ inAll: 1, perOrganization: 1, besideBusier: 1, waiting: 100, rest: 0 })
          const order: Array<string> = []
          const first = yield* come(shares, "org_first", order)
          const jobs = yield* Effect.forEach(arrivals, (index) =>
            come(shares, organizations[index] ?? "", order))
          for (const { job } of [first, ...jobs]) yield* Deferred.succeed(job.end, undefined)
          yield* Effect.forEach(jobs, ({ fiber }) => Fiber.join(fiber))
          const served = order.slice(1)
          assert.lengthOf(served, arrivals.length)
          served.forEach((org, at) => {
            // Between two turns of one organization, everybody who still waits has one.
            const next = served.indexOf(org, at + 1)
            if (next === -1) return
            const rest = new Set(served.slice(at + 1))
            assert.deepStrictEqual(new Set(served.slice(at + 1, next + 1)), rest)
          })
        }))),
      { numRuns: 200, seed: 20_261_122 }
    ))

  /** Work of an organization that takes so long from now on. */
  const finish = Effect.fnUntraced(function*({ fiber, job }: Started, millis: number) {
    yield* TestClock.adjust(Duration.millis(millis))
    yield* Effect.andThen(Deferred.succeed(job.end, undefined), Fiber.join(fiber))
  })

  it.effect("lets the places of the busiest rest as long as their work took, before more of the same (P7)", () =>
    Effect.gen(function*() {
      const shares = make({ inAll: 2, perOrganization: 1, besideBusier: 1, waiting: 100, rest: 1 })
      const order: Array<string> = []
      yield* finish(yield* come(shares, "org_b", order), 10)
      yield* TestClock.adjust(Duration.millis(Usage.settling))
      const first = yield* come(shares, "org_a", order)
      const second = yield* come(shares, "org_a", order)
      yield* finish(first, 300)

      // It is the others' meanwhile, and theirs need no rest.
      const others = [yield* come(shares, "org_b", order), yield* come(shares, "org_b", order)]
      for (const other of others) yield* finish(other, 100)
      assert.deepStrictEqual(order, ["org_b", "org_a", "org_b", "org_b"])

      yield* TestClock.adjust("99 millis")
      assert.strictEqual(second.job.state, "waiting")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(second.job.state, "running")

      // Nothing waits for it, so it does not rest.
      yield* finish(second, 300)
      const third = yield* come(shares, "org_a", order)
      assert.strictEqual(third.job.state, "running")
      yield* finish(third, 0)
      assert.deepStrictEqual(shares.standing(), { running: 0, waiting: 0, organizations: 0 })
    }))

  it.effect("gives more places beside a busier one to who has been there, and the busier one no more for it (P7)", () =>
    Effect.gen(function*() {
      const shares = make({ inAll: 4, perOrganization: 1, besideBusier: 2, waiting: 100, rest: 1 })
      const order: Array<string> = []
      const busy = [yield* come(shares, "org_a", order), yield* come(shares, "org_a", order)]
      // What runs counts already, however long it will run.
      yield* TestClock.adjust("100 millis")
      const beside = [yield* come(shares, "org_b", order), yield* come(shares, "org_b", order)]
      // Who came a moment ago has not shown yet how much it uses.
      assert.deepStrictEqual(order, ["org_a", "org_b"])
      yield* TestClock.adjust("1 second")
      beside.push(yield* come(shares, "org_b", order))
      assert.deepStrictEqual(order, ["org_a", "org_b", "org_b"])
      for (const { fiber } of [...beside, ...busy]) yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(shares.standing(), { running: 0, waiting: 0, organizations: 0 })
    }))

  it.effect("gives no more places to who has a long line, whatever it used until now (P7)", () =>
    Effect.gen(function*() {
      const shares = make({ inAll: 4, perOrganization: 1, besideBusier: 2, waiting: 100, rest: 1 })
      const order: Array<string> = []
      const busy = yield* come(shares, "org_a", order)
      yield* TestClock.adjust("100 millis")
      const first = yield* come(shares, "org_b", order)
      yield* TestClock.adjust("1 second")
      const crowd = yield* Effect.forEach(Array.from({ length: modestLine + 5 }), () => come(shares, "org_b", order))
      const [second, ...others] = crowd
      assert.exists(second)
      // Two came while the line was short.
      assert.deepStrictEqual(order, ["org_a", "org_b", "org_b"])
      yield* finish(first, 0)
      assert.deepStrictEqual(order, ["org_a", "org_b", "org_b"])
      yield* finish(second, 0)
      // Its line is the longest by far, so its places rest.
      assert.deepStrictEqual(order, ["org_a", "org_b", "org_b"])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(order, ["org_a", "org_b", "org_b", "org_b"])
      for (const { fiber } of [...others, busy]) yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(shares.standing(), { running: 0, waiting: 0, organizations: 0 })
    }))

  it.effect("lets nobody rest who is alone, or alone again (P7)", () =>
    Effect.gen(function*() {
      const shares = make({ inAll: 2, perOrganization: 1, besideBusier: 1, waiting: 100, rest: 1 })
      const order: Array<string> = []
      for (const other of ["org_a", "org_b"]) {
        yield* finish(yield* come(shares, other, order), 0)
        yield* TestClock.adjust(Duration.millis(Usage.presence))
        const first = yield* come(shares, "org_a", order)
        const second = yield* come(shares, "org_a", order)
        yield* finish(first, 300)
        assert.strictEqual(second.job.state, "running")
        yield* finish(second, 0)
      }
    }))

  it.effect("counts what an organization used of all kinds of work (P7)", () =>
    Effect.gen(function*() {
      const usage = Usage.make()
      const reads = make({ inAll: 2, perOrganization: 1, besideBusier: 1, waiting: 100, rest: 1 }, usage)
      const points = make({ inAll: 2, perOrganization: 1, besideBusier: 1, waiting: 100, rest: 0 }, usage)
      const order: Array<string> = []
      yield* finish(yield* come(points, "org_b", order), 10)
      yield* TestClock.adjust(Duration.millis(Usage.settling))
      const first = yield* come(reads, "org_a", order)
      const second = yield* come(reads, "org_a", order)
      yield* finish(first, 300)
      assert.strictEqual(second.job.state, "waiting")
      yield* TestClock.adjust("300 millis")
      yield* finish(second, 0)
    }))

  it.effect("counts requests while the thread is busy, so that nobody seems to use much whom others keep waiting (P7)", () =>
    Effect.gen(function*() {
      const usage = Usage.make(() => 1)
      const shares = make({ inAll: 4, perOrganization: 1, besideBusier: 2, waiting: 100, rest: 1 }, usage)
      const order: Array<string> = []
      const first = yield* come(shares, "org_b", order)
      yield* TestClock.adjust("1 second")
      // Of hundreds that are given up before they have a place, or whose organization nobody knows yet.
      for (const flood of ["org_a", null]) {
        const now = yield* Clock.currentTimeMillis
        for (let n = 0; n < 100; n++) usage.arrive(flood, now)
        assert.isTrue(usage.hasBusier("org_b", now))
        const second = yield* come(shares, "org_b", order)
        assert.strictEqual(second.job.state, "running")
        yield* finish(second, 0)
        yield* TestClock.adjust(Duration.millis(Usage.presence))
      }
      yield* finish(first, 0)
      assert.deepStrictEqual(shares.standing(), { running: 0, waiting: 0, organizations: 0 })
    }))

  it("counts what requests take of the thread while it is busy, so that few long ones are more than many short ones (P7)", () => {
    const usage = Usage.make(() => 1)
    for (let n = 0; n < 20; n++) {
      usage.arrive("org_a", n)
      usage.spend("org_a", 1, n)
    }
    usage.arrive("org_b", 20)
    usage.spend("org_b", 100, 20)
    assert.isTrue(usage.hasBusier("org_a", 20))
    assert.isFalse(usage.hasBusier("org_b", 20))
  })

  it.effect("takes whoever has the longest line for the busiest, whatever its work is (P7)", () =>
    Effect.gen(function*() {
      const usage = Usage.make()
      const writes = make({ inAll: 4, perOrganization: 1, besideBusier: 1, waiting: 100, rest: 1 }, usage)
      const reads = make({ inAll: 4, perOrganization: 1, besideBusier: 2, waiting: 100, rest: 1 }, usage)
      const order: Array<string> = []
      yield* finish(yield* come(writes, "org_a", order), 0)
      yield* TestClock.adjust(Duration.millis(Usage.settling))
      // It has used more until now.
      yield* finish(yield* come(reads, "org_b", order), 500)
      yield* TestClock.adjust(Duration.millis(Usage.settling))
      const flood = yield* Effect.forEach(Array.from({ length: 11 }), () => come(writes, "org_a", order))
      const own = [yield* come(reads, "org_b", order), yield* come(reads, "org_b", order)]
      assert.deepStrictEqual(own.map(({ job }) => job.state), ["running", "running"])
      own.push(yield* come(reads, "org_b", order))
      for (const each of own) yield* finish(each, 10)
      const [first, second] = flood
      assert.exists(first)
      assert.exists(second)
      yield* finish(first, 10)
      assert.strictEqual(second.job.state, "waiting")
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(second.job.state, "running")
      for (const each of flood.slice(1)) {
        yield* finish(each, 0)
        yield* TestClock.adjust("2 seconds")
      }
    }))

  it("counts places and no requests while the thread is idle, and who has just come is nobody's company, nor are strangers (P7)", () => {
    const usage = Usage.make(() => 0)
    usage.begin("org_b", 0)
    for (const flood of ["org_a", null]) for (let n = 0; n < 100; n++) usage.arrive(flood, 10)
    assert.isFalse(usage.hasCompany("org_b", 10))
    const later = 10 + Usage.settling
    assert.isTrue(usage.hasCompany("org_b", later))
    usage.begin("org_c", later + 1)
    assert.isFalse(usage.hasCompany("org_b", 10 + Usage.presence))
    assert.isFalse(usage.hasBusier("org_b", later))
    assert.isTrue(usage.hasBusier("org_a", later))
  })

  it.effect("lets a place rest whose work was given up, once that happens more often than anybody types (P7)", () =>
    Effect.gen(function*() {
      const shares = make({ inAll: 2, perOrganization: 1, besideBusier: 1, waiting: 100, rest: 1 })
      const order: Array<string> = []
      // Somebody types, and finds a place with each key.
      for (let key = 0; key < 3 * freeInterruptions; key++) {
        const search = yield* come(shares, "org_a", order)
        assert.strictEqual(search.job.state, "running")
        yield* Fiber.interrupt(search.fiber)
        yield* TestClock.adjust("100 millis")
      }
      yield* TestClock.adjust("1 second")
      for (let n = 0; n <= freeInterruptions; n++) yield* Fiber.interrupt((yield* come(shares, "org_a", order)).fiber)
      const next = yield* come(shares, "org_a", order)
      assert.strictEqual(next.job.state, "waiting")
      yield* TestClock.adjust(restOfInterrupted)
      assert.strictEqual(next.job.state, "running")
      yield* finish(next, 1000)
      assert.deepStrictEqual(shares.standing(), { running: 0, waiting: 0, organizations: 0 })
    }))
})

/** What every `OperatorRequests` must do. */
import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { defaults } from "../organization/Organization.ts"
import { type Added, type Asked, OperatorRequests } from "../request/OperatorRequests.ts"
import { type Seeder, startOver } from "./Seed.ts"

const orgId = "request-org"
const otherOrgId = "other-request-org"
const at = Date.UTC(2026, 0, 2)
const hour = 3_600_000

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

const support: Asked = { kind: "support", subject: "Help", message: "It does not work" }
const coverage: Asked = { kind: "coverage", countyFips: ["48113", "48085"] }

const seed = Effect.gen(function*() {
  yield* startOver({ organizations: [defaults(orgId), defaults(otherOrgId)] })
  return yield* OperatorRequests
})

const add = (n: number, asked: Asked = support, now = at + n, org = orgId) =>
  OperatorRequests.use((requests) =>
    requests.add({
      orgId: org,
      id: id(n),
      asked,
      actor: { kind: "key", id: "key", name: "sample key" },
      requestId: `request ${n}`,
      most: 3,
      spanMillis: hour,
      now
    })
  )

const recorded: Added = { before: [], next: Option.none() }
const waiting = (next: number): Added => ({ before: [], next: Option.some(next) })

/** `layer` is a store of its own. */
export const operatorRequestsContract = <E>(name: string, layer: Layer.Layer<OperatorRequests | Seeder, E>): void => {
  withLayer(layer, { excludeTestServices: true })(`OperatorRequests: ${name}`, (it) => {
    it.effect("the operator reads what was asked for, newest first, of one organization or all", () =>
      Effect.gen(function*() {
        const requests = yield* seed
        yield* add(1)
        yield* add(2, coverage)
        yield* add(3, support, at + 3, otherOrgId)
        const list = (org: string | null, status: "open" | "closed" | null, limit = 9, offset = 0) =>
          requests.list({ orgId: org, status, limit, offset })
        const ids = (org: string | null, status: "open" | "closed" | null, limit = 9, offset = 0) =>
          Effect.map(list(org, status, limit, offset), (found) => [found.requests.map((each) => each.id), found.total])
        assert.deepStrictEqual(yield* ids(null, null), [[id(3), id(2), id(1)], 3])
        assert.deepStrictEqual(yield* ids(orgId, "open", 1, 1), [[id(1)], 2])
        const by = (actorId: string) => requests.list({ orgId, status: null, actorId, limit: 9, offset: 0 })
        assert.deepStrictEqual([(yield* by("key")).total, (yield* by("somebody else")).total], [2, 0])
        const { requests: [second, first] } = yield* list(orgId, null)
        const common = {
          orgId,
          status: "open",
          actor: { kind: "key", id: "key", name: "sample key" },
          closedAt: null,
          answer: null
        }
        assert.deepStrictEqual<unknown>(first, {
          ...common,
          id: id(1),
          kind: "support",
          subject: "Help",
          message: "It does not work",
          countyFips: null,
          requestId: "request 1",
          createdAt: "2026-01-02T00:00:00.001Z"
        })
        assert.deepStrictEqual<unknown>(second, {
          ...common,
          id: id(2),
          kind: "coverage",
          subject: null,
          message: null,
          countyFips: ["48113", "48085"],
          requestId: "request 2",
          createdAt: "2026-01-02T00:00:00.002Z"
        })
        const closed = Option.getOrThrow(yield* requests.close(id(1), at + 50, "It works now"))
        const answered = { status: "closed" as const, closedAt: "2026-01-02T00:00:00.050Z", answer: "It works now" }
        assert.deepInclude(closed, answered)
        const late = yield* Effect.flip(requests.close(id(1), at + 99, "another"))
        assert.strictEqual(late.message, "it was closed before, with the answer: It works now")
        assert.deepStrictEqual(
          (yield* requests.list({ orgId, status: "closed", limit: 9, offset: 0 })).requests,
          [closed]
        )
        assert.deepStrictEqual(yield* ids(orgId, "closed"), [[id(1)], 1])
        assert.deepStrictEqual(yield* ids(orgId, "open"), [[id(2)], 1])
        assert.isTrue(Option.isNone(yield* requests.close(id(99), at, null)))
      }))

    it.effect("a page begins behind the last request of the one before, though newer ones come and some are of one moment", () =>
      Effect.gen(function*() {
        const requests = yield* seed
        yield* add(1, support, at)
        yield* add(3, support, at + 9)
        yield* add(2, support, at + 9)
        const first = yield* requests.list({ orgId, status: null, limit: 1, offset: 0 })
        assert.deepStrictEqual(first.requests.map((each) => each.id), [id(2)])
        yield* add(4, coverage, at + 10)
        const behind = yield* requests.list({ orgId, status: null, after: first.requests[0], limit: 9, offset: 0 })
        assert.deepStrictEqual([behind.requests.map((each) => each.id), behind.total], [[id(3), id(1)], 4])
        const end = yield* requests.list({ orgId, status: null, after: behind.requests[1], limit: 9, offset: 0 })
        assert.deepStrictEqual([end.requests, end.total], [[], 4])
      }))

    it.effect("a county is recorded with the first open request that names it", () =>
      Effect.gen(function*() {
        const requests = yield* seed
        yield* add(1)
        assert.deepStrictEqual(yield* add(2, coverage), recorded)
        const told = (countyFips: string, n: number) => ({
          countyFips,
          id: id(n),
          createdAt: `2026-01-02T00:00:00.00${n}Z`
        })
        const counties = (...countyFips: ReadonlyArray<string>): Asked => ({ kind: "coverage", countyFips })
        const more = yield* add(3, counties("48439", "48113", "48085", "48201"))
        assert.deepStrictEqual(more, { ...recorded, before: [told("48085", 2), told("48113", 2)] })
        assert.deepStrictEqual(yield* add(4, counties("48201", "48085")), {
          ...recorded,
          before: [told("48085", 2), told("48201", 3)]
        })
        assert.deepStrictEqual(yield* add(5, counties("48201"), at + 5, otherOrgId), recorded)
        const list = Effect.map(
          requests.list({ orgId, kind: "coverage", status: null, limit: 9, offset: 0 }),
          (found) => found.requests.map((each) => each.countyFips)
        )
        assert.deepStrictEqual(yield* list, [["48439", "48201"], ["48113", "48085"]])
        // What is closed is asked for anew.
        yield* requests.close(id(2), at + 9, null)
        assert.deepStrictEqual(yield* add(6, counties("48085", "48439")), { ...recorded, before: [told("48439", 3)] })
        // Nothing is left to be recorded, so there is nothing to wait for, either.
        assert.deepStrictEqual((yield* add(7, counties("48085"))).before, [told("48085", 6)])
        assert.deepStrictEqual(yield* add(8, counties("48085", "48113")), {
          before: [told("48085", 6)],
          next: Option.some(at + 2 + hour)
        })
      }))

    it.effect("of many who ask for the same counties at once one is recorded, and all others are told of it", () =>
      Effect.gen(function*() {
        const requests = yield* seed
        const outcomes = yield* Effect.forEach(
          Array.from({ length: 12 }, (_, index) => 30 + index),
          (n) => Effect.map(add(n, coverage, at), (added) => ({ n, ...added })),
          { concurrency: "unbounded" }
        )
        const [first, ...others] = outcomes.filter(({ before }) => before.length === 0)
        assert.isUndefined(others[0])
        for (const { before, n, next } of outcomes) {
          assert.isTrue(Option.isNone(next))
          const ids = before.map((each) => each.id)
          assert.deepStrictEqual(ids, n === first?.n ? [] : [id(first?.n ?? 0), id(first?.n ?? 0)])
        }
        assert.strictEqual((yield* requests.list({ orgId, status: null, limit: 9, offset: 0 })).total, 1)
      }))

    it.effect("requests are listed of one kind, and of coverage those for a county of a state", () =>
      Effect.gen(function*() {
        const requests = yield* seed
        yield* add(1)
        yield* add(2, coverage)
        yield* add(3, { kind: "coverage", countyFips: ["06001", "48439"] })
        const ids = (narrowed: { readonly kind?: "support" | "coverage"; readonly stateFips?: string }) =>
          Effect.map(
            requests.list({ orgId, status: null, limit: 9, offset: 0, ...narrowed }),
            (found) => found.requests.map((each) => each.id)
          )
        assert.deepStrictEqual(yield* ids({ kind: "support" }), [id(1)])
        assert.deepStrictEqual(yield* ids({ kind: "coverage" }), [id(3), id(2)])
        assert.deepStrictEqual(yield* ids({ stateFips: "06" }), [id(3)])
        assert.deepStrictEqual(yield* ids({ stateFips: "48" }), [id(3), id(2)])
        assert.deepStrictEqual(yield* ids({ stateFips: "13" }), [])
      }))

    it.effect("no more of one kind are recorded within the span, and the next may come when the oldest leaves it", () =>
      Effect.gen(function*() {
        yield* seed
        for (const n of [1, 2, 3]) assert.deepStrictEqual(yield* add(n), recorded)
        assert.deepStrictEqual(yield* add(4), waiting(at + 1 + hour))
        assert.deepStrictEqual(yield* add(5, coverage), recorded)
        assert.deepStrictEqual(yield* add(6, support, at, otherOrgId), recorded)
        assert.deepStrictEqual(yield* add(7, support, at + hour), waiting(at + 1 + hour))
        assert.deepStrictEqual(yield* add(8, support, at + 1 + hour), recorded)
        assert.deepStrictEqual(yield* add(9, support, at + 1 + hour), waiting(at + 2 + hour))
      }))

    it.effect("what was recorded before a clock was set back does not count", () =>
      Effect.gen(function*() {
        yield* seed
        for (const n of [1, 2, 3]) assert.deepStrictEqual(yield* add(n), recorded)
        assert.deepStrictEqual(yield* add(4, support, at - 2 * hour), recorded)
      }))

    it.effect("of many at once exactly as many are recorded as allowed", () =>
      Effect.gen(function*() {
        const requests = yield* seed
        const outcomes = yield* Effect.forEach(Array.from({ length: 12 }, (_, index) => index), (index) =>
          add(30 + index, support, at), { concurrency: "unbounded" })
        assert.lengthOf(
          outcomes.filter(({ next }) =>
            Option.isNone(next)
          ),
          3
        )
        assert.strictEqual((yield* requests.list({ orgId, status: null, limit: 9, offset: 0 })).total, 3)
      }))
  })
}

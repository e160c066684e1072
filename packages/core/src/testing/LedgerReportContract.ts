/**
 * What every `LedgerReport` must do. Adapters call `ledgerReportContract` from their own tests.
 *
 * All data is made up.
 */
import { assert, layer as suite } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import { decideGrant } from "../credit/Grant.ts"
import { Ledger } from "../credit/Ledger.ts"
import { type EntryFilter, LedgerReport } from "../credit/LedgerReport.ts"
import { OwnAction } from "../credit/OwnAction.ts"
import { decideOwnAction } from "../credit/OwnActionDecision.ts"
import { decideRefund } from "../credit/Refund.ts"
import { defaults } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"

const first = Date.UTC(2026, 2, 30, 12)
const day = 86_400_000

const operator: EntryActor = { kind: "operator", id: null, name: null }
const ana = { kind: "member", id: "00000000-0000-4000-8000-00000000000a", name: "Ana" } as const
const key = { kind: "key", id: "00000000-0000-4000-8000-00000000000b", name: "CI" } as const

const everything: EntryFilter = { kind: null, action: null, actorId: null, since: null, until: null }

let made = 0

/** An organization with a grant that lasts, one that ends after two days, and charges of two actors on two days. */
const arrange = Effect.gen(function*() {
  const orgId = `org_report_${++made}`
  yield* Organizations.use((organizations) => organizations.save(defaults(orgId)))
  const ledger = yield* Ledger
  const grant = (ref: string, amount: number, expiresAt: number | null) =>
    ledger.transact(
      { orgId, subject: { _tag: "Grant", ref }, exclusive: false, now: first },
      (snapshot) =>
        decideGrant(snapshot, {
          ref,
          bucket: "purchased",
          amount,
          expiresAt,
          actor: operator,
          requestId: null,
          now: first
        })
    )
  const charge = Effect.fnUntraced(function*(name: string, price: number, actor: EntryActor, now: number) {
    const subjectId = String(++made)
    const { entry } = yield* ledger.transact(
      { orgId, subject: { _tag: "Own", action: name, subjectId }, exclusive: true, now },
      (snapshot) =>
        decideOwnAction(snapshot, { action: new OwnAction({ name, price }), subjectId, actor, requestId: null, now })
    )
    return entry
  })
  yield* grant("lasting", 100, null)
  yield* grant("ending", 50, first + 2 * day)
  yield* charge("report", 3, ana, first)
  yield* charge("survey", 4, key, first)
  yield* charge("report", 3, { ...ana, name: "Ana Sample" }, first + day)
  const given = yield* charge("report", 3, ana, first + day)
  yield* ledger.transact(
    { orgId, subject: { _tag: "Entry", entry: given }, exclusive: false, now: first + day },
    (snapshot) => decideRefund(snapshot, { reason: "sample", actor: operator, requestId: null, now: first + day })
  )
  return orgId
})

/** What any `LedgerReport` does. */
export const ledgerReportContract = <E>(
  name: string,
  adapters: Layer.Layer<LedgerReport | Ledger | Organizations, E>
): void =>
  suite(adapters, { excludeTestServices: true })(`LedgerReport ${name}`, (it) => {
    it.effect("shows entries from the last on, page by page, as the ledger has them", () =>
      Effect.gen(function*() {
        const orgId = yield* arrange
        const report = yield* LedgerReport
        const all = yield* Ledger.use((ledger) => ledger.entries(orgId, { after: 0, limit: 100 }))
        assert.strictEqual(all.length, 7)
        const ofDay = { since: first + day, until: first + day * 2 }
        const [second, ...rest] = yield* Ledger.use((ledger) => ledger.entries(orgId, { after: 0, limit: 2, ...ofDay }))
        assert.deepStrictEqual([second, ...rest], all.slice(4, 6))
        assert.deepStrictEqual(
          yield* Ledger.use((ledger) => ledger.entries(orgId, { after: 0, limit: 100, until: first + day })),
          all.slice(0, 4)
        )
        const page = { ...everything, before: null, limit: 4 }
        const one = yield* report.latest(orgId, page)
        const two = yield* report.latest(orgId, { ...page, before: one.at(-1)?.entry ?? null })
        assert.deepStrictEqual([...one, ...two], all.toReversed())
      }))

    it.effect("shows only what the filter lets through", () =>
      Effect.gen(function*() {
        const orgId = yield* arrange
        const report = yield* LedgerReport
        const numbers = (filter: Partial<EntryFilter>) =>
          Effect.map(
            report.latest(orgId, { ...everything, ...filter, before: null, limit: 100 }),
            (entries) => entries.map(({ entry }) => entry)
          )
        assert.deepStrictEqual(yield* numbers({ kind: "grant" }), [2, 1])
        assert.deepStrictEqual(yield* numbers({ action: "survey" }), [4])
        assert.deepStrictEqual(yield* numbers({ actorId: ana.id, kind: "charge" }), [6, 5, 3])
        assert.deepStrictEqual(yield* numbers({ since: first + day }), [7, 6, 5])
        assert.deepStrictEqual(yield* numbers({ until: first + day }), [4, 3, 2, 1])
        assert.deepStrictEqual(yield* numbers({ action: "survey", actorId: ana.id }), [])
      }))

    it.effect("adds charges up by day and action and by actor, refunded ones left out", () =>
      Effect.gen(function*() {
        const orgId = yield* arrange
        const report = yield* LedgerReport
        assert.deepStrictEqual(yield* report.spending(orgId, { since: first, until: first + 2 * day }), {
          days: [
            { day: "2026-03-30", action: "report", credits: 3, charges: 1 },
            { day: "2026-03-30", action: "survey", credits: 4, charges: 1 },
            { day: "2026-03-31", action: "report", credits: 3, charges: 1 }
          ],
          actors: [
            { ...ana, name: "Ana Sample", credits: 6, charges: 2 },
            { ...key, credits: 4, charges: 1 }
          ]
        })
        const { actors } = yield* report.spending(orgId, { since: first + 1, until: first + day })
        assert.deepStrictEqual(actors, [])
      }))

    it.effect("shows the grants that can be spent, the one that is spent first before the others", () =>
      Effect.gen(function*() {
        const orgId = yield* arrange
        const report = yield* LedgerReport
        const remaining = (now: number) =>
          Effect.map(report.grants(orgId, now), (grants) => grants.map(({ ref, remaining }) => [ref, remaining]))
        assert.deepStrictEqual(yield* remaining(first), [["ending", 40], ["lasting", 100]])
        assert.deepStrictEqual(yield* remaining(first + 2 * day), [["lasting", 100]])
      }))

    it.effect("knows nothing of another organization", () =>
      Effect.gen(function*() {
        yield* arrange
        const other = `org_report_${++made}`
        yield* Organizations.use((organizations) => organizations.save(defaults(other)))
        const report = yield* LedgerReport
        assert.deepStrictEqual(yield* report.latest(other, { ...everything, before: null, limit: 10 }), [])
        assert.deepStrictEqual(yield* report.grants(other, first), [])
        assert.deepStrictEqual(yield* report.spending(other, { since: 0, until: first + 9 * day }), {
          days: [],
          actors: []
        })
      }))
  })

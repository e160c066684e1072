import { assert, layer as suite } from "@effect/vitest"
import { Caller } from "@freehold/core/access/Caller"
import { Standings } from "@freehold/core/coverage/Standings"
import * as EntrySight from "@freehold/core/credit/EntrySight"
import type { LedgerEntry } from "@freehold/core/credit/LedgerEntry"
import * as ClosedPlace from "@freehold/core/testing/ClosedPlace"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import { Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer } from "effect"

const id = (n: number): string => `00000000-0000-4000-b000-${String(n).padStart(12, "0")}`

/** Of `ClosedPlace`: in the near county, in the far one alone, or in both. */
const records = { far: id(1), near: id(11), nearRetired: id(14), farFirm: id(21), bothFirm: id(22) } as const
const people = { far: id(31), both: id(32) } as const

const entryOf = (of: Partial<LedgerEntry>, index: number): LedgerEntry => ({
  entry: index + 1,
  at: "2026-06-01T00:00:00.000Z",
  kind: "charge",
  ref: null,
  action: "sample",
  subject_type: null,
  subject_id: null,
  credits: -10,
  buckets: { trial: 0, included: -10, enterprise_pool: 0, purchased: 0 },
  balance_after: 100 - index,
  actor: { kind: "member", id: id(61), name: "Ana" },
  request_id: "request",
  refund_of: null,
  ...of
})

const about = (subject_type: LedgerEntry["subject_type"], subject_id: string, more: Partial<LedgerEntry> = {}) => ({
  subject_type,
  subject_id,
  ...more
})

const open = [
  { kind: "grant", ref: "welcome" } as const,
  about("property", records.near),
  about("property", records.near, { kind: "refund", ref: "open reason" }),
  about("lead", records.near),
  about("contact", people.both)
]

const closed = [
  about("property", records.far),
  about("property", records.far, { kind: "refund", ref: "zanzil reason" }),
  about("property", records.nearRetired),
  about("property", id(99)),
  about("lead", records.far),
  about("contact", people.far),
  about("organization", records.farFirm),
  about("organization", records.bothFirm),
  about("own", "report of zanzil")
]

const entries = [...open, ...closed].map(entryOf)

const arranged = Layer.effectDiscard(Seeder.use((seeder) => seeder.add(ClosedPlace.seed))).pipe(
  Layer.provideMerge(MemoryPorts.layer)
)

const toldTo = Effect.fnUntraced(function*(member: (typeof ClosedPlace.members)["within"]) {
  const told = yield* EntrySight.make
  return yield* Effect.provideService(told(entries), Caller, ClosedPlace.callerOf(member))
})

suite(arranged)("entries of the ledger", (it) => {
  it.effect("are all told to a member within a territory, and nothing beyond it is named", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(
        yield* toldTo(ClosedPlace.adminWithin),
        entries.map((entry, index) => index < open.length ? entry : { ...entry, subject_id: null, ref: null })
      )
    }))

  it.effect("are told as they are to who sees all of the organization's area", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* toldTo(ClosedPlace.members.whole), entries)
    }))

  it.effect("are looked at together: one reading of the places and people of a page, and none for who sees all", () =>
    Effect.gen(function*() {
      const standings = yield* Standings
      let readings = 0
      const counting = Standings.of({
        ...standings,
        read: (asked) => Effect.andThen(Effect.sync(() => readings++), standings.read(asked))
      })
      yield* Effect.provideService(toldTo(ClosedPlace.members.whole), Standings, counting)
      assert.strictEqual(readings, 0)
      yield* Effect.provideService(toldTo(ClosedPlace.adminWithin), Standings, counting)
      assert.strictEqual(readings, 1)
    }))
})

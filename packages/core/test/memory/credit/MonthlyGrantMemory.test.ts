import { assert, it } from "@effect/vitest"
import { Ledger } from "@freehold/core/credit/Ledger"
import * as MonthlyGranter from "@freehold/core/credit/MonthlyGranter"
import * as KeyRingMemory from "@freehold/core/memory/access/KeyRingMemory"
import * as AllotmentsMemory from "@freehold/core/memory/credit/AllotmentsMemory"
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import { defaults } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import { monthlyGrantContract } from "@freehold/core/testing/MonthlyGrantContract"
import { type Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

const ports = Layer.mergeAll(
  AllotmentsMemory.layer,
  KeyRingMemory.layer,
  LedgerMemory.layer,
  OrganizationsMemory.layer
).pipe(Layer.provide(MemoryState.layer))

monthlyGrantContract("memory", ports, 200)

/** Lets what can run without time passing run to where it waits; in memory that takes a few turns, always as many. */
const settled = Effect.forEach(Array.from({ length: 200 }), () => Effect.yieldNow, { discard: true })

const pass = (duration: Duration.Input) => Effect.andThen(TestClock.adjust(duration), settled)

it.effect("a granter grants at its start, at the turn of the month, and within a minute to who was resumed (G2)", () =>
  Effect.gen(function*() {
    const organizations = yield* Organizations
    const ledger = yield* Ledger
    const save = (orgId: string, status: "active" | "suspended") =>
      organizations.save({ ...defaults(orgId), status, monthly_grant: true, monthly_credit_allotment: 10 })
    const grants = (orgId: string) =>
      Effect.map(
        ledger.entries(orgId, { after: 0, limit: 9 }),
        (entries) => entries.filter(({ kind }) => kind === "grant").map(({ at, ref }) => [ref, at])
      )

    yield* TestClock.setTime(Date.UTC(2026, 10, 30, 23, 57, 30))
    yield* save("org_active", "active")
    yield* save("org_resumed", "suspended")
    yield* Effect.forkChild(MonthlyGranter.run())
    yield* settled
    assert.deepStrictEqual(yield* grants("org_active"), [["monthly:2026-11", "2026-11-30T23:57:30.000Z"]])
    assert.deepStrictEqual(yield* grants("org_resumed"), [])

    yield* organizations.setStatus("org_resumed", "active")
    yield* pass("1 minutes")
    assert.deepStrictEqual(yield* grants("org_resumed"), [["monthly:2026-11", "2026-11-30T23:58:30.000Z"]])

    yield* pass("30 seconds")
    yield* pass("1 minutes")
    const second = ["monthly:2026-12", "2026-12-01T00:00:00.000Z"]
    assert.deepStrictEqual((yield* grants("org_active")).slice(1), [second])
    assert.deepStrictEqual((yield* grants("org_resumed")).slice(1), [second])
  }).pipe(Effect.provide(ports)))

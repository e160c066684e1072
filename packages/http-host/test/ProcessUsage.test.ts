/** By which time it is counted what each organization uses of the process. */
import { assert, describe, it } from "@effect/vitest"
import { Unauthenticated } from "@freehold/core/access/AccessRefusals"
import { Admission } from "@freehold/core/access/Admission"
import * as FairShares from "@freehold/core/load/FairShares"
import { stoppedAt } from "@freehold/core/testing/LedgerCommands"
import { Clock, Effect, Exit } from "effect"
import { vi } from "vitest"
import * as AdmissionPlaces from "../src/AdmissionPlaces.ts"
import * as KnownCallers from "../src/KnownCallers.ts"
import * as ProcessUsage from "../src/ProcessUsage.ts"
import * as Turns from "../src/Turns.ts"

const orgId = "org_counted"

describe("ProcessUsage", () => {
  it.live("is told one time by the arrival, the place and the turn of a request, however far the database's is ahead (R11)", () =>
    Effect.gen(function*() {
      const usage = ProcessUsage.ofProcess
      const told = {
        arrive: vi.spyOn(usage, "arrive"),
        begin: vi.spyOn(usage, "begin"),
        spend: vi.spyOn(usage, "spend")
      }
      const ahead = stoppedAt((yield* Clock.currentTimeMillis) + 3_600_000, yield* Clock.Clock)
      const refusal = Exit.fail(new Unauthenticated())
      const places = AdmissionPlaces.make(Admission.of({
        admit: () => refusal,
        admitTogether: (_, arrivals) => Effect.succeed(arrivals.map(() => refusal))
      }))
      const shares = FairShares.make(
        { inAll: 1, perOrganization: 1, besideBusier: 1, waiting: 1, rest: 0 },
        usage
      )
      yield* Effect.gen(function*() {
        const request = { arrival: { address: "192.0.2.1", requestId: "1" }, claim: KnownCallers.claimOf({}), orgId }
        yield* Effect.flip(places.admit(request, ahead))
        yield* shares.take(orgId, Turns.next(orgId), Effect.die("it is full"))
        Turns.ofProcess.take({ orgId, address: "" }, () => {})
      }).pipe(Effect.provideService(Clock.Clock, ahead))

      const times = Object.values(told).map((spy) => spy.mock.lastCall?.at(-1))
      const [first] = times
      for (const time of times) assert.closeTo(Number(time), Number(first), 60_000)
      vi.restoreAllMocks()
    }))
})

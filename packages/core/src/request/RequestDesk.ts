/** Takes requests for the operator, a bounded number an hour. */
import { Clock, DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { stateOfCounty } from "../coverage/UsState.ts"
import { InvalidInput } from "../operation/InvalidInput.ts"
import { LaunchRateLimited } from "../rate/LaunchRateLimited.ts"
import { secondsUntil } from "../rate/RateWindow.ts"
import { type Asked, OperatorRequests } from "./OperatorRequests.ts"
import { type RequestCoverage, requestsPerHour, type RequestSupport } from "./RequestOperations.ts"

const hourMillis = 3_600_000

export const make = Effect.gen(function*() {
  const requests = yield* OperatorRequests
  const random = yield* SecureRandom.SecureRandom

  const record = Effect.fnUntraced(function*(asked: Asked) {
    const caller = yield* Caller
    const now = yield* Clock.currentTimeMillis
    const id = yield* random.uuidV4()
    const next = yield* requests.add({
      orgId: caller.organization.org_id,
      id,
      asked,
      actor: Acting.actor(caller),
      requestId: caller.requestId,
      most: requestsPerHour,
      spanMillis: hourMillis,
      now
    })
    return Option.isSome(next)
      ? yield* new LaunchRateLimited({ kind: asked.kind, retryAfterSeconds: secondsUntil(next.value, now) })
      : { id, kind: asked.kind, status: "open" as const, created_at: DateTime.formatIso(DateTime.makeUnsafe(now)) }
  })

  const support: HandlerOf<typeof RequestSupport> = Effect.fn("RequestDesk.support")((input) =>
    record({ kind: "support", ...input })
  )

  const coverage: HandlerOf<typeof RequestCoverage> = Effect.fn("RequestDesk.coverage")(function*(input) {
    const issues = input.county_fips.flatMap((fips, index) =>
      stateOfCounty(fips) === undefined
        ? [{ field: `county_fips.${index}`, message: "Expected a county of a state" }]
        : []
    )
    if (issues.length > 0) return yield* new InvalidInput({ issues })
    return yield* record({ kind: "coverage", countyFips: Array.from(new Set(input.county_fips)) })
  })

  return { support, coverage }
})

/**
 * Grants monthly allotments as they fall due, in the background of a server or a worker.
 *
 * It looks at its start, at the turn of each month and each minute in between, for whoever was resumed. Any number may
 * run; the ledger keeps their grants apart. A month in which nothing ran, or that an organization was suspended through,
 * is not made good.
 */
import { Clock, Duration, Effect, Layer, Option } from "effect"
import * as LogPace from "../operation/LogPace.ts"
import * as Persistence from "../operation/Persistence.ts"
import { nextMonth } from "../operation/UtcTime.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { Allotments } from "./Allotments.ts"
import * as MonthlyGrant from "./MonthlyGrant.ts"

const poll = Duration.minutes(1)

/** So many organizations are looked for at once. */
const pageSize = 100

const persistently = Persistence.make("monthly grants")

export const make = Effect.gen(function*() {
  const allotments = yield* Allotments
  const organizations = yield* Organizations
  const { grantTo } = yield* MonthlyGrant.make
  const tell = LogPace.make()

  const grantOne = (orgId: OrganizationId) =>
    organizations.atomically(Effect.flatMap(
      organizations.find(orgId),
      Option.match({ onNone: () => Effect.succeed("unchanged" as const), onSome: grantTo })
    )).pipe(
      Effect.catchTag("INVALID_ARGUMENTS", () => Effect.succeed("refused" as const)),
      // The others are granted theirs all the same; it is tried again at the next look.
      Effect.catchDefect((defect) =>
        Effect.as(tell(Effect.logError(`monthly grants: none can be made to ${orgId}`, defect)), "faulty" as const)
      )
    )

  /** Grants what is due of the present month; says to how many, and who may not hold as much. */
  const grantDue = Effect.fn("MonthlyGranter.grantDue")(function*() {
    const refused: Array<OrganizationId> = []
    let granted = 0
    let after: OrganizationId | null = null
    while (true) {
      const ref = MonthlyGrant.referenceOf(yield* Clock.currentTimeMillis)
      const page: ReadonlyArray<OrganizationId> = yield* allotments.due({ ref, after, limit: pageSize })
      for (const orgId of page) {
        const outcome = yield* grantOne(orgId)
        if (outcome === "created") granted += 1
        if (outcome === "refused") refused.push(orgId)
      }
      after = page.at(-1) ?? null
      if (page.length < pageSize) return { granted, refused }
    }
  })

  return { grantDue }
})

/** Grants until it is interrupted. */
export const run = Effect.fn("MonthlyGranter.run")(function*() {
  const { grantDue } = yield* make
  let told = ""
  while (true) {
    const { granted, refused } = yield* persistently("grant what is due", grantDue())
    if (granted > 0) yield* Effect.logInfo(`monthly grants: ${granted} made`)
    const trouble = refused.join(", ")
    if (trouble !== told && trouble !== "") {
      yield* Effect.logWarning(`monthly grants: the balance would be too high of ${trouble}`)
    }
    told = trouble
    const now = yield* Clock.currentTimeMillis
    yield* Effect.sleep(Duration.min(poll, Duration.millis(nextMonth(now) - now)))
  }
})

/** In the background for as long as the layer lives. */
export const layer = Layer.effectDiscard(Effect.forkScoped(run()))

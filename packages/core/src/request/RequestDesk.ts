/** Takes requests for the operator, a bounded number an hour, and tells what became of them. */
import { Clock, DateTime, Effect, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import * as Territory from "../coverage/Territory.ts"
import { stateOfCounty } from "../coverage/UsState.ts"
import * as Teller from "../notice/Teller.ts"
import { defaultLimit } from "../operation/BrowsePage.ts"
import { InvalidInput } from "../operation/InvalidInput.ts"
import { noting } from "../operation/Noting.ts"
import * as PageCursor from "../operation/PageCursor.ts"
import { compareText } from "../operation/TextOrder.ts"
import { LaunchRateLimited } from "../rate/LaunchRateLimited.ts"
import { secondsUntil } from "../rate/RateWindow.ts"
import { type Asked, type AskedCounty, type OperatorRequest, OperatorRequests } from "./OperatorRequests.ts"
import { type ListRequests, type RequestCoverage, requestsPerHour, type RequestSupport } from "./RequestOperations.ts"
import { actorIdFor, outcomeOf } from "./RequestSight.ts"

const hourMillis = 3_600_000

/** So many counties are named in a notice. */
const countiesNamed = 5

const countiesOf = (fips: ReadonlyArray<string>): string => {
  const [first = "", ...others] = fips
  if (others.length === 0) return `county ${first}`
  const named = fips.slice(0, countiesNamed)
  const more = fips.length - named.length
  return `${fips.length} counties: ${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}`
}

const noticeOf = (asked: Asked): Pick<Teller.Told, "kind" | "text"> =>
  asked.kind === "support"
    ? { kind: "support_requested", text: `Support is asked for: ${asked.subject}` }
    : { kind: "coverage_requested", text: `Coverage is asked for of ${countiesOf(asked.countyFips)}.` }

/** A member's territory is an admin's to widen. */
export const ofOwnArea =
  "Expected a county that your organization does not have; an admin can add this one to your territory"

/** Why there is nothing to ask for; null: there is. */
const notAskedFor = (countyFips: string, caller: Territory.Perspective): string | null =>
  stateOfCounty(countyFips) === undefined
    ? "Expected a county of a state"
    : !Territory.contains(Territory.switchedOn(caller.organization), countyFips)
    ? null
    : Territory.sees(caller, countyFips)
    ? "Expected a county that you do not have; this one is switched on"
    : ofOwnArea

/** What of it nobody has asked for; null: nothing. */
const without = (asked: Asked, before: ReadonlyArray<AskedCounty>): Asked | null => {
  if (asked.kind === "support") return asked
  const known = new Set(before.map((each) => each.countyFips))
  const countyFips = asked.countyFips.filter((fips) => !known.has(fips))
  return countyFips.length === 0 ? null : { ...asked, countyFips }
}

const earliestOf = (before: ReadonlyArray<AskedCounty>): AskedCounty | undefined =>
  before.toSorted((a, b) => compareText(a.createdAt, b.createdAt))[0]

const requestOf = ({ kind }: Asked, { createdAt, id }: Pick<AskedCounty, "id" | "createdAt">) => ({
  id,
  kind,
  status: "open" as const,
  created_at: createdAt
})

/** What is said of counties that were asked for before. */
const alreadyAsked = (before: ReadonlyArray<AskedCounty>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const told = before.map(({ countyFips, createdAt }) => `${countyFips} on ${createdAt.slice(0, 10)}`)
  return [
    `Your organization has asked for this already, and has no answer yet: ${told.join(", ")}.`,
    others.length === 0 ? "Nothing was sent." : `The others were asked for now: ${others.join(", ")}.`
  ]
}

export const make = Effect.gen(function*() {
  const requests = yield* OperatorRequests
  const random = yield* SecureRandom.SecureRandom
  const tell = yield* Teller.make
  const cursors = yield* PageCursor.make(PageCursor.Recent)

  /** What is recorded of it, if anything, and the counties that were asked for before. */
  const record = Effect.fnUntraced(function*(asked: Asked) {
    const caller = yield* Caller
    const now = yield* Clock.currentTimeMillis
    const id = yield* random.uuidV4()
    const { before, next } = yield* requests.add({
      orgId: caller.organization.org_id,
      id,
      asked,
      actor: Acting.actor(caller),
      requestId: caller.requestId,
      most: requestsPerHour,
      spanMillis: hourMillis,
      now
    })
    if (Option.isSome(next)) {
      return yield* new LaunchRateLimited({ kind: asked.kind, retryAfterSeconds: secondsUntil(next.value, now) })
    }
    const left = without(asked, before)
    const createdAt = DateTime.formatIso(DateTime.makeUnsafe(now))
    if (left === null) return { before, left, request: requestOf(asked, earliestOf(before) ?? { id, createdAt }) }
    yield* tell({ ...noticeOf(left), orgId: caller.organization.org_id, cause: id })
    return { before, left, request: requestOf(asked, { id, createdAt }) }
  })

  const support: HandlerOf<typeof RequestSupport> = Effect.fn("RequestDesk.support")((input) =>
    Effect.map(record({ kind: "support", ...input }), ({ request }) => request)
  )

  const coverage: HandlerOf<typeof RequestCoverage> = Effect.fn("RequestDesk.coverage")(function*(input) {
    const caller = yield* Caller
    const issues = input.county_fips.flatMap((fips, index) => {
      const message = notAskedFor(fips, caller)
      return message === null ? [] : [{ field: `county_fips.${index}`, message }]
    })
    if (issues.length > 0) return yield* new InvalidInput({ issues })
    const { before, left, request } = yield* record({
      kind: "coverage",
      countyFips: Array.from(new Set(input.county_fips))
    })
    if (before.length === 0) return request
    return {
      ...request,
      already_requested: before.map((each) => ({ county_fips: each.countyFips, created_at: each.createdAt })),
      ...noting(alreadyAsked(before, left?.kind === "coverage" ? left.countyFips : []))
    }
  })

  const list: HandlerOf<typeof ListRequests> = Effect.fn("RequestDesk.list")(
    function*({ cursor, limit = defaultLimit }) {
      const caller = yield* Caller
      const { org_id: orgId } = caller.organization
      const actorId = actorIdFor(caller)
      const question = ["requests", orgId, actorId ?? null]
      const [createdAt, id] = (yield* cursors.open(cursor, question)) ?? []
      const found = yield* requests.list({
        orgId,
        status: null,
        actorId,
        after: createdAt === undefined || id === undefined ? undefined : { createdAt, id },
        limit: limit + 1,
        offset: 0
      })
      const page = yield* cursors.page(found.requests, {
        limit,
        question,
        position: ({ createdAt, id }: OperatorRequest) => [createdAt, id] as const
      })
      return {
        requests: page.rows.map((request) => ({
          ...outcomeOf(request),
          kind: request.kind,
          subject: request.subject,
          message: request.message,
          county_fips: request.countyFips
        })),
        total: found.total,
        next_cursor: page.next
      }
    }
  )

  return { support, coverage, list }
})

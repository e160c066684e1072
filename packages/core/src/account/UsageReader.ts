/** Reads members what is used and left of the limits: their own, and for admins all of the organization's. */
import { Clock, Effect } from "effect"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { type Credential, KeyRing } from "../access/KeyRing.ts"
import { Ledger } from "../credit/Ledger.ts"
import { LedgerReport } from "../credit/LedgerReport.ts"
import { roomOf } from "../limit/DailyLimit.ts"
import { iso } from "../limit/LimitRefusals.ts"
import { type Limits, limitsOf, ofCaller, queryOf } from "../limit/Limits.ts"
import { monthOf } from "../limit/MemberSpending.ts"
import type { Usage } from "../limit/Usage.ts"
import * as Plan from "../operation/Plan.ts"
import { nextMidnight } from "../operation/UtcTime.ts"
import { DailyLimitKind, type Organization } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { recordsOf } from "./AllowanceReader.ts"
import type { GetUsage } from "./UsageOperations.ts"

/** Keys are looked at side by side, so many at once. */
const concurrency = 4

interface UsedKey {
  readonly key: Credential
  readonly limits: Limits
  readonly usage: Usage
}

const roomLeft = (limits: Limits, usage: Usage, kind: DailyLimitKind): number | null => {
  const room = roomOf(limits.daily[kind], usage.today[kind])
  return room === Infinity ? null : room
}

const dailyOf = (kind: DailyLimitKind, limits: Limits, usage: Usage, keys: ReadonlyArray<UsedKey>) => {
  const { greenfinch_admin: service, organization } = limits.daily[kind]
  return {
    kind,
    service: service?.value ?? null,
    organization: organization?.value ?? null,
    derived: service?.derived === true || organization?.derived === true,
    used: usage.today[kind].organization,
    remaining: roomLeft(limits, usage, kind),
    keys: keys.map((each) => ({
      credential_id: each.key.credentialId,
      label: each.key.label,
      value: each.limits.daily[kind].key?.value ?? null,
      used: each.usage.today[kind].key,
      remaining: roomLeft(each.limits, each.usage, kind)
    }))
  }
}

export const make = Effect.gen(function*() {
  const ring = yield* KeyRing
  const ledger = yield* Ledger
  const report = yield* LedgerReport
  const organizations = yield* Organizations

  const ofOrganization = Effect.fnUntraced(function*(organization: Organization, now: number, month: number) {
    const { org_id: orgId } = organization
    const limits = limitsOf(organization, null, now)
    const [usage, all, made, { actors }, members] = yield* Effect.all([
      ledger.usage(orgId, queryOf(limits)),
      ring.list(orgId),
      ring.requests(orgId, now),
      report.spending(orgId, { since: month, until: now + 1 }),
      organizations.members(orgId)
    ])
    const keys = yield* Effect.forEach(
      all.filter(({ status }) => status === "active"),
      (key) => {
        const ofKey = limitsOf(organization, key, now)
        return Effect.map(ledger.usage(orgId, queryOf(ofKey)), (used): UsedKey => ({ key, limits: ofKey, usage: used }))
      },
      { concurrency }
    )
    return {
      requests: {
        per_minute: organization.requests_per_minute ?? Plan.requestsPerMinute[organization.plan],
        keys: keys.map(({ key: { credentialId, label } }) => {
          const minute = made.minutes.get(credentialId)
          return {
            credential_id: credentialId,
            label,
            used: minute?.used ?? 0,
            resets_at: minute === undefined ? null : iso(minute.resetsAt)
          }
        }),
        per_day: organization.requests_per_day ?? Plan.requestsPerDay[organization.plan],
        used_today: made.today,
        resets_at: iso(nextMidnight(now))
      },
      daily: DailyLimitKind.literals.map((kind) => dailyOf(kind, limits, usage, keys)),
      daily_resets_at: iso(nextMidnight(now)),
      records: recordsOf(limits, usage),
      members: members.filter(({ status }) => status === "active").map((member) => ({
        member_id: member.memberId,
        name: member.name,
        spent: actors.find(({ id, kind }) => kind === "member" && id === member.memberId)?.credits ?? 0,
        limit: member.monthlyCreditLimit
      }))
    }
  })

  const read: HandlerOf<typeof GetUsage> = Effect.fn("UsageReader.read")(function*() {
    const caller = yield* Caller
    const { organization } = caller
    const member = Acting.member(caller)
    if (member === null) return yield* Effect.die("a key has no usage of its own in the app")
    const now = yield* Clock.currentTimeMillis
    const month = monthOf(now)
    // With a limit of their own or without.
    const spender = { memberId: member.memberId, limit: member.monthlyCreditLimit ?? 0, ...month }
    const { spent } = yield* ledger.usage(organization.org_id, { ...queryOf(ofCaller(caller, now)), spender })
    return {
      mine: { spent, limit: member.monthlyCreditLimit, resets_at: iso(month.until) },
      organization: member.role === "admin" ? yield* ofOrganization(organization, now, month.since) : null
    }
  })

  return { read }
})

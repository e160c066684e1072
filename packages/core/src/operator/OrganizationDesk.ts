/** Shows the operator organizations: which there are, and how one of them stands. */
import { Clock, DateTime, Effect } from "effect"
import { KeyRing } from "../access/KeyRing.ts"
import type { OperatorHandlerOf } from "../access/Operator.ts"
import { type NamedContact, type NamedProperty, Standings } from "../coverage/Standings.ts"
import { Ledger } from "../credit/Ledger.ts"
import type { LedgerEntry } from "../credit/LedgerEntry.ts"
import { LedgerReport } from "../credit/LedgerReport.ts"
import * as Limits from "../limit/Limits.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { DailyLimitKind, type Organization } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { cutOff } from "../provision/CutOff.ts"
import { describe } from "../provision/Describe.ts"
import { WebhookEndpoints } from "../webhook/WebhookEndpoints.ts"
import * as OperatorWork from "./OperatorWork.ts"
import {
  type ListAllOrganizations,
  type ListOrganizationLedger,
  organizationsAPage,
  type ShowOrganization
} from "./OrganizationOperations.ts"

const entriesAPage = 50

const isoOrNull = (millis: number | null): string | null =>
  millis === null ? null : DateTime.formatIso(DateTime.makeUnsafe(millis))

/** An organization as it stands in a list. */
export const lineOf = ({ name, org_id, payment_status, plan, status }: Organization) => ({
  org_id,
  name,
  plan,
  status,
  payment_status
})

const lowest = (caps: ReadonlyArray<{ readonly value: number } | null>): number | null =>
  caps.reduce<number | null>(
    (least, cap) => cap === null ? least : least === null ? cap.value : Math.min(least, cap.value),
    null
  )

const propertyName = ({ address, city, key }: NamedProperty): string =>
  city === null ? address ?? key : `${address ?? key}, ${city}`

const personName = ({ employerName, fullName }: NamedContact): string =>
  employerName === null ? fullName : `${fullName}, ${employerName}`

const subjectsOf = (entries: ReadonlyArray<LedgerEntry>, type: "property" | "contact"): ReadonlyArray<string> =>
  Array.from(
    new Set(entries.flatMap((each) => each.subject_type === type && each.subject_id !== null ? [each.subject_id] : []))
  )

export const make = Effect.gen(function*() {
  const organizations = yield* Organizations
  const keys = yield* KeyRing
  const ledger = yield* Ledger
  const report = yield* LedgerReport
  const endpoints = yield* WebhookEndpoints
  const standings = yield* Standings
  const { organizationOf } = yield* OperatorWork.make

  const list: OperatorHandlerOf<typeof ListAllOrganizations> = Effect.fn("OrganizationDesk.list")(
    function*({ cursor = null, status = null, text = null }) {
      const found = yield* organizations.search({ text, status, after: cursor, limit: organizationsAPage + 1 })
      const items = found.slice(0, organizationsAPage).map(lineOf)
      return { items, next_cursor: found.length > organizationsAPage ? items.at(-1)?.org_id ?? null : null }
    }
  )

  /** What was used today of what is limited by the day, over all keys and people. */
  const usedToday = Effect.fnUntraced(function*(organization: Organization, now: number) {
    const limits = Limits.limitsOf(organization, null, now)
    const { today } = yield* ledger.usage(organization.org_id, Limits.queryOf(limits))
    return DailyLimitKind.literals.map((kind) => ({
      kind,
      used: today[kind].organization,
      cap: lowest([limits.daily[kind].greenfinch_admin, limits.daily[kind].organization])
    }))
  })

  const show: OperatorHandlerOf<typeof ShowOrganization> = Effect.fn("OrganizationDesk.show")(
    function*({ org_id: orgId }) {
      const organization = yield* organizationOf(orgId)
      const now = yield* Clock.currentTimeMillis
      const credentials = yield* keys.list(orgId)
      const { lastUsedAt, today: requests } = yield* keys.requests(orgId, now)
      const members = yield* organizations.members(orgId)
      const { exportsUsed } = yield* ledger.balance(orgId, now)
      const grants = yield* report.grants(orgId, now)
      const stored = { organization, credentials, members }
      return {
        ...lineOf(organization),
        document: describe(stored),
        warnings: cutOff(stored),
        credits: grants.reduce((sum, { remaining }) => sum + remaining, 0),
        grants: grants.map(({ bucket, expiresAt, ref, remaining }) => ({
          ref,
          bucket,
          remaining,
          expires_at: isoOrNull(expiresAt)
        })),
        usage: {
          requests_today: requests,
          exports_this_month: exportsUsed,
          maximum_exports: organization.export_allowance.max_exports_per_month,
          today: yield* usedToday(organization, now)
        },
        members: members.map(({ email, memberId, name, role, seat, status }) => ({
          member_id: memberId,
          email,
          name,
          role,
          seat,
          status
        })),
        keys: credentials.map(({ credentialId, label, scopes, status }) => ({
          label,
          scopes,
          status,
          last_used_at: isoOrNull(lastUsedAt.get(credentialId) ?? null)
        })),
        endpoints: (yield* endpoints.list(orgId)).map(({ active, consecutiveFailures, disabledReason, id, url }) => ({
          id,
          url,
          active,
          disabled_reason: disabledReason,
          consecutive_failures: consecutiveFailures
        }))
      }
    }
  )

  const entries: OperatorHandlerOf<typeof ListOrganizationLedger> = Effect.fn("OrganizationDesk.entries")(
    function*({ cursor, org_id: orgId }) {
      yield* organizationOf(orgId)
      const before = cursor === undefined ? null : Number(cursor)
      if (before !== null && !Number.isSafeInteger(before)) return yield* InvalidCursor.refuse()
      const any = { kind: null, action: null, actorId: null, since: null, until: null }
      const found = yield* report.latest(orgId, { ...any, before, limit: entriesAPage + 1 })
      const page = found.slice(0, entriesAPage)
      const named = yield* standings.named({
        orgId,
        properties: subjectsOf(page, "property"),
        contacts: subjectsOf(page, "contact")
      })
      const names = new Map([
        ...named.properties.map((property) => [property.id, propertyName(property)] as const),
        ...named.contacts.map((contact) => [contact.id, personName(contact)] as const)
      ])
      const entries = page.map((entry) => ({ ...entry, subject_name: names.get(entry.subject_id ?? "") ?? null }))
      const last = entries.at(-1)
      return {
        entries,
        next_cursor: found.length > entriesAPage && last !== undefined ? String(last.entry) : null
      }
    }
  )

  return { list, show, entries }
})

/**
 * The limits of an organization on the way of its webhooks: asked when an attempt starts, booked when a 2xx is recorded.
 *
 * Test sends are free, and so is sending again what was delivered before. Only lead bundles are metered.
 */
import { Array as Arr, Effect, Option } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import { total } from "../credit/Bucket.ts"
import { type ArrivedDelivery, type AttemptVerdict, decideAttempt, decideBooking } from "../credit/DeliveryDecision.ts"
import { Ledger } from "../credit/Ledger.ts"
import { parse, recordsOf } from "../lead/BundleRecords.ts"
import { limitsOf, queryOf } from "../limit/Limits.ts"
import type { RecordRef } from "../limit/Usage.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { monthStart } from "../operation/UtcTime.ts"
import type { Organization } from "../organization/Organization.ts"
import type { ClaimedDelivery } from "./Deliveries.ts"

const actor: EntryActor = { kind: "system", id: null, name: "webhook delivery" }

/** With so many exports free or paid for, what is under way need not be counted to know that one more can be. */
const ample = 10_000

const admitted: AttemptVerdict = { _tag: "Admitted" }

/** The records of a bundle in its JSON text. */
const recordsOfData = (data: string): ReadonlyArray<RecordRef> =>
  Option.match(parse(data), { onNone: () => [], onSome: recordsOf })

/** Lead bundles, test sends excepted. */
export const isMetered = ({ eventType, test }: Pick<ClaimedDelivery, "eventType" | "test">): boolean =>
  !test && eventType === "lead.qualified"

/** Whether an attempt may start; when it may, it counts as under way until its outcome is recorded or its claim ends. */
export const admit = Effect.fn("DeliveryMeter.admit")(function*(
  claimed: Pick<ClaimedDelivery, "claim" | "delivered" | "deliveryId" | "eventType" | "organization" | "test">,
  data: string,
  now: number
): Effect.fn.Return<AttemptVerdict, TemporarilyUnavailable, Ledger> {
  const { claim, delivered, deliveryId, organization } = claimed
  if (delivered || !isMetered(claimed)) return admitted
  const ledger = yield* Ledger
  const limits = limitsOf(organization, null, now)
  if (!limits.countsRecords && Object.values(limits.daily.lead_export).every((cap) => cap === null)) {
    const { balance, exportsUsed } = yield* ledger.balance(organization.org_id, now)
    const payable = organization.payment_status === "ok" && !organization.credits_dormant ? total(balance) : 0
    if (organization.export_allowance.max_exports_per_month - exportsUsed + payable > ample) return admitted
  }
  const records = recordsOfData(data)
  return yield* ledger.transact(
    {
      orgId: organization.org_id,
      subject: { _tag: "Exports", monthStart: monthStart(now) },
      exclusive: false,
      now,
      usage: queryOf(limits, { records })
    },
    (snapshot) => decideAttempt(snapshot, { deliveryId, claim, records, limits })
  ).pipe(Effect.catchTag("ACTION_IN_PROGRESS", Effect.die))
})

/** A delivery whose 2xx was recorded just now. */
export interface Recorded {
  readonly deliveryId: string
  readonly propertyId: string | null
  readonly data: string | null
}

/** Books what arrived, all of one organization. Whoever calls it sees to it that each delivery is booked once. */
export const book = Effect.fn("DeliveryMeter.book")(function*(
  organization: Organization,
  recorded: ReadonlyArray<Recorded>,
  now: number
): Effect.fn.Return<void, TemporarilyUnavailable, Ledger> {
  if (!Arr.isReadonlyArrayNonEmpty(recorded)) return
  const ledger = yield* Ledger
  const limits = limitsOf(organization, null, now)
  const arrived = recorded.map(({ data, deliveryId, propertyId }): ArrivedDelivery => ({
    deliveryId,
    propertyId: propertyId ?? deliveryId,
    records: data === null ? [] : recordsOfData(data)
  }))
  const { uncharged } = yield* ledger.transact(
    {
      orgId: organization.org_id,
      subject: { _tag: "Exports", monthStart: monthStart(now) },
      exclusive: false,
      now,
      usage: queryOf(limits, { records: arrived.flatMap(({ records }) => records) })
    },
    (snapshot) => decideBooking(snapshot, { arrived, limits, actor })
  ).pipe(Effect.catchTag("ACTION_IN_PROGRESS", Effect.die))
  if (uncharged > 0) {
    yield* Effect.logWarning(
      `${uncharged} credits of ${organization.org_id} were spent elsewhere while its webhooks were under way, and are not charged`
    )
  }
})

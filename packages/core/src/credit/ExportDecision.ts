/**
 * Whether a lead bundle may be read, and what it costs: nothing within the month's free exports, then 1 credit.
 *
 * The property is paid for or covered. A refund may have closed it since the caller looked, so it is asked under the
 * lock: no bundle is billed after the refund of its unlock.
 *
 * Every success counts, however often the same lead is read. While an Enterprise organization's records allowance is in
 * force, the allowance pays for its bundles and no credit is charged. Implements decisions, section 19 (GET /leads/{id}
 * bills every success) and section 20 (exports past the free ones; payment failed and dormant stop those).
 */
import { Result } from "effect"
import { NotEntitled } from "../coverage/CoverageRefusals.ts"
import type { LimitRefusal } from "../limit/LimitRefusals.ts"
import type { Limits } from "../limit/Limits.ts"
import { allow, type RecordsFacts, takeRecords } from "../limit/Metering.ts"
import { nothing, type RecordRef } from "../limit/Usage.ts"
import { agreed, charge, type Consent, mayPay, type MoneyRefusal, type Payer } from "./Charge.ts"
import type { CostConfirmationRequired } from "./CreditRefusals.ts"
import type { LedgerDecision, LedgerSnapshot } from "./Ledger.ts"
import { decide } from "./LedgerDecision.ts"
import { prices } from "./Price.ts"

/** How a bundle was paid, in the words of the answer's meta. */
export interface ExportBill {
  readonly billed_via: "quota" | "credit"
  readonly credits_charged: number
  /** Where a records allowance is in force. */
  readonly records?: RecordsFacts
}

/** Whether the next bundle costs no credit. */
export const isFreeExport = (
  exportsUsed: number,
  { max_exports_per_month }: LedgerSnapshot["organization"]["export_allowance"],
  allowanceInForce: boolean
): boolean => allowanceInForce || exportsUsed < max_exports_per_month

/**
 * `snapshot` is about the subject `Exports` of the month of `now` and the same property, with the usage of the bundle's
 * records.
 */
export const decideExport = (
  snapshot: LedgerSnapshot,
  request: Payer & Consent & {
    readonly propertyId: string
    /** The subscription covers the property's county. */
    readonly covered: boolean
    readonly price?: number | undefined
    /** What the bundle delivers in full. */
    readonly records?: ReadonlyArray<RecordRef>
    /** Those of the key or connection that calls; absent: nobody limits this, and only the export is counted. */
    readonly limits?: Limits | undefined
  }
): Result.Result<LedgerDecision<ExportBill>, NotEntitled | CostConfirmationRequired | MoneyRefusal | LimitRefusal> => {
  const { limits, price = prices.lead_delivery, records = [] } = request
  const { export_allowance: allowance } = snapshot.organization
  const free = isFreeExport(snapshot.exportsUsed, allowance, limits !== undefined && limits.allowance !== null)
  return Result.gen(function*() {
    if (!request.covered && snapshot.access?.source !== "paid") yield* Result.fail(new NotEntitled())
    if (!free) yield* mayPay(snapshot)
    if (limits !== undefined) yield* allow(limits, snapshot.usage, "lead_export", 1)
    const taking = limits === undefined ? null : yield* takeRecords(limits, snapshot.usage, records)
    const entries = free ? [] : yield* charge(
      snapshot,
      { action: "lead_delivery", price, subjectType: "lead", subjectId: request.propertyId },
      request
    )
    yield* agreed(snapshot, free ? 0 : price, request)
    const bill: ExportBill = {
      billed_via: free ? "quota" : "credit",
      credits_charged: free ? 0 : price,
      ...(taking === null || taking.facts === null ? {} : { records: taking.facts })
    }
    return decide(bill, {
      entries,
      exports: 1,
      counted: taking === null ? nothing : { ...nothing, ...taking.counted, kinds: { lead_export: 1 } }
    })
  })
}

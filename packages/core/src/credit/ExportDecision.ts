/**
 * What a metered lead bundle costs: nothing within the month's free exports, then 1 credit.
 *
 * Every success counts, however often the same lead is read. Once an Enterprise organization's records allowance is
 * switched on, the allowance pays for its bundles and no credit is charged. Implements decisions, section 19 (GET
 * /leads/{id} bills every success) and section 20 (exports past the free ones; payment failed and dormant stop those).
 */
import { Result } from "effect"
import { charge, mayPay, type MoneyRefusal, type Payer } from "./Charge.ts"
import type { LedgerDecision, LedgerSnapshot } from "./Ledger.ts"
import { decide } from "./LedgerDecision.ts"
import { prices } from "./Price.ts"

/** How a bundle was paid, in the words of the answer's meta. */
export interface ExportBill {
  readonly billed_via: "quota" | "credit"
  readonly credits_charged: number
}

/** Whether the next bundle costs no credit. */
export const isFreeExport = (snapshot: Pick<LedgerSnapshot, "exportsUsed" | "organization">): boolean =>
  snapshot.exportsUsed < snapshot.organization.export_allowance.max_exports_per_month
  || (snapshot.organization.plan === "enterprise" && snapshot.organization.features.records_allowance)

/** `snapshot` is about the subject `Exports` of the month of `now`. */
export const decideExport = (
  snapshot: LedgerSnapshot,
  request: Payer & { readonly propertyId: string; readonly price?: number | undefined }
): Result.Result<LedgerDecision<ExportBill>, MoneyRefusal> => {
  if (isFreeExport(snapshot)) {
    return Result.succeed(decide<ExportBill>({ billed_via: "quota", credits_charged: 0 }, { exports: 1 }))
  }
  const price = request.price ?? prices.lead_delivery
  return Result.gen(function*() {
    yield* mayPay(snapshot)
    const entries = yield* charge(
      snapshot,
      { action: "lead_delivery", price, subjectType: "lead", subjectId: request.propertyId },
      request
    )
    return decide<ExportBill>({ billed_via: "credit", credits_charged: price }, { entries, exports: 1 })
  })
}

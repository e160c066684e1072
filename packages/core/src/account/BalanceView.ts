/** Credits as callers are shown them. */
import * as Bucket from "../credit/Bucket.ts"

/** As `credit_balance` of GET /account. */
export const balanceView = (balance: Bucket.BucketAmounts) => ({
  total: Bucket.total(balance),
  included: balance.included,
  purchased: balance.purchased,
  trial: balance.trial,
  enterprise_pool: balance.enterprise_pool
})

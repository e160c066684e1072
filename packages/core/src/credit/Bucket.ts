/**
 * The four buckets of credits, in the order in which they are spent: what expires or was free first, what was paid
 * last. decisions, section 19.
 */
import { Schema } from "effect"

/** What credits were granted as; it decides which of them are spent first. */
export const Bucket = Schema.Literals(["trial", "included", "enterprise_pool", "purchased"])
export type Bucket = typeof Bucket.Type

/** Credits of each bucket: a balance, or a signed change. */
export type BucketAmounts = Readonly<Record<Bucket, number>>

/** No credits. */
export const none: BucketAmounts = { trial: 0, included: 0, enterprise_pool: 0, purchased: 0 }

/** The credits of all buckets together. */
export const total = (amounts: BucketAmounts): number =>
  amounts.trial + amounts.included + amounts.enterprise_pool + amounts.purchased

/** The amounts with so many more, or fewer, in one bucket. */
export const plus = (amounts: BucketAmounts, bucket: Bucket, amount: number): BucketAmounts => ({
  ...amounts,
  [bucket]: amounts[bucket] + amount
})

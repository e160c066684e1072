/** Made-up snapshots of one organization's ledger. */
import type { Bucket } from "@freehold/core/credit/Bucket"
import type { LedgerSnapshot, OpenGrant } from "@freehold/core/credit/Ledger"
import { none } from "@freehold/core/limit/Usage"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import * as fc from "fast-check"

export const now = Date.UTC(2026, 2, 30)
export const actor = { kind: "key", id: "key_sample", name: "sample" } as const
export const payer = { actor, requestId: "req_sample", now }

export const snapshot = (
  given: Partial<Omit<LedgerSnapshot, "organization">> = {},
  settings: Partial<Organization> = {}
): LedgerSnapshot => ({
  version: 7,
  grants: [],
  access: null,
  openedByProperty: false,
  exportsUsed: 0,
  entry: null,
  refundedBy: null,
  usage: none,
  ...given,
  organization: { ...defaults("org_sample"), ...settings }
})

export const grant = (ref: string, bucket: Bucket, remaining: number, expiresAt: number | null = null): OpenGrant => ({
  ref,
  bucket,
  remaining,
  expiresAt
})

/** Grants in any order, some of them gone at `now`, some with nothing left. */
export const grants: fc.Arbitrary<ReadonlyArray<OpenGrant>> = fc.array(
  fc.record({
    bucket: fc.constantFrom<Array<Bucket>>("trial", "included", "enterprise_pool", "purchased"),
    remaining: fc.constantFrom(0, 1, 4, 5, 9, 10, 11),
    expiresAt: fc.constantFrom(null, now - 1, now, now + 1, now + 2)
  }),
  { maxLength: 6 }
).map((list) => list.map((each, index) => ({ ref: `grant ${index}`, ...each })))

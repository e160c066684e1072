/**
 * Admission as the hand-written servers have it: the window of an address in the process, then the product's own `authorize`
 * statement (key, windows, ceilings) with organizations kept by their revision.
 */
import { createHash, randomUUID } from "node:crypto"
import { isIPv6 } from "node:net"
import type { Pool } from "pg"
import type { Captured } from "./StatementCapture.ts"

const perAddress = 1000
const windows = new Map<string, { startedAt: number; count: number }>()

const addressAllowed = (address: string, now: number): boolean => {
  const key = isIPv6(address) ? address.split(":").slice(0, 4).join(":") : address
  const window = windows.get(key)
  if (window === undefined || now >= window.startedAt + 60_000) {
    if (windows.size > 100_000) windows.clear()
    windows.set(key, { startedAt: now, count: 1 })
    return true
  }
  if (window.count >= perAddress) return false
  window.count++
  return true
}

export interface Profile {
  readonly org_id: string
  readonly plan: "team" | "enterprise"
  readonly status: "active" | "suspended" | "closed"
  readonly serviceable_area: { readonly whole_state_abbrs: Array<string>; readonly county_fips: Array<string> }
  readonly entitlement: {
    readonly nationwide: boolean
    readonly state_abbrs: Array<string>
    readonly county_fips: Array<string>
  }
  readonly features: { readonly premium_values: boolean; readonly common_names: boolean }
}

interface AuthorizeRow {
  readonly key_id: string
  readonly key_label: string
  readonly key_scopes: Array<string>
  readonly org_revision: number
  readonly org_profile: Profile | null
  readonly minute_admitted: boolean
  readonly minute_limit: number
  readonly minute_used: number
  readonly minute_started_at: number
  readonly day_admitted: boolean
}

export interface Caller {
  readonly row: AuthorizeRow
  readonly profile: Profile
}

/** Why nobody is let in. */
interface Refusal {
  readonly refused: { readonly status: number; readonly code: string; readonly error: string }
}

/** What admission comes to, and the headers of the answer. */
export interface Admitted {
  readonly outcome: Caller | Refusal
  readonly headers: Readonly<Record<string, string>>
}

const refusal = (status: number, code: string, error: string): Refusal => ({ refused: { status, code, error } })

const outcomeOf = (caller: Caller, scope: string | undefined): Caller | Refusal => {
  const { profile, row } = caller
  if (!row.minute_admitted) return refusal(429, "rate_limited", "Too many requests.")
  if (!row.day_admitted) return refusal(429, "DAILY_REQUEST_LIMIT_EXCEEDED", "The daily ceiling is reached.")
  if (profile.status !== "active") return refusal(403, "ORG_SUSPENDED", "The organization is not active.")
  return scope !== undefined && !row.key_scopes.includes(scope)
    ? refusal(403, "SCOPE_NOT_GRANTED", `The key lacks the scope ${scope}.`)
    : caller
}

export const admission = (pool: Pool, authorize: Captured) => {
  const profiles = new Map<string, { revision: number; profile: Profile }>()
  const unknown: Admitted = { outcome: refusal(401, "unauthorized", "A valid API key is required."), headers: {} }

  return async (address: string, authorization: string | undefined, scope?: string): Promise<Admitted> => {
    const now = Date.now()
    if (!addressAllowed(address, now)) {
      return { outcome: refusal(429, "rate_limited", "Too many requests from this address."), headers: {} }
    }
    const secret = /^bearer +(fhk_[A-Za-z0-9_-]{43})$/i.exec(authorization ?? "")?.[1]
    if (secret === undefined) return unknown
    const hash = createHash("sha256").update(secret).digest("hex")
    const known = profiles.get(hash)
    const { rows } = await pool.query<AuthorizeRow>({
      name: "authorize",
      text: authorize.text,
      values: [hash, now, known?.revision ?? null, ...authorize.parameters.slice(3)]
    })
    const row = rows[0]
    const profile = row?.org_profile ?? known?.profile
    if (row === undefined || profile === undefined) return unknown
    if (row.org_profile !== null) profiles.set(hash, { revision: row.org_revision, profile: row.org_profile })
    return {
      outcome: outcomeOf({ row, profile }, scope),
      headers: {
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "service-request-id": randomUUID(),
        "x-ratelimit-limit": String(row.minute_limit),
        "x-ratelimit-remaining": String(Math.max(0, row.minute_limit - row.minute_used)),
        "x-ratelimit-reset": String(Math.ceil((row.minute_started_at + 60_000) / 1000))
      }
    }
  }
}

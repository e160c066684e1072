/** The organizations whose keys the benchmarks use, made by `freehold apply`. */
import { countyFips } from "@freehold/adapters-pg/testing/SyntheticProperties"
import { Effect, type Redacted } from "effect"
import { createHash } from "node:crypto"
import * as Freehold from "./Freehold.ts"
import * as Counties from "./national/Counties.ts"

/** The states that the made-up properties lie in. */
const states = ["TX", "CA", "FL", "NY", "IL"]

/** More requests than any run makes; the counters count all the same. */
const plenty = 1_000_000_000

/** Credits that no run uses up. */
export const credits = 100_000_000

export interface Customer {
  readonly orgId: string
  readonly secret: string
}

/** The same name always has the same secret, in a key's form. */
const named = (orgId: string): Customer => ({
  orgId,
  secret: `fhk_${createHash("sha256").update(`made up for ${orgId}`).digest("base64url")}`
})

/** The customer of the search benchmark. */
export const searcher = named("bench_search")

/** Sees what the customer of the search benchmark does; its subscription covers all of it. */
export const covering = named("bench_covering")

/** The customer who sees all of the country's data. */
export const national = named("bench_national")

/** The `n`-th of many, counted from 1. Nothing is covered: every unlock is paid. */
export const buyer = (n: number): Customer => named(`bench_${n}`)

/** Its subscription covers one of the counties, so that rows of a search differ in what they show. */
const covered = [countyFips(1)]

const organization = ({ orgId, secret }: Customer) => ({
  org_id: orgId,
  name: `Made-up customer ${orgId}`,
  plan: "enterprise",
  serviceable_area: { whole_state_abbrs: orgId === national.orgId ? Counties.stateAbbrs : states, county_fips: [] },
  entitlement: {
    nationwide: false,
    state_abbrs: orgId === covering.orgId ? states : [],
    county_fips: orgId === searcher.orgId ? covered : []
  },
  features: { signals: true },
  requests_per_minute: plenty,
  requests_per_day: plenty,
  grants: [{ ref: "bench", bucket: "purchased", amount: credits, expires_at: null }],
  keys: [{ name: "bench", scopes: ["data:read", "data:unlock", "events:subscribe", "account:read", "mcp"], secret }]
})

/** What `freehold apply` reads. */
export const documentOf = (customers: ReadonlyArray<Customer>) => ({ organizations: customers.map(organization) })

/** Makes those who search and so many buyers. */
export const apply = (database: Redacted.Redacted, buyers: number) =>
  Effect.asVoid(Freehold.run(
    database,
    ["apply", "-"],
    JSON.stringify(
      documentOf([searcher, covering, national, ...Array.from({ length: buyers }, (_, index) => buyer(index + 1))])
    )
  ))

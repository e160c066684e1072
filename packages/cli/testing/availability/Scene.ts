/**
 * The made-up organizations of an attack: one with ten keys and a member for each attack, whose windows no other attack has
 * used, and the one that probes.
 */
import { countyFips } from "@freehold/adapters-pg/testing/SyntheticProperties"
import { Scope } from "@freehold/core/access/Scope"
import { createHash } from "node:crypto"
import type { Attack } from "./Attack.ts"

/** Over which the made-up properties are to be spread. */
export const counties = 12

export const everyCounty: ReadonlyArray<string> = Array.from({ length: counties }, (_, k) => countyFips(k))

/** The area of most attackers: the smallest county. */
export const attackedCounty = countyFips(counties - 1)

/** What the probe searches. */
export const probedCounty = countyFips(counties - 4)

const keys = 10

const scopes = Scope.literals.filter((scope) => scope !== "pipeline:transitions_full")

const secretOf = (name: string): string => `fhk_${createHash("sha256").update(name).digest("base64url")}`

export const probeOrgId = "org_probe"

export const probeSecret = secretOf("made up for the probe")

const orgIdOf = (place: number): string => `org_attacker_${place}`

/** The address of the member whose assistants attack. */
const memberOf = (place: number): string => `member${place}@attacker.example`

const keysOf = (place: number): ReadonlyArray<string> =>
  Array.from({ length: keys }, (_, key) => secretOf(`made up for ${orgIdOf(place)}, ${key}`))

/** So many assistants of one member attack at once. */
const assistants = 300

/** What the attackers of the attack at this place in the list are let in by. */
export const bearersOf = (
  { by }: Attack,
  place: number,
  token: (email: string, clientId: string) => string
): ReadonlyArray<string> => {
  switch (by) {
    case "nobody":
      return []
    case "organization":
      return keysOf(place)
    case "member":
      return Array.from({ length: assistants }, (_, n) => token(memberOf(place), `assistant-${n}`))
  }
}

const organization = (org_id: string, secrets: ReadonlyArray<string>, more: object) => ({
  org_id,
  name: `${org_id} (made up)`,
  plan: "enterprise",
  features: { signals: true },
  grants: [{ ref: "scene", bucket: "purchased", amount: 10_000_000 }],
  export_allowance: { max_exports_per_month: 1_000_000, max_rows_per_month: 1_000_000 },
  keys: secrets.map((secret, key) => ({ name: `key ${key}`, scopes, secret })),
  ...more
})

/** What `freehold apply` reads. */
export const documentOf = (attacks: ReadonlyArray<Attack>) => ({
  organizations: [
    organization(probeOrgId, [probeSecret], {
      serviceable_area: { county_fips: [probedCounty] },
      requests_per_minute: 1_000_000,
      requests_per_day: 1_000_000
    }),
    ...attacks.map(({ organization: more }, place) =>
      organization(orgIdOf(place), keysOf(place), {
        serviceable_area: { county_fips: [attackedCounty] },
        members: [{ email: memberOf(place), name: "Made-up member", role: "admin" }],
        ...more
      })
    )
  ]
})

/** Statements that find what an attacker may know of the records. */
export const knowledge = {
  properties: `SELECT id FROM property WHERE county_fips = '${attackedCounty}' ORDER BY id LIMIT 500`,
  researched: `SELECT p.id FROM property p JOIN property_research r ON r.property_id = p.id
    WHERE p.county_fips = '${attackedCounty}' ORDER BY p.id LIMIT 500`,
  contacts: `SELECT DISTINCT c.contact_id AS id FROM property_contact c JOIN property p ON p.id = c.property_id
    WHERE p.county_fips = '${attackedCounty}' ORDER BY id LIMIT 500`
} as const

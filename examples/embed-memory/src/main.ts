/**
 * Freehold's core inside a script: no host, no database. An organization gets credits and unlocks a property twice; the
 * second time is free. All data is made up.
 */
import { Caller } from "@freehold/core/access/Caller"
import * as Credits from "@freehold/core/credit/Credits"
import { Ledger } from "@freehold/core/credit/Ledger"
import * as LedgerMemory from "@freehold/core/memory/credit/LedgerMemory"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as OrganizationsMemory from "@freehold/core/memory/organization/OrganizationsMemory"
import * as PropertiesMemory from "@freehold/core/memory/property/PropertiesMemory"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import { Organizations } from "@freehold/core/organization/Organizations"
import * as PropertyUnlocker from "@freehold/core/property/PropertyUnlocker"
import { property, Seeder } from "@freehold/core/testing/Seed"
import * as SeederMemory from "@freehold/core/testing/SeederMemory"
import { Console, Effect, Layer } from "effect"

const organization: Organization = {
  ...defaults("sample_org"),
  plan: "enterprise",
  serviceable_area: { whole_state_abbrs: [], county_fips: ["48001"] }
}

const oakPlaza = property({
  id: "00000000-0000-4000-8000-000000000001",
  key: "48001-OAK",
  countyFips: "48001",
  research: {
    beneficialOwner: "Sample Family",
    beneficialOwnerType: "family_trust",
    managementCompany: null,
    aiRationale: "Made up.",
    researchedAt: "2026-01-02T03:04:05.678Z",
    tier: "Standard"
  }
})

const program = Effect.gen(function*() {
  yield* Organizations.use((organizations) => organizations.save(organization))
  yield* Seeder.use((seeder) => seeder.add({ properties: [oakPlaza] }))
  const credits = yield* Credits.make
  const actor = { kind: "operator", id: null, name: "Sample Operator" } as const
  const orgId = organization.org_id
  yield* credits.grant({ orgId, ref: "order 1", bucket: "purchased", amount: 12, expiresAt: null, actor })

  const { unlock } = yield* PropertyUnlocker.make
  yield* Console.log("first ", yield* unlock({ id: oakPlaza.key }))
  yield* Console.log("second", yield* unlock({ id: oakPlaza.id.toUpperCase() }))

  const ledger = yield* Ledger
  for (const line of yield* ledger.entries(orgId, { after: 0, limit: 100 })) {
    yield* Console.log(line.entry, line.kind, line.ref ?? line.action, line.credits, "balance", line.balance_after)
  }
})

/** Who calls. A host takes it from `Admission`; a program that knows its customer says so itself. */
const caller = Layer.succeed(Caller, {
  kind: "key",
  territory: null,
  credentialId: "00000000-0000-4000-8000-00000000000a",
  keyName: "sample",
  label: "sample fhk_00000000",
  scopes: ["data:unlock"],
  organization,
  requestId: "sample-request"
})

const ports = Layer.mergeAll(
  LedgerMemory.layer,
  OrganizationsMemory.layer,
  PropertiesMemory.layer,
  SeederMemory.layer
).pipe(Layer.provide(MemoryState.layer))

await Effect.runPromise(Effect.provide(program, [ports, caller]))

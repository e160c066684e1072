/** Which limits are in force for whom: a connection is counted like a key. */
import { assert, describe, it } from "@effect/vitest"
import type { KeyCaller, PersonCaller } from "@freehold/core/access/Caller"
import { ofCaller, queryOf } from "@freehold/core/limit/Limits"
import { defaults, type Organization } from "@freehold/core/organization/Organization"

const now = Date.UTC(2026, 2, 30)

const organization: Organization = {
  ...defaults("org_sample"),
  plan: "enterprise",
  features: { ...defaults("org_sample").features, records_allowance: true },
  records_allowance: { records: 310, initial_load: 0, period: "calendar_month", overage: null },
  daily_limits: { contact_reveal: { organization: 9 } }
}

const facts = { label: "sample", scopes: ["mcp" as const], organization, territory: null, requestId: "request" }

const key: KeyCaller = { ...facts, kind: "key", keyName: "sample", credentialId: "key" }

const person = (monthlyCreditLimit: number | null): PersonCaller => ({
  ...facts,
  kind: "person",
  credentialId: "connection",
  clientId: "assistant",
  member: {
    memberId: "member",
    email: "ana@people.example",
    name: "Ana",
    role: "member",
    seat: true,
    status: "active",
    territory: null,
    monthlyCreditLimit
  }
})

describe("Limits", () => {
  it("of a connection are those of a key, counted under the connection", () => {
    const [ofKey, ofPerson] = [ofCaller(key, now), ofCaller(person(null), now)]
    assert.deepStrictEqual(ofPerson, { ...ofKey, credentialId: "connection" })
    assert.deepStrictEqual(ofPerson.daily.records_taken_per_day.key, { value: 30, derived: true })
    assert.strictEqual(queryOf(ofPerson).credentialId, "connection")
  })

  it("ask for the spending of a member who has a limit, over their calendar month", () => {
    assert.isNull(queryOf(ofCaller(person(null), now)).spender)
    assert.deepStrictEqual(queryOf(ofCaller(person(15), now)).spender, {
      memberId: "member",
      limit: 15,
      since: Date.UTC(2026, 2, 1),
      until: Date.UTC(2026, 3, 1)
    })
  })
})

import { assert, describe, it } from "@effect/vitest"
import { decode } from "@freehold/core/provision/ApplyDocument"
import { Result } from "effect"

const issuesOf = (organization: object, ...more: ReadonlyArray<object>) => {
  const decoded = decode({ organizations: [organization, ...more] })
  return Result.isFailure(decoded) ? decoded.failure.issues : []
}

const fieldsOf = (organization: object, ...more: ReadonlyArray<object>) =>
  issuesOf({ org_id: "org_sample", ...organization }, ...more).map(({ field }) => field)

const secret = `fhk_${"s".repeat(43)}`

describe("an apply document", () => {
  it("may leave out everything but the id", () => {
    assert.isTrue(Result.isSuccess(decode({ organizations: [{ org_id: "org_sample" }] })))
    assert.isTrue(Result.isSuccess(decode({ organizations: [] })))
  })

  it.each<[string, object, string]>([
    ["an unknown key", { plann: "team" }, "organizations.0.plann"],
    ["an unknown key further in", { features: { listz: true } }, "organizations.0.features.listz"],
    ["an unknown key of a key", { keys: [{ name: "a", scope: [] }] }, "organizations.0.keys.0.scope"],
    ["an unknown plan", { plan: "gold" }, "organizations.0.plan"],
    ["an id with a space", { org_id: "org sample" }, "organizations.0.org_id"],
    ["a negative limit", { requests_per_minute: -1 }, "organizations.0.requests_per_minute"],
    [
      "a fraction of a limit",
      { daily_limits: { lead_export: { service: 1.5 } } },
      "organizations.0.daily_limits.lead_export.service"
    ],
    ["an unknown scope", { keys: [{ name: "a", scopes: ["data:all"] }] }, "organizations.0.keys.0.scopes.0"],
    ["an empty key name", { keys: [{ name: "" }] }, "organizations.0.keys.0.name"],
    ["a key name of 121 characters", { keys: [{ name: "x".repeat(121) }] }, "organizations.0.keys.0.name"],
    ["a malformed secret", { keys: [{ name: "a", secret: "fhk_short" }] }, "organizations.0.keys.0.secret"],
    ["two keys of one name", { keys: [{ name: "a" }, { name: "a" }] }, "organizations.0.keys.1.name"],
    ["one secret twice", { keys: [{ name: "a", secret }, { name: "b", secret }] }, "organizations.0.keys.1.secret"],
    ["no email", { members: [{ email: "nobody" }] }, "organizations.0.members.0.email"],
    [
      "an email twice",
      { members: [{ email: "a@b.example" }, { email: "A@b.example" }] },
      "organizations.0.members.1.email"
    ],
    [
      "a credit limit of a member above every balance",
      { members: [{ email: "a@b.example", monthly_credit_limit: 9_999_999_999 }] },
      "organizations.0.members.0.monthly_credit_limit"
    ],
    ["a grant of nothing", { grants: [{ ref: "a", bucket: "trial", amount: 0 }] }, "organizations.0.grants.0.amount"],
    ["a ref twice", {
      grants: [{ ref: "a", bucket: "trial", amount: 1 }, { ref: "a", bucket: "trial", amount: 2 }]
    }, "organizations.0.grants.1.ref"],
    ["an expiry that is no time", {
      grants: [{ ref: "a", bucket: "trial", amount: 1, expires_at: "tomorrow" }]
    }, "organizations.0.grants.0.expires_at"],
    ["a loss reason that could be the service's", {
      loss_reasons: [{ code: "price", label: "Price", requires_note: false }]
    }, "organizations.0.loss_reasons.0.code"],
    ["a loss reason twice", {
      loss_reasons: ["One", "Two"].map((label) => ({ code: "org_a", label, requires_note: false }))
    }, "organizations.0.loss_reasons.1.code"],
    ["a period that starts at no time", {
      records_allowance: { records: 1, period: { start: "soon", months: 1 } }
    }, "organizations.0.records_allowance.period.start"]
  ])("is refused with the path of %s", (_, organization, field) => {
    assert.deepStrictEqual(fieldsOf(organization), [field])
  })

  it("is refused when it names an organization twice", () => {
    assert.deepStrictEqual(fieldsOf({}, { org_id: "org_sample" }), ["organizations.1.org_id"])
  })

  it("names every fault at once", () => {
    assert.sameMembers(fieldsOf({ plan: 1, statuss: "active", keys: [{ name: 5 }] }), [
      "organizations.0.plan",
      "organizations.0.statuss",
      "organizations.0.keys.0.name"
    ])
  })

  it("keeps a malformed secret out of the refusal", () => {
    const issues = issuesOf({ org_id: "org_sample", keys: [{ name: "a", secret: "fhk_hunter2" }] })
    assert.notInclude(JSON.stringify(issues), "hunter2")
  })
})

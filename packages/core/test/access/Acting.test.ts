import { assert, describe, it } from "@effect/vitest"
import * as Acting from "@freehold/core/access/Acting"
import type { KeyCaller, PersonCaller } from "@freehold/core/access/Caller"
import type { Access, OperationEffect } from "@freehold/core/operation/Operation"
import { defaults } from "@freehold/core/organization/Organization"
import type { Member } from "@freehold/core/organization/Organizations"
import { member } from "@freehold/core/testing/Seed"
import { Result } from "effect"

const facts = {
  credentialId: "made-up",
  label: "made-up",
  scopes: ["mcp" as const],
  organization: defaults("org_sample"),
  requestId: "request"
}

const key: KeyCaller = { ...facts, kind: "key", keyName: "sample key", territory: null }

const person = (changes: Partial<Member> = {}): PersonCaller => {
  const acting = member({ memberId: "00000000-0000-4000-8000-000000000001", name: "Ana", ...changes })
  return { ...facts, kind: "person", member: acting, clientId: "assistant", territory: acting.territory }
}

const code = (caller: KeyCaller | PersonCaller, whose: Access["person"], effect: OperationEffect) =>
  Result.match(
    Acting.permits(caller, {
      access: {
        scope: "mcp",
        plan: "enterprise",
        person: whose,
        feature: "apiAccess",
        gate: null,
        toolScope: null,
        app: "members"
      },
      effect
    }),
    { onSuccess: () => "permitted", onFailure: ({ _tag }) => _tag }
  )

describe("Acting", () => {
  it("keeps what needs a person from a key, and what takes keys from a person", () => {
    assert.strictEqual(code(key, "required", "write"), "ACTING_USER_REQUIRED")
    assert.strictEqual(code(key, "refused", "write"), "permitted")
    assert.strictEqual(code(person(), "required", "write"), "permitted")
    assert.strictEqual(code(person(), "refused", "read"), "ACTING_USER_NOT_SUPPORTED")
  })

  it("lets a read-only member read, and neither write nor spend", () => {
    const reader = person({ role: "read_only" })
    const effects = ["read", "meter", "write", "spend"] as const
    assert.deepStrictEqual(effects.map((effect) => code(reader, "allowed", effect)), [
      "permitted",
      "permitted",
      "ROLE_NOT_PERMITTED",
      "ROLE_NOT_PERMITTED"
    ])
    for (const role of ["member", "admin"] as const) {
      assert.strictEqual(code(person({ role }), "allowed", "spend"), "permitted")
    }
  })

  it("keeps everything from a member without a seat", () => {
    for (const effect of ["read", "spend"] as const) {
      assert.strictEqual(code(person({ seat: false, role: "admin" }), "allowed", effect), "NO_ACTIVE_SEAT")
    }
  })

  it("names the member, or else the key, as the author", () => {
    assert.deepStrictEqual(Acting.actor(key), { kind: "key", id: "made-up", name: "sample key" })
    assert.deepStrictEqual(Acting.actor(person()), {
      kind: "member",
      id: "00000000-0000-4000-8000-000000000001",
      name: "Ana"
    })
    assert.isNull(Acting.member(key))
    assert.strictEqual(Acting.member(person())?.name, "Ana")
    assert.isTrue(Acting.isAgent(key) && Acting.isAgent(person()))
  })
})

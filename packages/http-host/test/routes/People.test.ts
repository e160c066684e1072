/**
 * A person's token on REST: who it is, is told before that REST takes keys alone; and accounts that somebody else keeps.
 *
 * The word in the middle of a token is what becomes of it.
 */
import { assert, layer } from "@effect/vitest"
import { IdentityUnresolved, InvalidOauthToken } from "@freehold/core/access/AccessRefusals"
import { AccountStanding } from "@freehold/core/access/AccountStanding"
import { type ConnectionOutcome, Connections } from "@freehold/core/access/Connections"
import { PersonTokens } from "@freehold/core/access/PersonTokens"
import * as SignIn from "@freehold/core/access/SignIn"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import { defaults } from "@freehold/core/organization/Organization"
import { member } from "@freehold/core/testing/Seed"
import { Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { bearer, layer as host, TestHost } from "../TestHost.ts"

const counted = { admitted: true, limit: 100, used: 1, resetsAt: 60_000 }

const outcomes: Readonly<Record<string, ConnectionOutcome>> = {
  stranger: { _tag: "NotAMember" },
  revoked: { _tag: "Revoked" },
  plain: { _tag: "Disabled", organization: { ...defaults("org_admins"), member_connect: "admins" } },
  closed: { _tag: "Disabled", organization: { ...defaults("org_shut"), status: "closed" } },
  member: {
    _tag: "Connected",
    connection: {
      connectionId: "connection",
      orgId: "org_rich",
      memberId: "member",
      clientId: "assistant",
      firstSeen: new Date(0),
      revokedAt: null
    },
    member: member({ memberId: "member", name: "Ana", role: "admin" }),
    organization: { ...defaults("org_rich"), plan: "enterprise" },
    minute: counted,
    day: null
  }
}

const tokens = Layer.succeed(
  PersonTokens,
  PersonTokens.of({
    verify: Effect.fnUntraced(function*(token) {
      const subject = Redacted.value(token).split(".")[1] ?? ""
      if (subject === "forged") return yield* new InvalidOauthToken()
      if (subject === "unasked") return yield* new IdentityUnresolved({ retryAfterSeconds: 1 })
      return {
        issuer: "https://issuer.example",
        subject,
        email: null,
        clientId: "assistant",
        scopes: ["mcp"],
        orgId: null
      }
    })
  })
)

const away = Effect.fail(new TemporarilyUnavailable({ retryAfterSeconds: 1 }))

const connections = Layer.mock(Connections, {
  authorize: ({ subject }) => {
    const outcome = outcomes[subject]
    return outcome === undefined ? away : Effect.succeed(outcome)
  }
})

/** A billing system that cannot tell of one organization whether it is closed, of another whether it is suspended. */
const billing = Layer.succeed(
  AccountStanding,
  Option.some({
    isClosed: (orgId: string) => orgId === "org_team" ? away : Effect.succeed(orgId === "org_poor"),
    isSuspended: (orgId: string) => orgId === "org_unpaid" ? away : Effect.succeed(orgId === "org_dormant")
  })
)

const people = SignIn.layer.pipe(Layer.provide([tokens, connections, SecureRandom.layerWebCrypto]))

layer(host.pipe(Layer.provide([people, billing])), { excludeTestServices: true })("A person's token on REST", (it) => {
  const refusals = [
    ["forged", 401, "INVALID_OAUTH_TOKEN"],
    ["unasked", 503, "IDENTITY_UNRESOLVED"],
    ["without a database", 503, "IDENTITY_UNRESOLVED"],
    ["stranger", 403, "NOT_A_MEMBER"],
    ["revoked", 403, "GRANT_REVOKED"],
    ["plain", 403, "MEMBER_CONNECT_DISABLED"],
    ["closed", 403, "ACCOUNT_CLOSED"],
    ["member", 403, "ACTING_USER_NOT_SUPPORTED"]
  ] as const
  for (const [word, status, code] of refusals) {
    it.effect(`${status}: ${code} (${word})`, () =>
      Effect.gen(function*() {
        const { call } = yield* TestHost
        const token = `e30.${word.replaceAll(" ", "-")}.c2ln`
        const { body, headers, ...answer } = yield* call("GET", "/v1/me", {
          headers: { authorization: `bearer ${token}` }
        })
        assert.strictEqual(answer.status, status)
        assert.isFalse(body.success)
        assert.deepStrictEqual([body.code, body.meta.code], [code, code])
        assert.strictEqual(headers.get("retry-after"), status === 503 ? "1" : null)
        assert.strictEqual(headers.get("www-authenticate"), status === 401 ? "Bearer" : null)
      }))
  }

  const standings = [
    ["team", 503, "ACCOUNT_CLOSURE_CHECK_UNAVAILABLE"],
    ["unpaid", 503, "ORG_SUSPENSION_UNAVAILABLE"],
    ["poor", 403, "ACCOUNT_CLOSED"],
    ["dormant", 403, "ORG_SUSPENDED"]
  ] as const
  for (const [tenant, status, code] of standings) {
    it.effect(`${status}: ${code}, when accounts are kept elsewhere`, () =>
      Effect.gen(function*() {
        const { call } = yield* TestHost
        const { body, headers, ...answer } = yield* call("GET", "/v1/me", { headers: bearer(tenant) })
        assert.deepStrictEqual([answer.status, body.code, body.meta.code], [status, code, code])
        assert.strictEqual(headers.get("retry-after"), status === 503 ? "1" : null)
      }))
  }

  it.effect("200: a key goes on as before", () =>
    Effect.gen(function*() {
      const { call } = yield* TestHost
      assert.strictEqual((yield* call("GET", "/v1/me", { headers: bearer("rich") })).status, 200)
    }))
})

/** A token of each authorization server that docs/assistants.md sets up, with the claims that its table tells. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { arrange, audience } from "./TokenIssuer.ts"

interface Provider {
  /** The row of the table begins with it. */
  readonly name: string
  /** Of its issuer, behind the host. */
  readonly path: string
  readonly scopeIn: "scope" | "scp"
  readonly clientIn: "azp" | "cid"
  readonly claims: Readonly<Record<string, unknown>>
}

const keycloak: Provider = {
  name: "Keycloak",
  path: "/realms/acme",
  scopeIn: "scope",
  clientIn: "azp",
  claims: {
    typ: "Bearer",
    aud: [audience, "account"],
    azp: "assistant",
    scope: "openid email mcp pipeline:transitions_full",
    email: "ana@people.example",
    email_verified: true,
    preferred_username: "ana"
  }
}

const auth0: Provider = {
  name: "Auth0",
  path: "/",
  scopeIn: "scope",
  clientIn: "azp",
  claims: {
    aud: [audience, "https://tenant.auth0.example/userinfo"],
    azp: "assistant",
    scope: "openid email mcp pipeline:transitions_full",
    permissions: ["mcp"],
    "https://acme.example/email": "ana@people.example",
    "https://acme.example/email_verified": true
  }
}

const okta: Provider = {
  name: "Okta, custom server",
  path: "/oauth2/aus1",
  scopeIn: "scp",
  clientIn: "cid",
  claims: {
    ver: 1,
    aud: audience,
    cid: "assistant",
    uid: "00u1",
    scp: ["openid", "email", "mcp", "pipeline:transitions_full"],
    email: "ana@people.example",
    email_verified: true
  }
}

const entra: Provider = {
  name: "Entra",
  path: "/00000000-0000-4000-8000-000000000001/v2.0",
  scopeIn: "scp",
  clientIn: "azp",
  claims: {
    ver: "2.0",
    aud: "00000000-0000-4000-8000-000000000002",
    azp: "assistant",
    scp: "openid email mcp pipeline:transitions_full",
    tid: "00000000-0000-4000-8000-000000000001",
    email: "ana@people.example"
  }
}

/** What `sign` adds of its own, and none of these servers sends. */
const foreign = { client_id: undefined, scope: undefined }

const rows = readFileSync(new URL("../../../docs/assistants.md", import.meta.url), "utf8").split("\n").map((line) =>
  line.split("|").map((cell) => cell.trim())
)

describe("tokens of", () => {
  for (const { claims, clientIn, name, path, scopeIn } of [keycloak, auth0, okta]) {
    it.effect(`${name} let in the person whose address the server has verified`, () =>
      Effect.gen(function*() {
        const { issuer, sign, verify } = yield* arrange(path)
        assert.deepStrictEqual(yield* Effect.flatMap(sign({ ...foreign, ...claims }), verify), {
          issuer,
          subject: "person",
          email: "ana@people.example",
          clientId: "assistant",
          scopes: ["openid", "email", "mcp", "pipeline:transitions_full"],
          orgId: null
        })
        for (const needed of [scopeIn, clientIn]) assert.property(claims, needed)
      }))
  }

  it.effect("Entra let in nobody: they are for its own id of the API, and verify no address", () =>
    Effect.gen(function*() {
      const { sign, tagOf, verify } = yield* arrange(entra.path)
      const claims = { ...foreign, ...entra.claims }
      assert.strictEqual(yield* Effect.flatMap(sign(claims), tagOf), "INVALID_OAUTH_TOKEN")
      const { clientId, email, scopes } = yield* Effect.flatMap(sign({ ...claims, aud: audience }), verify)
      assert.deepStrictEqual([clientId, email], ["assistant", null])
      assert.include(scopes, "mcp")
    }))

  it("each server are told so in the table", () => {
    for (const { clientIn, name, scopeIn } of [keycloak, auth0, okta, entra]) {
      const [, , , , scope, client] = rows.find(([, first]) => first === name) ?? []
      assert.deepStrictEqual([scope, client], [`\`${scopeIn}\``, `\`${clientIn}\``], name)
    }
  })
})

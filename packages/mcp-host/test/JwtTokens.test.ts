/**
 * Tokens against an issuer on loopback whose keys, clock and health the tests hold in their hands. A real authorization
 * server signs people in in the tests of the command.
 */
import { assert, describe, it } from "@effect/vitest"
import { IssuerWatch } from "@freehold/core/access/IssuerWatch"
import { PersonTokens } from "@freehold/core/access/PersonTokens"
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { base64url, exportJWK, exportSPKI, SignJWT } from "jose"
import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto"
import { vi } from "vitest"
import * as IssuerMetadata from "../src/IssuerMetadata.ts"
import * as JwtTokens from "../src/JwtTokens.ts"
import { arrange, audience, hour, newKey, sample } from "./TokenIssuer.ts"

describe("JwtTokens", () => {
  it.effect("takes no key set and no metadata that is larger than they are", () =>
    Effect.gen(function*() {
      const { sign, state, tagOf, verify } = yield* arrange()
      state.filling = "x".repeat(900_000)
      yield* Effect.flatMap(sign(), verify)
      const large = yield* arrange()
      large.state.filling = "x".repeat(1_100_000)
      assert.strictEqual(yield* Effect.flatMap(large.sign(), large.tagOf), "IDENTITY_UNRESOLVED")
      const larger = yield* arrange()
      larger.state.claims["filling"] = "x".repeat(1_100_000)
      assert.strictEqual(yield* Effect.flatMap(larger.sign(), larger.tagOf), "IDENTITY_UNRESOLVED")
      assert.strictEqual(yield* tagOf("not a token"), "INVALID_OAUTH_TOKEN")
    }))

  it.effect("reads the keys when it starts, before anybody signs in", () =>
    Effect.gen(function*() {
      const { issuer, sign, state } = yield* arrange()
      state.asked.length = 0
      const tokens = Context.get(yield* Layer.build(JwtTokens.layer({ issuer, audience })), PersonTokens)
      yield* Effect.promise(() => vi.waitUntil(() => state.asked.includes("/keys")))
      const asked = [...state.asked]
      yield* tokens.verify(Redacted.make(yield* sign()))
      assert.deepStrictEqual(state.asked, asked)
    }))

  it.effect("reads the person, the assistant and the scopes of a good token", () =>
    Effect.gen(function*() {
      const { issuer, sign, verify } = yield* arrange()
      assert.deepStrictEqual(
        yield* Effect.flatMap(sign({ email: "ana@people.example", email_verified: true }), verify),
        {
          issuer,
          subject: "person",
          email: "ana@people.example",
          clientId: "assistant",
          scopes: ["openid", "mcp"],
          orgId: null
        }
      )
    }))

  it.effect("reads what other servers call by other names", () =>
    Effect.gen(function*() {
      const { sign, verify } = yield* arrange()
      const told = (claims: Readonly<Record<string, unknown>>) =>
        Effect.flatMap(sign({ client_id: undefined, ...claims }), verify)
      assert.deepInclude(yield* told({ azp: "other", scope: undefined, scp: ["mcp"] }), {
        clientId: "other",
        scopes: ["mcp"]
      })
      assert.deepInclude(yield* told({ cid: "third", org_id: "org_acme" }), { clientId: "third", orgId: "org_acme" })
      const custom = { "https://acme.example/email": "a@b.example", "https://acme.example/email_verified": "true" }
      assert.deepInclude(yield* told({ azp: "other", ...custom }), { email: "a@b.example" })
    }))

  it.effect("takes no address that is not verified", () =>
    Effect.gen(function*() {
      const { sign, verify } = yield* arrange()
      for (const email_verified of [false, undefined, "yes", 1]) {
        const token = yield* sign({ email: "ana@people.example", email_verified })
        assert.isNull((yield* verify(token)).email)
      }
    }))

  it.effect("takes no address from one place and its verification from another", () =>
    Effect.gen(function*() {
      const { sign, verify } = yield* arrange()
      const emailOf = (claims: Readonly<Record<string, unknown>>) =>
        Effect.map(Effect.flatMap(sign(claims), verify), ({ email }) => email)
      const [here, there] = ["https://here.example/", "https://there.example/"]
      const mixed = [
        { email: "a@b.example", [`${here}email_verified`]: true },
        { email: "a@b.example", email_verified: false, [`${here}email_verified`]: true },
        { [`${here}email`]: "a@b.example", email_verified: true },
        { [`${here}email`]: "a@b.example", [`${there}email_verified`]: true },
        { [`${here}email`]: "a@b.example", [`${here}more/email_verified`]: true },
        // Both are verified, so neither is the one.
        { email: "a@b.example", email_verified: true, [`${here}email`]: "c@d.example", [`${here}email_verified`]: true }
      ]
      for (const claims of mixed) assert.isNull(yield* emailOf(claims), JSON.stringify(claims))
      assert.strictEqual(
        yield* emailOf({
          email: "unverified@b.example",
          email_verified: false,
          [`${here}email`]: "c@d.example",
          [`${here}email_verified`]: true
        }),
        "c@d.example"
      )
    }))

  it.effect("reads the organization from wherever it stands, and refuses a token that names it unreadably or twice", () =>
    Effect.gen(function*() {
      const { sign, tagOf, verify } = yield* arrange()
      const place = "https://here.example/org_id"
      for (
        const claims of [{ org_id: "org_acme" }, { [place]: "org_acme" }, { org_id: "org_acme", [place]: "org_acme" }]
      ) {
        assert.strictEqual((yield* Effect.flatMap(sign(claims), verify)).orgId, "org_acme")
      }
      const unreadable = [null, "", 7, true, ["org_acme"], { id: "org_acme" }, "org acme", "org_\0", "o".repeat(65)]
      for (const org_id of unreadable) {
        assert.strictEqual(yield* tagOf(yield* sign({ org_id })), "INVALID_OAUTH_TOKEN", JSON.stringify(org_id))
        assert.strictEqual(yield* tagOf(yield* sign({ [place]: org_id })), "INVALID_OAUTH_TOKEN")
        assert.strictEqual(yield* tagOf(yield* sign({ org_id, [place]: "org_acme" })), "INVALID_OAUTH_TOKEN")
      }
      const two = yield* sign({ org_id: "org_acme", [place]: "org_other" })
      assert.strictEqual(yield* tagOf(two), "INVALID_OAUTH_TOKEN")
    }))

  it.effect("INVALID_OAUTH_TOKEN: whatever else is wrong with a token", () =>
    Effect.gen(function*() {
      const { keys, sign, tagOf } = yield* arrange()
      const stranger = yield* newKey("first")
      const [first] = keys
      const spki = yield* Effect.promise(() => exportSPKI(first?.publicKey ?? stranger.publicKey))
      const claims = { iss: "", aud: audience, sub: "person", exp: hour, client_id: "assistant" }
      const encoded = (header: object) =>
        [header, claims].map((part) => base64url.encode(JSON.stringify(part))).join(".")
      const bad = {
        expired: yield* sign({ exp: -60 }),
        "not yet valid": yield* sign({ nbf: 600 }),
        "for somebody else": yield* sign({ aud: "https://elsewhere.example/v1/mcp" }),
        "for nobody": yield* sign({ aud: undefined }),
        "of another issuer": yield* sign({ iss: "https://issuer.example" }),
        "without an end": yield* sign({ exp: undefined }),
        "without a person": yield* sign({ sub: undefined }),
        "without an assistant": yield* sign({ client_id: undefined }),
        "with an assistant that cannot be read": yield* sign({ client_id: 7, azp: "other" }),
        "with a name that cannot be stored": yield* sign({ sub: "per\0son" }),
        "with a name that a terminal obeys": yield* sign({ client_id: "\u001B[2J" }),
        "signed by somebody else": yield* sign({}, { key: stranger }),
        "signed by an unknown key": yield* sign({}, { kid: "unknown" }),
        unsigned: `${encoded({ alg: "none" })}.`,
        // The public key, which everybody has, as a shared secret.
        "signed by a secret": yield* Effect.promise(() =>
          new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode(spki))
        ),
        garbage: "e30.e30.e30"
      }
      for (const [what, token] of Object.entries(bad)) {
        assert.strictEqual(yield* tagOf(token), "INVALID_OAUTH_TOKEN", what)
      }
    }))

  it.effect("goes on by the good keys of a set, and tells what is wrong with each of the others once", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const log = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      const { issuer, keys, sign, state, tagOf, verify } = yield* Effect.provide(arrange(), log)
      const weak = generateKeyPairSync("rsa", { modulusLength: 512 })
      const curve = generateKeyPairSync("ec", { namedCurve: "secp256k1" })
      const jwk = (key: KeyObject, more: object) => ({ ...key.export({ format: "jwk" }), ...more })
      const good = yield* Effect.promise(() => exportJWK(keys[0]?.publicKey ?? new Uint8Array()))
      state.odd = [
        null,
        jwk(weak.publicKey, { kid: "weak" }),
        jwk(curve.publicKey, { kid: "curve" }),
        { ...good, kid: "point", x: "AA" },
        { kty: "oct", kid: "secret", k: "c2VjcmV0" },
        jwk(generateKeyPairSync("ed25519").privateKey, { kid: "private" }),
        { kty: "XYZ", kid: "kind" },
        { ...good, kid: "other", use: "enc", crv: "secret" }
      ]
      yield* Effect.flatMap(sign(), verify)
      const [head, body] = [{ alg: "RS256", kid: "weak" }, { ...sample, iss: issuer }].map((part) =>
        base64url.encode(JSON.stringify(part))
      )
      const signed = createSign("sha256").update(`${head}.${body}`).sign(weak.privateKey, "base64url")
      assert.strictEqual(yield* tagOf(`${head}.${body}.${signed}`), "INVALID_OAUTH_TOKEN")
      yield* Effect.promise(() => vi.waitUntil(() => lines.length > 0))
      assert.deepStrictEqual(lines, [
        "The authorization server publishes keys that verify nothing here: number 1 is no key; "
        + "weak has 512 bits, and RSA needs 2048; curve has a curve that is not known here: secp256k1; "
        + "point cannot be read: Invalid keyData; secret is a shared secret, which everybody can read now; and 2 more"
      ])
    }))

  it.effect("tries each key that a token may mean", () =>
    Effect.gen(function*() {
      const { keys, sign, tagOf, verify } = yield* arrange()
      const [second, stranger] = [yield* newKey("first"), yield* newKey("first")]
      keys.push(second)
      for (const key of keys) {
        yield* Effect.flatMap(sign({}, { key }), verify)
        yield* Effect.flatMap(sign({}, { key, kid: undefined }), verify)
      }
      assert.strictEqual(yield* Effect.flatMap(sign({}, { key: stranger }), tagOf), "INVALID_OAUTH_TOKEN")
      assert.strictEqual(yield* Effect.flatMap(sign({ exp: -60 }, { key: second }), tagOf), "INVALID_OAUTH_TOKEN")
    }))

  it.effect("asks the issuer once for many tokens", () =>
    Effect.gen(function*() {
      const { sign, state, verify } = yield* arrange()
      const token = yield* sign()
      yield* Effect.all(Array.from({ length: 20 }, () => verify(token)), { concurrency: "unbounded" })
      assert.deepStrictEqual(state.asked, [
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
        "/keys"
      ])
    }))

  it.effect("follows the issuer to a new key, though an unknown key makes it ask at most twice a minute", () =>
    Effect.gen(function*() {
      const { keys, sign, state, tagOf, verify } = yield* arrange()
      // The key set is kept by the clock of the machine.
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.useFakeTimers({ toFake: ["Date"] })),
        () => Effect.sync(() => vi.useRealTimers())
      )
      const old = yield* sign()
      yield* verify(old)
      const next = yield* newKey("second")
      keys.splice(0, 1, next)
      const token = yield* sign({}, { key: next })
      const asked = state.asked.length
      assert.strictEqual(yield* tagOf(token), "INVALID_OAUTH_TOKEN")
      assert.strictEqual(state.asked.length, asked)
      yield* Effect.sync(() => vi.advanceTimersByTime(31_000))
      yield* verify(token)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* tagOf(old), "INVALID_OAUTH_TOKEN", "a key that was taken back")
    }))

  it.effect("knows a token for a minute, and not when it is no longer valid", () =>
    Effect.gen(function*() {
      const { keys, sign, tagOf, verify } = yield* arrange()
      const [long, short] = [yield* sign(), yield* sign({ exp: 20 })]
      const person = yield* verify(long)
      yield* verify(short)
      // Neither would be verified by it.
      keys.splice(0, 1, yield* newKey("first"))
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual(yield* verify(long), person)
      assert.strictEqual(yield* tagOf(short), "INVALID_OAUTH_TOKEN")
    }))

  it.effect("asks for the keys once in 5 seconds while they cannot be read", () =>
    Effect.gen(function*() {
      const { sign, state, tagOf, verify } = yield* arrange()
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.useFakeTimers({ toFake: ["Date"] })),
        () => Effect.sync(() => vi.useRealTimers())
      )
      yield* Effect.flatMap(sign(), verify)
      const [first, second] = [yield* sign({ exp: hour + 1 }), yield* sign({ exp: hour + 2 })]
      yield* Effect.sync(() => vi.advanceTimersByTime(601_000))
      state.up = false
      state.asked.length = 0
      for (const token of [first, second]) assert.strictEqual(yield* tagOf(token), "IDENTITY_UNRESOLVED")
      assert.deepStrictEqual(state.asked, ["/keys"])
      state.up = true
      yield* Effect.sync(() => vi.advanceTimersByTime(5_000))
      yield* verify(first)
    }))

  it.effect("finds an issuer below a path, and one with a slash at the end", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(IssuerMetadata.metadataUrls("https://issuer.example/realms/acme/"), [
        "https://issuer.example/.well-known/oauth-authorization-server/realms/acme",
        "https://issuer.example/realms/acme/.well-known/openid-configuration"
      ])
      const { sign, verify } = yield* arrange("/realms/acme")
      yield* Effect.flatMap(sign(), verify)
    }))

  it.effect("IDENTITY_UNRESOLVED: while the issuer is away, and no longer than that", () =>
    Effect.gen(function*() {
      const { sign, state, tagOf, verify } = yield* arrange()
      const token = yield* sign()
      state.up = false
      assert.strictEqual(yield* tagOf(token), "IDENTITY_UNRESOLVED")
      const asked = state.asked.length
      state.up = true
      assert.strictEqual(yield* tagOf(token), "IDENTITY_UNRESOLVED")
      assert.strictEqual(state.asked.length, asked, "not every request waits for it")
      yield* TestClock.adjust("5 seconds")
      yield* verify(token)
    }))

  it.effect("tells that the issuer is away at a bounded pace, however many tokens come", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const log = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      const { state, tagOf } = yield* arrange()
      state.up = false
      const many = Effect.provide(Effect.forEach(Array.from({ length: 30 }), () => tagOf("e30.e30.e30")), log)
      yield* many
      assert.lengthOf(lines, 10)
      yield* TestClock.adjust("1 second")
      yield* many
      assert.lengthOf(lines, 20)
    }))

  it.effect("hears an answer of the issuer whenever its keys are read, whatever they say of the token", () =>
    Effect.gen(function*() {
      const heard: Array<string> = []
      const watch = {
        failed: () => Effect.sync(() => void heard.push("failed")),
        answered: Effect.sync(() => void heard.push("answered"))
      }
      const { sign, state, tagOf } = yield* Effect.provideService(arrange(), IssuerWatch, watch)
      const stranger = yield* sign({}, { kid: "unknown" })
      state.up = false
      assert.strictEqual(yield* tagOf(stranger), "IDENTITY_UNRESOLVED")
      heard.length = 0
      state.up = true
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(yield* tagOf(stranger), "INVALID_OAUTH_TOKEN")
      assert.deepStrictEqual(heard, ["answered"])
    }))

  it.effect("IDENTITY_UNRESOLVED: when the metadata is somebody else's", () =>
    Effect.gen(function*() {
      const { sign, state, tagOf } = yield* arrange()
      state.claims = { issuer: "https://issuer.example" }
      assert.strictEqual(yield* tagOf(yield* sign()), "IDENTITY_UNRESOLVED")
    }))
})

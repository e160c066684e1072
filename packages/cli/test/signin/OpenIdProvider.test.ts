/**
 * Sign-ins that end with a made-up code, against an issuer on loopback that confirms nobody. A real authorization server signs people in
 * in the tests of the app.
 */
import { assert, describe, it } from "@effect/vitest"
import * as SealerNode from "@freehold/adapters-pg/webhook/SealerNode"
import { IdentityProvider } from "@freehold/core/access/IdentityProvider"
import { IssuerWatch } from "@freehold/core/access/IssuerWatch"
import { Effect, Layer, Logger, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { ServerResponse } from "node:http"
import * as OpenIdProvider from "../../src/signin/OpenIdProvider.ts"
import { served } from "../Loopback.ts"

/** An issuer that refuses each code, by `answer`. */
const arrange = Effect.fnUntraced(function*(answer: (refuse: () => void) => void = (refuse) => refuse()) {
  const state = { exchanges: 0, lines: [] as Array<string>, heard: [] as Array<string> }
  const json = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  const { origin: issuer } = yield* served((request, response) => {
    if (request.url === "/token") {
      state.exchanges += 1
      return answer(() => json(response, 400, { error: "invalid_grant" }))
    }
    json(response, 200, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`
    })
  })
  const watch = {
    failed: () => Effect.sync(() => void state.heard.push("failed")),
    answered: Effect.sync(() => void state.heard.push("answered"))
  }
  const provider = Option.getOrThrow(
    yield* Effect.provide(
      IdentityProvider,
      OpenIdProvider.layer({ issuer, clientId: "app", clientSecret: Option.none(), publicUrl: "http://127.0.0.1" })
        .pipe(
          Layer.provide([SealerNode.layer(Redacted.make(new Uint8Array(32))), Layer.succeed(IssuerWatch, watch)])
        )
    )
  )
  const log = Logger.layer([Logger.make(({ message }) => void state.lines.push(String(message)))])
  /** Begins a sign-in; answers what ends it, by the code of its refusal. */
  const begunBy = (answer: Readonly<Record<string, string>>) =>
    Effect.map(provider.begin("/"), ({ address, attempt }) => {
      const query = `?${new URLSearchParams({
        ...answer,
        state: new URL(address).searchParams.get("state") ?? ""
      })}`
      return Effect.flip(provider.finish({ attempt, query })).pipe(
        Effect.map(({ _tag }) => _tag),
        Effect.provide(log)
      )
    })
  return { begun: begunBy({ code: "made-up" }), begunBy, state }
})

const many = (count: number) => Array.from({ length: count })

describe("sign-ins with made-up codes", () => {
  it.effect("have the issuer asked once, however often one of them comes again", () =>
    Effect.gen(function*() {
      const { begun, state } = yield* arrange()
      const finish = yield* begun
      assert.strictEqual(yield* finish, "SIGN_IN_DECLINED")
      for (const _ of many(3)) assert.strictEqual(yield* finish, "SIGN_IN_ENDED")
      assert.deepStrictEqual([state.exchanges, state.lines.length], [1, 1])
    }))

  it.effect("have it asked about few at a time, and nobody waits for the next place", () =>
    Effect.gen(function*() {
      const held: Array<() => void> = []
      const { begun, state } = yield* arrange((refuse) => {
        held.push(refuse)
        if (held.length === OpenIdProvider.mostAsked) { for (const each of held) each() }
      })
      const finishes = yield* Effect.forEach(many(OpenIdProvider.mostAsked + 8), () => begun)
      const ended = yield* Effect.all(finishes, { concurrency: "unbounded" })
      assert.lengthOf(ended.filter((code) => code === "SIGN_IN_DECLINED"), OpenIdProvider.mostAsked)
      assert.lengthOf(ended.filter((code) => code === "IDENTITY_UNRESOLVED"), 8)
      assert.strictEqual(state.exchanges, OpenIdProvider.mostAsked)
    }))

  it.effect("are answered by the issuer where it refuses the code, and not by what a browser says", () =>
    Effect.gen(function*() {
      const { begun, begunBy, state } = yield* arrange()
      const finish = yield* begun
      // What it tells of itself.
      assert.deepStrictEqual(state.heard, ["answered"])
      assert.strictEqual(yield* finish, "SIGN_IN_DECLINED")
      assert.deepStrictEqual(state.heard, ["answered", "answered"])
      assert.strictEqual(yield* Effect.flatten(begunBy({ error: "access_denied" })), "SIGN_IN_DECLINED")
      assert.lengthOf(state.heard, 2)
    }))

  it.effect("are logged at a bounded pace", () =>
    Effect.gen(function*() {
      const { begun, state } = yield* arrange()
      const twenty = Effect.forEach(many(20), () => Effect.flatten(begun))
      yield* twenty
      assert.lengthOf(state.lines, 10)
      yield* TestClock.adjust("1 second")
      yield* twenty
      assert.lengthOf(state.lines, 20)
    }))
})

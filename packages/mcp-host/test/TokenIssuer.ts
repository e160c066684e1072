/** An issuer on loopback whose keys, metadata and health the tests hold in their hands, and a host that takes its tokens. */
import { PersonTokens } from "@freehold/core/access/PersonTokens"
import { Effect, Redacted } from "effect"
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose"
import * as JwtTokens from "../src/JwtTokens.ts"
import { served } from "./Loopback.ts"

export const audience = "https://host.example/v1/mcp"
/** The tests' clock stands at 0. */
export const hour = 3600

export const sample = { aud: audience, sub: "person", exp: hour, client_id: "assistant", scope: "openid mcp" }

interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

export const newKey = (kid: string) =>
  Effect.promise(async (): Promise<SigningKey> => ({ kid, ...await generateKeyPair("ES256", { extractable: true }) }))

/** An issuer that publishes `keys` while it is `up`, below `path`, which may end in a slash. */
export const arrange = Effect.fnUntraced(function*(path = "") {
  const keys = [yield* newKey("first")]
  const below = path.replace(/\/$/, "")
  const state = {
    up: true,
    asked: [] as Array<string>,
    claims: {} as Record<string, unknown>,
    filling: "",
    /** Published before the others. */
    odd: [] as Array<unknown>
  }
  const origin = yield* served((request, response) => {
    state.asked.push(request.url ?? "")
    const answer = async () => {
      if (!state.up) return response.writeHead(503).end()
      if (request.url === `${below}/keys`) {
        const published = await Promise.all(
          keys.map(async ({ kid, publicKey }) => ({ ...await exportJWK(publicKey), kid, alg: "ES256", use: "sig" }))
        )
        return response.end(JSON.stringify({ keys: [...state.odd, ...published], filling: state.filling }))
      }
      if (request.url === `${below}/.well-known/openid-configuration`) {
        return response.end(JSON.stringify({ issuer, jwks_uri: `${origin}${below}/keys`, ...state.claims }))
      }
      return response.writeHead(404).end()
    }
    void answer()
  })
  const issuer = `${origin}${path}`

  const sign = (
    claims: Readonly<Record<string, unknown>> = {},
    { key = keys[0], kid = key?.kid }: { readonly key?: SigningKey | undefined; readonly kid?: string | undefined } = {}
  ) =>
    Effect.promise(() =>
      new SignJWT({ ...sample, iss: issuer, ...claims }).setProtectedHeader({
        alg: "ES256",
        ...kid === undefined ? {} : { kid }
      }).sign(
        key?.privateKey ?? new Uint8Array()
      )
    )
  const tokens = yield* Effect.provide(PersonTokens, JwtTokens.layer({ issuer, audience }))
  const verify = (token: string) => tokens.verify(Redacted.make(token))
  const tagOf = (token: string) => Effect.map(Effect.flip(verify(token)), ({ _tag }) => _tag)
  return { issuer, keys, sign, state, tagOf, tokens, verify }
})

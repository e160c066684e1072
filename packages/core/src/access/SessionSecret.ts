/** The secrets of links, sessions and views: random, kept by a browser alone, and stored as their SHA-256. */
import { Effect, Redacted } from "effect"
import { Digest, type SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

/** 32 random bytes: 43 characters of base64url. */
export const isWellFormed = (secret: Redacted.Redacted): boolean => /^[A-Za-z0-9_-]{43}$/.test(Redacted.value(secret))

/** What is kept of what a browser says of itself. */
export const keptAgent = (userAgent: string | null): string | null =>
  userAgent === null ? null : userAgent.slice(0, 200)

/** Makes secrets, and what is stored and looked up of them. */
export const make = (digest: Digest.Digest["Service"], random: SecureRandom.SecureRandom["Service"]) => ({
  generate: Effect.map(random.randomBytes(32), (bytes) => Redacted.make(Base64Url.encode(bytes))),
  /** Of a secret, which is ASCII. */
  hashOf: (secret: Redacted.Redacted) =>
    digest.digestHex(
      Digest.sha256,
      Uint8Array.from(Redacted.value(secret), (character) => character.charCodeAt(0))
    )
})

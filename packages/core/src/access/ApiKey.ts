/**
 * The secret of an API key: `fhk_` and 43 random characters. Only its SHA-256 is ever stored.
 *
 * service-api "Credential (API key)", decisions section 18.
 */
import { Effect, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

const form = /^fhk_[A-Za-z0-9_-]{43}$/

/** Whether the text has a key's form. */
export const isWellFormed = (secret: string): boolean => form.test(secret)

/** A new secret from 32 random bytes. */
export const generate = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  return Redacted.make(`fhk_${Base64Url.encode(yield* random.randomBytes(32))}`)
})

/** SHA-256 of a well-formed secret (ASCII) in lower-case hex: what is stored and looked up. */
export const hash = Effect.fnUntraced(function*(secret: Redacted.Redacted) {
  const digest = yield* Digest.Digest
  const bytes = Uint8Array.from(Redacted.value(secret), (character) => character.charCodeAt(0))
  return yield* digest.digestHex(Digest.sha256, bytes)
})

/** What people see of a key: its name and the first 12 characters. */
export const label = (name: string, secret: Redacted.Redacted): string =>
  `${name} ${Redacted.value(secret).slice(0, 12)}`

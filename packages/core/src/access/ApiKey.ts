/**
 * The secret of an API key: `fhk_` and 43 random characters. Only its SHA-256 is ever stored. In a cell the first of the 43 are
 * its name and a dash, by which a front finds the cell of a key.
 *
 * service-api "Credential (API key)", decisions section 18.
 */
import { Context, Effect, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"

const form = /^fhk_[A-Za-z0-9_-]{43}$/

/** Whether the text has a key's form. */
export const isWellFormed = (secret: string): boolean => form.test(secret)

/** The name of the cell that makes keys; null: the installation is none. */
export const Cell = Context.Reference<Effect.Effect<string | null, TemporarilyUnavailable>>(
  "@freehold/core/access/ApiKey/Cell",
  { defaultValue: () => Effect.succeed(null) }
)

const inCell = /^fhk_([a-z0-9]{1,8})-/

/** The cell that a secret names. One that none made names one too, though hardly ever one that there is. */
export const cellOf = (secret: string): string | null => inCell.exec(secret)?.[1] ?? null

/** A new secret from 32 random bytes, of which a cell's name takes the place of some. */
export const generate = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  const cell = yield* yield* Cell
  const body = `${cell === null ? "" : `${cell}-`}${Base64Url.encode(yield* random.randomBytes(32))}`
  return Redacted.make(`fhk_${body.slice(0, 43)}`)
})

/** Every request asks for them, and a list of characters would cost more than the digest. */
const bytesOf = (ascii: string): Uint8Array => {
  const bytes = new Uint8Array(ascii.length)
  for (let at = 0; at < ascii.length; at++) bytes[at] = ascii.charCodeAt(at)
  return bytes
}

/** SHA-256 of a well-formed secret (ASCII) in lower-case hex: what is stored and looked up. */
export const hashBy = (digest: Digest.Digest["Service"], secret: Redacted.Redacted): Effect.Effect<string> =>
  digest.digestHex(Digest.sha256, bytesOf(Redacted.value(secret)))

/** The same by the digest in context. */
export const hash = (secret: Redacted.Redacted): Effect.Effect<string, never, Digest.Digest> =>
  Effect.flatMap(Digest.Digest, (digest) => hashBy(digest, secret))

/** What people see of a key: its name and the first 12 characters. */
export const label = (name: string, secret: Redacted.Redacted): string =>
  `${name} ${Redacted.value(secret).slice(0, 12)}`

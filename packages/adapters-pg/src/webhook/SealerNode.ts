/**
 * `Sealer` over `node:crypto`: AES-256-GCM.
 *
 * A sealed value is a version byte, the 12-byte nonce, the 16-byte tag and the ciphertext. The version is for a change of
 * key or algorithm later.
 */
import { Sealer } from "@freehold/core/webhook/Sealer"
import { Effect, Layer, Redacted, Schema } from "effect"
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto"

const algorithm = "aes-256-gcm"
const version = 1
const keyLength = 32
const nonceLength = 12
const tagLength = 16
const headerLength = 1 + nonceLength + tagLength

/** The value was sealed with another key or context, or it was changed. */
export class SealBroken extends Schema.TaggedError<SealBroken>()("SealBroken", { context: Schema.String }) {
  override get message() {
    return `cannot open the sealed secret of ${this.context}: it was sealed with another key, or changed`
  }
}

/** The key is not 32 bytes long. */
export class WrongKeyLength extends Schema.TaggedError<WrongKeyLength>()("WrongKeyLength", { length: Schema.Int }) {
  override get message() {
    return `the encryption key must be ${keyLength} bytes long, not ${this.length}`
  }
}

/** `key`: the operator's 32 bytes; `earlier`: keys whose place it takes, which still open what they sealed. */
export const layer = (
  key: Redacted.Redacted<Uint8Array>,
  earlier: ReadonlyArray<Redacted.Redacted<Uint8Array>> = []
): Layer.Layer<Sealer, WrongKeyLength> =>
  Layer.effect(
    Sealer,
    Effect.gen(function*() {
      const bytes = Redacted.value(key)
      const keys = [bytes, ...earlier.map(Redacted.value)]
      const wrong = keys.find(({ length }) => length !== keyLength)
      if (wrong !== undefined) return yield* new WrongKeyLength({ length: wrong.length })

      const openWith = (bytes: Uint8Array, sealed: Uint8Array, context: string): Redacted.Redacted => {
        const decipher = createDecipheriv(algorithm, bytes, sealed.subarray(1, 1 + nonceLength), {
          authTagLength: tagLength
        })
        decipher.setAAD(Buffer.from(context))
        decipher.setAuthTag(sealed.subarray(1 + nonceLength, headerLength))
        const opened = Buffer.concat([decipher.update(sealed.subarray(headerLength)), decipher.final()])
        return Redacted.make(opened.toString("utf8"))
      }

      /** By the first of the keys that does. */
      const open = (keys: ReadonlyArray<Uint8Array>, sealed: Uint8Array, context: string) =>
        sealed.length < headerLength || sealed[0] !== version
          ? Effect.fail(new SealBroken({ context }))
          : Effect.firstSuccessOf(keys.map((bytes) =>
            Effect.try({ try: () => openWith(bytes, sealed, context), catch: () => new SealBroken({ context }) })
          ))

      return Sealer.of({
        seal: Effect.fn("Sealer.seal")((secret, context) =>
          Effect.sync(() => {
            const nonce = randomBytes(nonceLength)
            const cipher = createCipheriv(algorithm, bytes, nonce, { authTagLength: tagLength })
            cipher.setAAD(Buffer.from(context))
            const text = Buffer.concat([cipher.update(Redacted.value(secret), "utf8"), cipher.final()])
            return new Uint8Array(Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), text]))
          })
        ),
        isPresent: Effect.fn("Sealer.isPresent")((sealed, context) =>
          Effect.isSuccess(open([bytes], sealed, context))
        ),
        open: Effect.fn("Sealer.open")((sealed, context) => Effect.orDie(open(keys, sealed, context)))
      })
    })
  )

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

/** `key`: the operator's 32 bytes. */
export const layer = (key: Redacted.Redacted<Uint8Array>): Layer.Layer<Sealer, WrongKeyLength> =>
  Layer.effect(
    Sealer,
    Effect.gen(function*() {
      const bytes = Redacted.value(key)
      if (bytes.length !== keyLength) return yield* new WrongKeyLength({ length: bytes.length })

      const open = (sealed: Uint8Array, context: string): Redacted.Redacted => {
        const decipher = createDecipheriv(algorithm, bytes, sealed.subarray(1, 1 + nonceLength), {
          authTagLength: tagLength
        })
        decipher.setAAD(Buffer.from(context))
        decipher.setAuthTag(sealed.subarray(1 + nonceLength, headerLength))
        const opened = Buffer.concat([decipher.update(sealed.subarray(headerLength)), decipher.final()])
        return Redacted.make(opened.toString("utf8"))
      }

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
        open: Effect.fn("Sealer.open")((sealed, context) =>
          sealed.length < headerLength || sealed[0] !== version
            ? Effect.die(new SealBroken({ context }))
            : Effect.orDie(Effect.try({ try: () => open(sealed, context), catch: () => new SealBroken({ context }) }))
        )
      })
    })
  )

/**
 * Cursors that clients carry but can neither make nor read: base64url of a tag and of the sealed payload.
 *
 * The tag is the HMAC-SHA-256 of the payload and of what it is bound to, the first half of it; the payload is enciphered
 * (AES-CTR) from the tag on. So the same page has the same cursor, what a cursor is bound to takes no room in it, and a
 * position tells nothing of a row that is not shown. The key is the operator's: a cursor works on every host of one
 * installation. decisions, section 8; docs/decisions/0036.
 */
import { Context, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { Cipher, Mac } from "effect/crypto"
import { Base64Url } from "effect/encoding"

const tagLength = 16

/** Nothing that is sealed becomes longer. What is, was not sealed here, and is not deciphered to find that out. */
const longestSealed = 4096

const bytesOf = (text: string): Uint8Array => Result.getOrThrow(Base64Url.decode(Base64Url.encode(text)))

/** The two cannot be mistaken for each other, wherever one ends. */
const authenticated = (payload: string, bound: string): Uint8Array => bytesOf(JSON.stringify([bound, payload]))

/** Seals cursors, and opens those that were sealed here. */
export class CursorSeal extends Context.Service<CursorSeal, {
  /** `bound`: what `open` must name again, such as whose cursor it is, and of which question. */
  seal(payload: string, bound: string): Effect.Effect<string>
  /** None for what this installation did not seal, or bound to something else. */
  open(cursor: string, bound: string): Effect.Effect<Option.Option<string>>
}>()("@freehold/core/operation/CursorSeal") {
  /** `key`: at least 32 secret bytes; `earlier`: keys whose place it takes, whose cursors are still opened. */
  static readonly layer = (
    key: Redacted.Redacted<Uint8Array>,
    earlier: ReadonlyArray<Redacted.Redacted<Uint8Array>> = []
  ) =>
    Layer.effect(
      CursorSeal,
      Effect.gen(function*() {
        const mac = yield* Mac.Mac
        const cipher = yield* Cipher.Cipher
        const keysOf = Effect.fnUntraced(function*(secret: Redacted.Redacted<Uint8Array>) {
          const tagging = yield* Mac.key(Mac.hmacSha256, Redacted.value(secret))
          const ciphering = yield* mac.sign(tagging, bytesOf("cipher of cursors"))
          return { tagging, ciphering: yield* Cipher.key(Cipher.aes256Ctr, ciphering) }
        }, Effect.orDie)
        const present = yield* keysOf(key)
        const known = [present, ...yield* Effect.forEach(earlier, keysOf)]

        const tagOf = ({ tagging }: typeof present, payload: string, bound: string) =>
          Effect.map(mac.sign(tagging, authenticated(payload, bound)), (tag) => tag.subarray(0, tagLength))

        return CursorSeal.of({
          seal: Effect.fnUntraced(function*(payload, bound) {
            const tag = yield* tagOf(present, payload, bound)
            const sealed = yield* cipher.encrypt(present.ciphering, bytesOf(payload), { iv: tag })
            return Base64Url.encode(Uint8Array.from([...tag, ...sealed]))
          }, Effect.orDie),
          open: Effect.fnUntraced(function*(cursor, bound) {
            if (cursor.length > longestSealed) return Option.none()
            const decoded = Base64Url.decode(cursor)
            if (Result.isFailure(decoded) || decoded.success.length <= tagLength) return Option.none()
            const tag = decoded.success.slice(0, tagLength)
            const sealed = decoded.success.slice(tagLength)
            for (const each of known) {
              const opened = yield* cipher.decrypt(each.ciphering, sealed, { iv: tag })
              const payload = Base64Url.decodeString(Base64Url.encode(opened))
              if (Result.isFailure(payload)) continue
              if (Mac.timingSafeEqual(yield* tagOf(each, payload.success, bound), tag)) {
                return Option.some(payload.success)
              }
            }
            return Option.none()
          }, Effect.orDie)
        })
      })
    )
}

/** Reads a JSON payload of that shape; none for anything else. */
export const parsePayload = <T, E>(schema: Schema.Codec<T, E>) =>
  Schema.decodeUnknownOption(Schema.fromJsonString(schema))

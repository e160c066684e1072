/**
 * Cursors that clients carry but cannot make: base64url of JSON, a dot, and its HMAC-SHA-256.
 *
 * The key is the operator's, so a cursor works on every host of one installation. decisions, section 8.
 */
import { Context, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { Mac } from "effect/crypto"
import { Base64Url } from "effect/encoding"

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

export class CursorSeal extends Context.Service<CursorSeal, {
  seal(payload: string): Effect.Effect<string>
  /** None for what this installation did not seal. */
  open(cursor: string): Effect.Effect<Option.Option<string>>
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
        const keyOf = (key: Redacted.Redacted<Uint8Array>) => Effect.orDie(Mac.key(Mac.hmacSha256, Redacted.value(key)))
        const signingKey = yield* keyOf(key)
        const known = [signingKey, ...yield* Effect.forEach(earlier, keyOf)]
        return CursorSeal.of({
          seal: Effect.fnUntraced(function*(payload) {
            const body = Base64Url.encode(payload)
            const tag = yield* Effect.orDie(mac.sign(signingKey, ascii(body)))
            return `${body}.${Base64Url.encode(tag)}`
          }),
          open: Effect.fnUntraced(function*(cursor) {
            const [body, tag, ...rest] = cursor.split(".")
            if (body === undefined || tag === undefined || rest.length > 0 || !/^[\w-]+$/.test(body)) {
              return Option.none()
            }
            const bytes = Base64Url.decode(tag)
            if (Result.isFailure(bytes)) return Option.none()
            for (const each of known) {
              if (yield* Effect.orDie(mac.verify(each, bytes.success, ascii(body)))) {
                return Result.getSuccess(Base64Url.decodeString(body))
              }
            }
            return Option.none()
          })
        })
      })
    )
}

/** Reads a JSON payload of that shape; none for anything else. */
export const parsePayload = <T, E>(schema: Schema.Codec<T, E>) =>
  Schema.decodeUnknownOption(Schema.fromJsonString(schema))

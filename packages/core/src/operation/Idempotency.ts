/**
 * Doing a thing once under a name that the caller gave it (`Idempotency-Key`), however often it is asked for.
 *
 * A key belongs to a credential and lives for 24 hours from its first success. Only what succeeded is kept: a refusal
 * changed nothing, so it is decided anew, and a fault of ours must not be repeated for a day. The answer is kept in the
 * same transaction as what it tells of, so that neither exists without the other. What was revealed of people is forgotten
 * as soon as anyone asks not to be listed: a reveal is free and the same when it is repeated. A lead's bundle is told again
 * without them (`lead/RepeatedBundle`).
 *
 * What is kept of a credential is bounded by `IdempotencyRoom`, twice: once for answers to what is free when it is done
 * again, of which the oldest are forgotten, and once for answers to what would charge again (`mustReplay`), which are
 * kept for their whole life, so that nothing more is done under a key when there is no room.
 */
import { Context, type Effect, Predicate, Schema } from "effect"
import type { TemporarilyUnavailable } from "./TemporarilyUnavailable.ts"

/** How long an answer is kept to be given again. */
export const lifeMillis = 24 * 3_600_000

/** The key was used for another request before. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IDEMPOTENCY_KEY_REUSED", {}) {
  override get message() {
    return "This Idempotency-Key was used for another request within 24 hours; use a new key for a new request."
  }
}

/** A request with the key is under way. */
export class IdempotencyKeyInProgress
  extends Schema.TaggedError<IdempotencyKeyInProgress>()("IDEMPOTENCY_KEY_IN_PROGRESS", {
    retryAfterSeconds: Schema.Int
  })
{
  override get message() {
    return "A request with this Idempotency-Key is under way; retry in a moment to read its answer."
  }
}

/** The answers that must not be forgotten leave no room for another one. Nothing was done. */
export class IdempotencyRoomExhausted
  extends Schema.TaggedError<IdempotencyRoomExhausted>()("IDEMPOTENCY_ROOM_EXHAUSTED", {
    retryAfterSeconds: Schema.Int
  })
{
  override get message() {
    return "The answers that are kept for this key's requests fill their room, and nothing was done; " +
      "retry later, or send the request without an Idempotency-Key."
  }
}

export type IdempotencyRefusal = IdempotencyKeyReused | IdempotencyKeyInProgress | IdempotencyRoomExhausted

/** The bytes that the answers of one credential may take, and those that the smallest one takes. */
export const IdempotencyRoom = Context.Reference<{ readonly most: number; readonly least: number }>(
  "@freehold/core/operation/Idempotency/IdempotencyRoom",
  { defaultValue: () => ({ most: 67_108_864, least: 8192 }) }
)

/** 1 to 255 printable characters of ASCII; with or without the quotes of a structured header. */
export const parseKey = (header: string): string | null => {
  const key = /^"(.*)"$/.exec(header.trim())?.[1] ?? header.trim()
  return /^[\x20-\x7e]{1,255}$/.test(key) && key.trim() !== "" ? key : null
}

const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : Predicate.isObject(value)
    ? Object.fromEntries(
      Object.entries(value).sort(([left], [right]) => left < right ? -1 : 1).map(([key, item]) => [key, sorted(item)])
    )
    : value

/** The same text for the same request, in whatever order its keys stand. */
export const canonical = (operation: string, input: unknown): string => `${operation} ${JSON.stringify(sorted(input))}`

/** Port: answers that are given again to a request that is repeated under its key. */
export class Idempotency extends Context.Service<Idempotency, {
  /**
   * Runs the effect, unless it succeeded before under the key of the credential; then answers what it answered. What it
   * writes and its answer are kept together or not at all. A second call while the first runs is refused at once, and
   * nothing of that stays behind when the first ends, however it ends.
   */
  once<E, R>(
    request: {
      /** The organization of the credential. */
      readonly orgId: string
      readonly credentialId: string
      readonly key: string
      /** Its name. */
      readonly operation: string
      /** A digest of its `canonical` text. */
      readonly fingerprint: string
      /** Doing it again would charge again: its answer is not forgotten before its time. */
      readonly mustReplay: boolean
      /** Milliseconds. */
      readonly now: number
    },
    effect: Effect.Effect<string, E, R>
  ): Effect.Effect<
    { readonly answer: string; readonly replayed: boolean },
    E | IdempotencyRefusal | TemporarilyUnavailable,
    R
  >
}>()("@freehold/core/operation/Idempotency") {}

/** Encrypts signing secrets at rest with the operator's key. */
import { Context, type Effect, type Redacted } from "effect"

/** Port: seals secrets for storage with the operator's key, and opens them. */
export class Sealer extends Context.Service<Sealer, {
  /** AES-256-GCM with a fresh nonce; `context` is bound to the result, so that a sealed value cannot change places. */
  seal(secret: Redacted.Redacted, context: string): Effect.Effect<Uint8Array>
  /** Whether the value was sealed with the present key and this context, and not changed. */
  isPresent(sealed: Uint8Array, context: string): Effect.Effect<boolean>
  /** Dies when the value was sealed with no key that is known, or another context, or was changed. */
  open(sealed: Uint8Array, context: string): Effect.Effect<Redacted.Redacted>
}>()("@freehold/core/webhook/Sealer") {}

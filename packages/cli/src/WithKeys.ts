/** The operator's keys for what seals with them. */
import { Effect, Layer, type Redacted } from "effect"
import { earlierKeys, EncryptionKey } from "./EncryptionKey.ts"

type Key = Redacted.Redacted<Uint8Array>

/** What needs the present key and those before it, each made for a purpose by `of`. */
export const withKeys = <A, E, R>(
  layer: (key: Key, earlier: ReadonlyArray<Key>) => Layer.Layer<A, E, R>,
  of: (key: Key) => Key = (key) => key
) =>
  Layer.unwrap(Effect.gen(function*() {
    return layer(of(yield* EncryptionKey), (yield* earlierKeys).map(of))
  }))

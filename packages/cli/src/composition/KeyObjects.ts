/**
 * The keys of `node:crypto` behind keys of `effect/crypto`: to prepare one of bytes takes several times as long as to use it.
 */
import { Effect } from "effect"
import { createSecretKey, type KeyObject } from "node:crypto"

/** Each is made once, and gone with the key that it is made of. */
export const make = <Key extends object, E>(bytesOf: (key: Key) => Effect.Effect<Uint8Array, E>) => {
  const made = new WeakMap<Key, KeyObject>()
  return (key: Key): Effect.Effect<KeyObject, E> =>
    Effect.suspend(() => {
      const known = made.get(key)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.map(bytesOf(key), (bytes) => {
        const object = createSecretKey(bytes)
        made.set(key, object)
        return object
      })
    })
}

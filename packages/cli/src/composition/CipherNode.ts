/**
 * `Cipher` whose AES-CTR is that of `node:crypto`: WebCrypto sends every block to a thread, and a page's cursor is sealed with
 * each search. What comes out is the same. Everything else is the platform's.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer } from "effect"
import { Cipher } from "effect/crypto"
import { createCipheriv, type KeyObject } from "node:crypto"
import * as KeyObjects from "./KeyObjects.ts"

const blockLength = 16

/** The whole block counts, as in WebCrypto. Both directions are one: the key stream is added. */
const counted = ({ keyLength }: Cipher.Algorithm, key: KeyObject, iv: Uint8Array, data: Uint8Array): Uint8Array =>
  new Uint8Array(createCipheriv(`aes-${8 * keyLength}-ctr`, key, iv).update(data))

export const layer: Layer.Layer<Cipher.Cipher> = Layer.effect(
  Cipher.Cipher,
  Effect.map(Cipher.Cipher, ({ decrypt, encrypt, generateKey }) => {
    const keyObject = KeyObjects.make(Cipher.toBytes)
    const orElse = (platform: typeof encrypt): typeof encrypt => (key, data, options) =>
      key.algorithm.mode === "AES-CTR" && options.iv.length === blockLength
        ? Effect.map(keyObject(key), (object) => counted(key.algorithm, object, options.iv, data))
        : platform(key, data, options)
    return Cipher.Cipher.of({ generateKey, encrypt: orElse(encrypt), decrypt: orElse(decrypt) })
  })
).pipe(Layer.provide(NodeCrypto.layerCipher))

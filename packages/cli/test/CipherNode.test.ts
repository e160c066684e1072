/** Both ciphers make the same of the same, and open what the other one sealed. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Cipher } from "effect/crypto"
import * as fc from "fast-check"
import * as CipherNode from "../src/composition/CipherNode.ts"

const cipherOf = (layer: Layer.Layer<Cipher.Cipher>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, Cipher.Cipher))

const both = Effect.all([cipherOf(CipherNode.layer), cipherOf(NodeCrypto.layerCipher)])

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

/** Ends of counters too, where a count goes over from one byte to the next. */
const ivs = fc.oneof(bytes(16), fc.constant(new Uint8Array(16).fill(255)))

describe("CipherNode", () => {
  for (const algorithm of [Cipher.aes128Ctr, Cipher.aes256Ctr, Cipher.aes128Cbc, Cipher.aes256Cbc]) {
    it(`${algorithm.name} is the platform's`, () =>
      fc.assert(
        fc.asyncProperty(bytes(algorithm.keyLength), ivs, fc.uint8Array({ maxLength: 200 }), (secret, iv, plain) =>
          Effect.runPromise(Effect.scoped(Effect.gen(function*() {
            const [own, platform] = yield* both
            const key = yield* Cipher.key(algorithm, secret)
            const sealed = yield* own.encrypt(key, plain, { iv })
            assert.deepStrictEqual(sealed, yield* platform.encrypt(key, plain, { iv }))
            assert.deepStrictEqual(yield* own.decrypt(key, sealed, { iv }), plain)
            assert.deepStrictEqual(yield* platform.decrypt(key, sealed, { iv }), plain)
          })))),
        { numRuns: 50, seed: 20_261_123 }
      ))
  }

  it.effect("refuses a counter that is no block, as the platform does", () =>
    Effect.gen(function*() {
      const [own, platform] = yield* both
      const key = yield* Cipher.key(Cipher.aes256Ctr, new Uint8Array(32))
      const short = { iv: new Uint8Array(12) }
      const failures = yield* Effect.forEach(
        [own, platform],
        (cipher) => Effect.flip(cipher.encrypt(key, new Uint8Array(1), short))
      )
      assert.deepStrictEqual(failures.map(({ reason }) => reason._tag), ["InvalidArgument", "InvalidArgument"])
    }))
})

/** Both make the same tags, and each knows those of the other one. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Mac } from "effect/crypto"
import * as fc from "fast-check"
import * as MacNode from "../src/composition/MacNode.ts"

const macOf = (layer: Layer.Layer<Mac.Mac>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, Mac.Mac))

const both = Effect.all([macOf(MacNode.layer), macOf(NodeCrypto.layerMac)])

const bytes = fc.uint8Array({ maxLength: 200 })

describe("MacNode", () => {
  for (const algorithm of [Mac.hmacSha256, Mac.hmacSha512]) {
    it(`${algorithm.hash.name} is the platform's`, () =>
      fc.assert(
        fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), bytes, bytes, (secret, data, other) =>
          Effect.runPromise(Effect.scoped(Effect.gen(function*() {
            const [own, platform] = yield* both
            const key = yield* Mac.key(algorithm, secret)
            const tag = yield* own.sign(key, data)
            assert.deepStrictEqual(tag, yield* platform.sign(key, data))
            // The second time with the key that was kept.
            assert.deepStrictEqual(yield* own.sign(key, other), yield* platform.sign(key, other))
            assert.isTrue(yield* own.verify(key, tag, data))
            for (
              const wrong of [
                tag.subarray(1),
                tag.map((byte) =>
                  byte ^ 1
                ),
                new Uint8Array()
              ]
            ) {
              assert.deepStrictEqual(
                [yield* own.verify(key, wrong, data), yield* platform.verify(key, wrong, data)],
                [false, false]
              )
            }
          })))),
        { numRuns: 50, seed: 20_261_123 }
      ))
  }
})

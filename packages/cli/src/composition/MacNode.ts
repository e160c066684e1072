/**
 * `Mac` by `node:crypto` like the platform's, but for keys that are prepared once: a tag is made of each search's cursor.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer } from "effect"
import { Mac } from "effect/crypto"
import { createHmac } from "node:crypto"
import * as KeyObjects from "./KeyObjects.ts"

/** As node:crypto spells it. */
const nameOf = ({ hash }: Mac.Algorithm): string => hash.name.replace("-", "").toLowerCase()

export const layer: Layer.Layer<Mac.Mac> = Layer.effect(
  Mac.Mac,
  Effect.map(Mac.Mac, ({ generateKey }) => {
    const keyObject = KeyObjects.make(Mac.toBytes)
    const sign: Mac.Mac["Service"]["sign"] = (key, data) =>
      Effect.map(
        keyObject(key),
        (object) => new Uint8Array(createHmac(nameOf(key.algorithm), object).update(data).digest())
      )
    return Mac.Mac.of({
      generateKey,
      sign,
      verify: (key, tag, data) => Effect.map(sign(key, data), (expected) => Mac.timingSafeEqual(expected, tag))
    })
  })
).pipe(Layer.provide(NodeCrypto.layerMac))

/**
 * Unlocks without HTTP: admission and the unlock of core over the PostgreSQL adapters, in a process of their own, so that
 * the share of HTTP shows. Reads one order a line from standard input, runs it and writes the seconds it took.
 *
 * Environment: DATABASE_URL.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as KeyRingPg from "@freehold/adapters-pg/access/KeyRingPg"
import * as LedgerPg from "@freehold/adapters-pg/credit/LedgerPg"
import * as Database from "@freehold/adapters-pg/database/Database"
import * as PropertiesPg from "@freehold/adapters-pg/property/PropertiesPg"
import { Admission } from "@freehold/core/access/Admission"
import { Caller } from "@freehold/core/access/Caller"
import * as PropertyUnlocker from "@freehold/core/property/PropertyUnlocker"
import { AddressLimiter } from "@freehold/core/rate/AddressLimiter"
import { Console, Effect, Layer, Redacted, Schema, Stream } from "effect"
import { createInterface } from "node:readline"

/** The unlocks of one order; `clients` of them at a time. */
export const Order = Schema.Struct({
  clients: Schema.Int,
  unlocks: Schema.Array(Schema.Struct({ secret: Schema.String, propertyId: Schema.String }))
})
export type Order = typeof Order.Type

/** What one request does, without its HTTP. The statements of a benchmark are captured from it. */
export const unlocker = Effect.gen(function*() {
  const admission = yield* Admission
  const { unlock } = yield* PropertyUnlocker.make
  let requests = 0
  return Effect.fnUntraced(function*({ propertyId, secret }: Order["unlocks"][number]) {
    requests++
    const { caller } = yield* admission.admit({
      address: `10.0.${(requests >> 8) & 15}.${requests & 255}`,
      authorization: `Bearer ${secret}`,
      requestId: `benchmark-${requests}`
    })
    return yield* Effect.provideService(unlock({ id: propertyId }), Caller, caller)
  })
})

export const layer = (url: Redacted.Redacted) =>
  Admission.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(KeyRingPg.layer, LedgerPg.layer, PropertiesPg.layer)),
    Layer.provide(AddressLimiter.layer),
    Layer.provide(NodeCrypto.layerDigest),
    Layer.provideMerge(Database.layer({ url }))
  )

const serve = Effect.gen(function*() {
  const run = yield* unlocker
  const lines = Stream.fromAsyncIterable(createInterface({ input: process.stdin }), (cause) => cause)
  yield* Stream.runForEach(lines, (line) =>
    Effect.gen(function*() {
      const { clients, unlocks } = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Order))(line)
      const begun = performance.now()
      const answers = yield* Effect.forEach(unlocks, run, { concurrency: clients })
      const seconds = (performance.now() - begun) / 1000
      const charged = answers.reduce((sum, { creditsCharged }) => sum + creditsCharged, 0)
      yield* Console.log(JSON.stringify({ seconds, charged }))
    }))
})

if (import.meta.main) {
  const url = Redacted.make(process.env["DATABASE_URL"] ?? "")
  await Effect.runPromise(serve.pipe(Effect.provide(layer(url))))
}

/** Publishers that do their worst: nobody else is kept waiting by them. */
import { assert, describe, it } from "@effect/vitest"
import * as PortalReader from "@freehold/cli/source/PortalReader"
import { type Reading, SourceReader } from "@freehold/core/source/SourceReader"
import { type GetAnswer, GuardedGet } from "@freehold/webhook-worker/GuardedGet"
import { Duration, Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"

const read = (document: Pick<Reading["document"], "kind" | "address">, body: GetAnswer["body"]) =>
  Effect.gen(function*() {
    const reader = yield* SourceReader
    const told = { name: "sample", title: "", publisher: "", licence: "", attribution: "" }
    const map = { key: "{ID}", fields: {} }
    return yield* Stream.runCollect(
      reader.read({ document: { ...told, map, ...document }, token: null, since: null, position: null })
    ).pipe(Effect.flip)
  }).pipe(
    Effect.provide(
      PortalReader.layer({ deadline: Duration.minutes(2), pause: Duration.zero }).pipe(
        Layer.provide(Layer.succeed(
          GuardedGet,
          GuardedGet.of({ get: ({ url }) => Effect.succeed({ url, status: 200, headers: {}, body }) })
        ))
      )
    )
  )

describe("a source that does its worst", () => {
  it.live("has no more values in an answer than are read in a moment", () =>
    Effect.gen(function*() {
      const piece = new TextEncoder().encode("[],".repeat(100_000))
      const body = Stream.forever(Stream.succeed(piece))
      const fault = yield* read({ kind: "soda", address: "https://data.example/resource/aaaa-bbbb" }, body)
      assert.deepInclude(fault, { reason: "answered more than 4000000 values at once", lasting: true })
    }))

  it.effect("does not send a file for ever", () =>
    Effect.gen(function*() {
      const body = Stream.fromEffectRepeat(Effect.as(TestClock.adjust("1 minute"), new Uint8Array(100)))
      const fault = yield* read({ kind: "file", address: "https://data.example/lots.csv" }, body)
      assert.deepInclude(fault, {
        reason: "the file comes at less than 1024 bytes a second, 5 times",
        lasting: false
      })
    }))
})

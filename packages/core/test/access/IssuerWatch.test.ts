/** Who is told of an authorization server that does not answer. All data is made up. */
import { assert, it } from "@effect/vitest"
import * as IssuerWatch from "@freehold/core/access/IssuerWatch"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as NoticesMemory from "@freehold/core/memory/notice/NoticesMemory"
import { Notices } from "@freehold/core/notice/Notices"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"

const ports = IssuerWatch.layer.pipe(
  Layer.provideMerge(NoticesMemory.layer),
  Layer.provide([MemoryState.layer, SecureRandom.layerWebCrypto])
)

it.effect("the operator is told once it has failed for a minute with no answer in between, once a day", () =>
  Effect.gen(function*() {
    const watch = yield* IssuerWatch.IssuerWatch
    const fail = watch.failed("https://login.example/realms/acme")
    const told = Notices.use((notices) =>
      Effect.map(notices.list({ orgId: null, limit: 10, offset: 0 }), (found) => found.notices.map(({ text }) => text))
    )
    yield* fail
    yield* TestClock.adjust("59 seconds")
    yield* fail
    yield* watch.answered
    yield* TestClock.adjust("1 minute")
    yield* fail
    assert.deepStrictEqual(yield* told, [])
    yield* TestClock.adjust("1 minute")
    yield* fail
    yield* fail
    const text = "People cannot sign in: login.example has not answered since 1970-01-01T00:01:59.000Z."
    assert.deepStrictEqual(yield* told, [text])
    yield* TestClock.adjust("1 day")
    yield* fail
    assert.deepStrictEqual(yield* told, [text, text])
  }).pipe(Effect.provide(ports)))

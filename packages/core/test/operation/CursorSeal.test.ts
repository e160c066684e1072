/** Cursors of an installation whose key takes the place of another. */
import { assert, it } from "@effect/vitest"
import { CursorSeal } from "@freehold/core/operation/CursorSeal"
import { Effect, Layer, Option, Redacted } from "effect"
import { Mac, SecureRandom } from "effect/crypto"

const key = (byte: number) => Redacted.make(new Uint8Array(32).fill(byte))

const under = (present: number, ...earlier: ReadonlyArray<number>) =>
  Effect.provide(CursorSeal.layer(key(present), earlier.map(key)))

it.effect("a cursor of the earlier key is opened while that is known, and sealed with the present one from then on", () =>
  Effect.gen(function*() {
    const open = (cursor: string) => CursorSeal.use((cursors) => cursors.open(cursor))
    const seal = CursorSeal.use((cursors) => cursors.seal("made up"))
    const before = yield* seal.pipe(under(1))
    assert.deepStrictEqual(yield* open(before).pipe(under(2, 1)), Option.some("made up"))
    assert.deepStrictEqual(yield* open(before).pipe(under(2)), Option.none())
    assert.deepStrictEqual(yield* open(yield* seal.pipe(under(2, 1))).pipe(under(2)), Option.some("made up"))
  }).pipe(Effect.provide(Layer.provideMerge(Mac.layerWebCrypto, SecureRandom.layerWebCrypto))))

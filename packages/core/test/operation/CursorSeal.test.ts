/** Sealed cursors: who can open them, and what they tell. */
import { assert, it } from "@effect/vitest"
import { CursorSeal } from "@freehold/core/operation/CursorSeal"
import { Effect, Layer, Option, Redacted } from "effect"
import { Cipher, Mac, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

const key = (byte: number) => Redacted.make(new Uint8Array(32).fill(byte))

const crypto = Layer.provideMerge(Layer.merge(Cipher.layerWebCrypto, Mac.layerWebCrypto), SecureRandom.layerWebCrypto)

const under = (present: number, ...earlier: ReadonlyArray<number>) =>
  Effect.provide(CursorSeal.layer(key(present), earlier.map(key)).pipe(Layer.provide(crypto)))

const open = (cursor: string, bound = "one question") => CursorSeal.use((cursors) => cursors.open(cursor, bound))
const seal = CursorSeal.use((cursors) => cursors.seal("made up, ü", "one question"))

it.effect("a cursor of the earlier key is opened while that is known, and sealed with the present one from then on", () =>
  Effect.gen(function*() {
    const before = yield* seal.pipe(under(1))
    assert.deepStrictEqual(yield* open(before).pipe(under(2, 1)), Option.some("made up, ü"))
    assert.deepStrictEqual(yield* open(before).pipe(under(2)), Option.none())
    assert.deepStrictEqual(yield* open(yield* seal.pipe(under(2, 1))).pipe(under(2)), Option.some("made up, ü"))
  }))

it.effect("a cursor is the same each time, tells nothing of what is in it, and is of what it is bound to alone", () =>
  Effect.gen(function*() {
    const cursor = yield* seal
    assert.strictEqual(yield* seal, cursor)
    assert.match(cursor, /^[\w-]+$/)
    assert.notInclude(cursor, Base64Url.encode("made up").slice(0, 6))
    assert.deepStrictEqual(yield* open(cursor, "another question"), Option.none())
    const elsewhere = yield* CursorSeal.use((cursors) => cursors.seal("made up, ü", "another question"))
    assert.notStrictEqual(elsewhere, cursor)
  }).pipe(under(1)))

it.effect("a cursor of which any letter is another one, or is missing, is none", () =>
  Effect.gen(function*() {
    const cursor = yield* seal
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === "A" ? "Q" : "A"
      const changed = `${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`
      assert.deepStrictEqual(yield* open(changed), Option.none(), changed)
    }
    for (
      const cut of [
        cursor.slice(0, -4),
        cursor.slice(4),
        cursor.slice(0, 20),
        `${cursor}AAAA`,
        "A".repeat(1_000_000),
        "",
        "%",
        "a.b"
      ]
    ) {
      assert.deepStrictEqual(yield* open(cut), Option.none(), cut)
    }
  }).pipe(under(1)))

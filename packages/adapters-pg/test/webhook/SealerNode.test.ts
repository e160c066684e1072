/** `SealerNode`: what it seals opens with the same key and context only. */
import { assert, describe, it } from "@effect/vitest"
import { Sealer } from "@freehold/core/webhook/Sealer"
import { Cause, Effect, Exit, Redacted } from "effect"
import * as SealerNode from "../../src/webhook/SealerNode.ts"

const keyOf = (byte: number, length = 32) => Redacted.make(new Uint8Array(length).fill(byte))
const secret = Redacted.make("whsec_made-up-é")

const sealed = Effect.provide(Sealer.use((sealer) => sealer.seal(secret, "endpoint a")), SealerNode.layer(keyOf(1)))

const open = (value: Uint8Array, context: string, key = keyOf(1)) =>
  Effect.exit(Sealer.use((sealer) => sealer.open(value, context)).pipe(Effect.provide(SealerNode.layer(key))))

const assertBroken = (exit: Exit.Exit<unknown, unknown>) => {
  if (Exit.isSuccess(exit)) return assert.fail("must not open")
  const defect = Cause.squash(exit.cause)
  assert.instanceOf(defect, SealerNode.SealBroken)
  assert.notInclude(String(defect), "whsec")
}

describe("SealerNode", () => {
  it.effect("opens what it sealed", () =>
    Effect.gen(function*() {
      const opened = yield* open(yield* sealed, "endpoint a")
      assert.strictEqual(Redacted.value(yield* opened), Redacted.value(secret))
    }))

  it.effect("seals the same secret differently each time, and shows nothing of it", () =>
    Effect.gen(function*() {
      const [one, two] = [yield* sealed, yield* sealed]
      assert.notDeepEqual(one, two)
      assert.notInclude(Buffer.from(one).toString("latin1"), "whsec")
    }))

  it.effect("does not open under another context or key", () =>
    Effect.gen(function*() {
      const value = yield* sealed
      assertBroken(yield* open(value, "endpoint b"))
      assertBroken(yield* open(value, "endpoint a", keyOf(2)))
    }))

  it.effect("does not open what was changed or cut, wherever", () =>
    Effect.gen(function*() {
      const value = yield* sealed
      for (let index = 0; index < value.length; index++) {
        const changed = Uint8Array.from(value, (byte, at) => at === index ? byte ^ 1 : byte)
        assertBroken(yield* open(changed, "endpoint a"))
        assertBroken(yield* open(value.subarray(0, index), "endpoint a"))
      }
    }))

  it.effect("refuses a key of another length", () =>
    Effect.gen(function*() {
      const refused = yield* Effect.flip(Effect.provide(Sealer, SealerNode.layer(keyOf(1, 16))))
      assert.strictEqual(refused.message, "the encryption key must be 32 bytes long, not 16")
    }))
})

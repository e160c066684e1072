/** A secret is made once, whoever asks, and is its owner's alone. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Fs from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"
import * as SecretFile from "../src/SecretFile.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(join(inject("postgres").folder, "secret-"))),
  (path) => Effect.sync(() => Fs.rmSync(path, { recursive: true, force: true }))
)

describe("SecretFile", () => {
  it.effect("gives everyone who asks at once the same secret", () =>
    Effect.gen(function*() {
      const directory = yield* folder
      const found = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => `secret ${index}`),
        (secret) => Effect.map(SecretFile.keep(directory, "s", Effect.succeed(secret)), (kept) => kept.secret),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(found).size, 1)
      assert.deepStrictEqual(Fs.readdirSync(directory), ["s"])
      assert.strictEqual(Fs.statSync(join(directory, "s")).mode & 0o777, 0o600)
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))

  it.effect("says which file cannot be used", () =>
    Effect.gen(function*() {
      const directory = yield* folder
      Fs.mkdirSync(join(directory, "s"), { recursive: true })
      const fault = yield* Effect.flip(SecretFile.keep(directory, "s", Effect.succeed("x")))
      assert.include(fault.message, join(directory, "s"))
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto)))
})

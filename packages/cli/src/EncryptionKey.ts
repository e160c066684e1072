/**
 * The operator's key, and what is derived from it.
 *
 * `FREEHOLD_ENCRYPTION_KEY`, or, on the embedded database, a key that is made once and kept in the data directory.
 */
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { hkdfSync } from "node:crypto"
import * as Path from "node:path"
import * as DataDirectory from "./DataDirectory.ts"
import * as SecretFile from "./SecretFile.ts"
import { SettingFault } from "./setting/Setting.ts"
import { encryptionKeyForm } from "./setting/SettingForm.ts"
import { Settings } from "./Settings.ts"

const keyLength = 32

/** Where it is kept in the data directory when none is set. */
export const fileName = "encryption-key"

const generate = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  return Buffer.from(yield* random.randomBytes(keyLength)).toString("base64")
})

const load = Effect.gen(function*() {
  const { databaseUrl, encryptionKey } = yield* Settings
  if (Option.isSome(encryptionKey)) return { key: encryptionKey.value, isNew: false }
  if (Option.isSome(databaseUrl)) {
    return yield* new SettingFault({
      setting: "FREEHOLD_ENCRYPTION_KEY",
      expected: `set when DATABASE_URL is, to ${encryptionKeyForm}`,
      found: null
    })
  }
  const directory = yield* DataDirectory.readyForDatabase
  const { isNew, secret } = yield* SecretFile.keep(directory, fileName, generate)
  const kept = Buffer.from(secret, "base64")
  if (kept.length !== keyLength) {
    return yield* new DataDirectory.DataDirectoryFault({
      file: Path.join(directory, fileName),
      detail: `expected ${encryptionKeyForm}`
    })
  }
  return { key: Redacted.make(new Uint8Array(kept)), isNew }
})

/** Whether the key was made a moment ago, because there was none where it is kept. */
export const IsNew = Context.Reference<boolean>("@freehold/cli/EncryptionKey/IsNew", { defaultValue: () => false })

/** Where the key comes from, in words for the operator. */
export const placeOf = Effect.map(
  Settings,
  ({ dataDirectory, encryptionKey }) =>
    Option.isSome(encryptionKey) ? "FREEHOLD_ENCRYPTION_KEY" : Path.resolve(dataDirectory, fileName)
)

/** The key itself: it encrypts webhook secrets at rest. */
export class EncryptionKey extends Context.Service<EncryptionKey, Redacted.Redacted<Uint8Array>>()(
  "@freehold/cli/EncryptionKey"
) {
  static readonly layer = Layer.effectContext(
    Effect.map(load, ({ isNew, key }) => Context.make(EncryptionKey, key).pipe(Context.add(IsNew, isNew)))
  )
}

/** The keys whose place the present one takes. */
export const earlierKeys = Effect.map(Settings, ({ encryptionKeyPrevious }) => Option.toArray(encryptionKeyPrevious))

/** A key of its own for one purpose (HKDF-SHA-256), so that no key serves two. */
export const derive = (key: Redacted.Redacted<Uint8Array>, purpose: string): Redacted.Redacted<Uint8Array> =>
  Redacted.make(
    new Uint8Array(hkdfSync("sha256", Redacted.value(key), new Uint8Array(), `freehold ${purpose}`, keyLength))
  )

/**
 * A secret that is made once and kept in the data directory, readable by its owner only.
 *
 * Any number of processes may ask for it at once: all get the one that was there first, and never half of it.
 */
import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { DataDirectoryFault } from "./DataDirectory.ts"
import { whyNot } from "./WhyNot.ts"

const SystemFailure = Schema.Struct({ code: Schema.String })
const isSystemFailure = Schema.is(SystemFailure)

const unless = (code: string) => (cause: unknown): Promise<undefined> =>
  isSystemFailure(cause) && cause.code === code ? Promise.resolve(undefined) : Promise.reject(cause)

const onDisk = <A>(file: string, operation: () => Promise<A>): Effect.Effect<A, DataDirectoryFault> =>
  Effect.tryPromise({ try: operation, catch: (cause) => new DataDirectoryFault({ file, detail: whyNot(cause) }) })

export interface Kept {
  readonly secret: string
  /** The file was not there before. */
  readonly isNew: boolean
}

/** What the file holds; what `make` made when there was none. The directory is there. */
export const keep = Effect.fn("SecretFile.keep")(function*<E, R>(
  directory: string,
  name: string,
  make: Effect.Effect<string, E, R>
): Effect.fn.Return<Kept, DataDirectoryFault | E, R | SecureRandom.SecureRandom> {
  const file = Path.resolve(directory, name)
  const read = onDisk(file, () => Fs.readFile(file, "utf8").catch(unless("ENOENT")))
  const found = yield* read
  if (found !== undefined) return { secret: found.trim(), isNew: false }
  const random = yield* SecureRandom.SecureRandom
  const draft = `${file}.${yield* random.uuidV4()}`
  const secret = yield* make
  yield* onDisk(file, () => Fs.writeFile(draft, `${secret}\n`, { mode: 0o600, flag: "wx" }))
  // A link appears whole or not at all, and fails where another process was first.
  yield* onDisk(file, () => Fs.link(draft, file).catch(unless("EEXIST"))).pipe(
    Effect.ensuring(Effect.ignore(onDisk(draft, () => Fs.unlink(draft))))
  )
  return { secret: (yield* read)?.trim() ?? secret, isNew: true }
})

/** Takes a file away that was made a moment ago. */
export const discard = (file: string): Effect.Effect<void, DataDirectoryFault> =>
  Effect.asVoid(onDisk(file, () => Fs.unlink(file).catch(unless("ENOENT"))))

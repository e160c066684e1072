/** The data directory: what the operator chose for the embedded database and for the keys that are made for it. */
import * as DataDirectory from "@freehold/adapters-pg/embedded/DataDirectory"
import * as EmbeddedPostgres from "@freehold/adapters-pg/embedded/EmbeddedPostgres"
import { Effect, Schema } from "effect"
import * as Path from "node:path"
import { Settings } from "./Settings.ts"
import { whyNot } from "./WhyNot.ts"

/** It, or a file in it, cannot be read or written. */
export class DataDirectoryFault extends Schema.TaggedError<DataDirectoryFault>()("DataDirectoryFault", {
  file: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return `FREEHOLD_DATA_DIR: ${this.file} cannot be used: ${this.detail}`
  }
}

/** Its path, once it is there and can be used. */
export const ready = Effect.gen(function*() {
  const { dataDirectory } = yield* Settings
  const directory = Path.resolve(dataDirectory)
  yield* Effect.tryPromise({
    try: () => DataDirectory.make(directory),
    catch: (cause) => new DataDirectoryFault({ file: directory, detail: whyNot(cause) })
  })
  return directory
})

/** The same for the embedded database. Whether that is installed is asked first: there is often no folder to write in either. */
export const readyForDatabase = Effect.gen(function*() {
  const { dataDirectory } = yield* Settings
  yield* EmbeddedPostgres.present(Path.resolve(dataDirectory))
  return yield* ready
})

/** A JSON document that a command is given as a file, or on standard input as `-`. */
import { Effect, FileSystem, Stdio, Stream } from "effect"
import { CommandRefused } from "../CommandRefused.ts"
import { whyNot } from "../WhyNot.ts"

const standardInput = "-"

const read = Effect.fnUntraced(
  function*(file: string) {
    if (file === standardInput) {
      const { stdin } = yield* Stdio.Stdio
      return Buffer.concat(yield* Stream.runCollect(stdin))
    }
    const fileSystem = yield* FileSystem.FileSystem
    return yield* fileSystem.readFile(file)
  },
  (effect, file) =>
    Effect.mapError(effect, (error) => new CommandRefused({ reason: `${file} cannot be read: ${whyNot(error)}` }))
)

/** Nothing is put in the place of what is no UTF-8: it would be kept as if it had been written. */
const utf8 = new TextDecoder("utf-8", { fatal: true })

const textOf = (file: string, bytes: Uint8Array) =>
  Effect.try({
    try: () => utf8.decode(bytes),
    catch: () => new CommandRefused({ reason: `${file} is not UTF-8` })
  })

const parse = (file: string, text: string) =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) =>
      new CommandRefused({ reason: `${file} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}` })
  })

/** The document; refused when the file cannot be read, or is not JSON in UTF-8. */
export const readJson = Effect.fnUntraced(function*(file: string) {
  return yield* parse(file, yield* textOf(file, yield* read(file)))
})

/** A JSON document that a command is given as a file, or on standard input as `-`. */
import { Effect, FileSystem, Stdio, Stream } from "effect"
import { CommandRefused } from "../CommandRefused.ts"
import { whyNot } from "../WhyNot.ts"

const standardInput = "-"

const read = Effect.fnUntraced(
  function*(file: string) {
    if (file === standardInput) {
      const { stdin } = yield* Stdio.Stdio
      return yield* Stream.mkString(Stream.decodeText(stdin))
    }
    const fileSystem = yield* FileSystem.FileSystem
    return yield* fileSystem.readFileString(file)
  },
  (effect, file) =>
    Effect.mapError(effect, (error) => new CommandRefused({ reason: `${file} cannot be read: ${whyNot(error)}` }))
)

const parse = (file: string, text: string) =>
  Effect.try({
    try: (): unknown => JSON.parse(text.replace(/^\uFEFF/, "")),
    catch: (cause) =>
      new CommandRefused({ reason: `${file} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}` })
  })

/** The document; refused when the file cannot be read or is not JSON. */
export const readJson = Effect.fnUntraced(function*(file: string) {
  return yield* parse(file, yield* read(file))
})

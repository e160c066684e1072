/** A program that uses the embedded server in the given folder: prints the address, leaves when its input ends. */
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Redacted } from "effect"
import * as EmbeddedPostgres from "../../src/embedded/EmbeddedPostgres.ts"

const inputEnd = Effect.callback<void>((resume) => {
  process.stdin.once("close", () => resume(Effect.void)).resume()
})

Effect.gen(function*() {
  const { url } = yield* EmbeddedPostgres.start({ dataDirectory: process.argv[2] ?? "" })
  process.stdout.write(`${Redacted.value(url)}\n`)
  return yield* Effect.never
}).pipe(Effect.scoped, Effect.raceFirst(inputEnd), NodeRuntime.runMain)

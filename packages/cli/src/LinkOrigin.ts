/**
 * Where a link leads that a command prints: to the server that people dial. A command sees the settings of that server, and not
 * the flags that it was started with.
 */
import { Console, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { wholeNumberFlag } from "./command/NumberFlag.ts"
import { CommandRefused } from "./CommandRefused.ts"
import { ownOrigin, publicOrigin } from "./Origin.ts"
import type { Settings } from "./Settings.ts"

/** The flag of every command that prints a link. */
export const port = wholeNumberFlag("port", { least: 1, most: 65_535 }).pipe(
  Flag.withDescription("The port that the server was started with, by serve --port"),
  Flag.optional
)

type Given = Pick<Settings["Service"], "host" | "port" | "publicUrl">

/** What people dial. Fails where the settings say so already, and a port is given as well. */
export const dialled = (settings: Given, port: Option.Option<number>): Effect.Effect<string, CommandRefused> => {
  if (Option.isNone(port)) return Effect.succeed(publicOrigin(settings))
  if (Option.isNone(settings.publicUrl)) return Effect.succeed(ownOrigin({ ...settings, port: port.value }))
  return Effect.fail(
    new CommandRefused({
      reason: "--port: FREEHOLD_PUBLIC_URL is set, which says what people dial; leave one of them out"
    })
  )
}

/** How long a server may take to answer. */
const patience = "2 seconds"

const answers = (origin: string): Effect.Effect<boolean> =>
  Effect.tryPromise((signal) => fetch(`${origin}/healthz`, { signal, redirect: "manual" })).pipe(
    Effect.timeout(patience),
    Effect.match({ onFailure: () => false, onSuccess: () => true })
  )

/** Says so where nothing answers at an address of this machine. What people dial elsewhere may be out of reach from here. */
export const warnIfSilent = Effect.fnUntraced(function*({ publicUrl }: Given, origin: string) {
  if (Option.isSome(publicUrl) || (yield* answers(origin))) return
  yield* Console.error(
    `nothing answers at ${origin} now; start the server, or give the port of serve --port as --port here`
  )
})

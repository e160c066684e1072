/** `freehold settings`: what is in force, and where it came from. */
import { Console, Effect, Result } from "effect"
import { Command } from "effect/cli"
import { json, print, table } from "../Output.ts"
import { settings } from "../setting/SettingList.ts"
import { unknown } from "../setting/UnknownSettings.ts"
import { Settings } from "../Settings.ts"

export const settingsCommand = Command.make(
  "settings",
  { json },
  Effect.fn(function*(input) {
    const items = yield* Effect.forEach(
      Object.values(settings),
      ({ inForce, name, secret }) =>
        Effect.map(Effect.result(inForce), (found) =>
          Result.match(found, {
            onSuccess: (shown) => ({ ...shown, secret, fault: null }),
            onFailure: ({ message }) => ({
              name,
              value: null,
              source: "environment" as const,
              unset: null,
              secret,
              fault: message
            })
          }))
    )
    const strangers = yield* unknown
    yield* print(input.json, { items, unknown: strangers }, () =>
      table(
        ["setting", "value", "from"],
        items.map(({ fault, name, source, unset, value }) => [
          name,
          fault ?? value,
          unset === null ? source : `${source}: ${unset}`
        ])
      ))
    for (const sentence of strangers) yield* Console.error(`warning: ${sentence}`)
    // Faulty ones, and those that are of no use alone, are refused as by every other command.
    yield* Effect.provide(Settings.use(() => Effect.void), Settings.layer)
  })
).pipe(
  Command.withExamples([
    { command: "freehold settings", description: "A line for each setting; exit code 2 when one does not parse" },
    { command: "freehold settings --json", description: "The same for scripts" }
  ])
)

/** `freehold migrate`: brings the schema of the database up to date. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { migrate } from "../LazyComposition.ts"
import { json, print } from "../Output.ts"

export const migrateCommand = Command.make(
  "migrate",
  { json },
  Effect.fn(function*(input) {
    const applied = yield* migrate
    yield* print(
      input.json,
      { applied: applied.map(([id, name]) => ({ id, name })) },
      ({ applied }) => applied.length === 0 ? "up to date" : applied.map(({ id, name }) => `${id} ${name}`).join("\n")
    )
  })
).pipe(
  Command.withExamples([{ command: "freehold migrate", description: "Before new workers start" }])
)

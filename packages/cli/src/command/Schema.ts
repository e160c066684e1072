/** `freehold schema`: what an operator writes, as JSON Schema. */
import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { json } from "../Output.ts"
import { schemaKinds, text } from "../Schemas.ts"

export const schemaCommand = Command.make(
  "schema",
  {
    kind: Argument.Literals("kind", schemaKinds).pipe(
      Argument.withDescription(
        `What is written: a row of ${schemaKinds.slice(0, -2).join(", ")}; a map; an apply document`
      )
    ),
    json
  },
  Effect.fn(function*({ kind }) {
    yield* Console.log(text(kind).trimEnd())
  })
).pipe(
  Command.withExamples([
    { command: "freehold schema apply > apply.schema.json", description: "For an editor that checks while you write" },
    { command: "freehold schema properties", description: "What a row of `freehold import properties` may hold" }
  ])
)

/** `freehold property`: the records themselves. */
import { PropertyMerges } from "@freehold/core/property/PropertyMerges"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { recording } from "../LazyComposition.ts"
import { accountable, accountably } from "../Operator.ts"
import { json, print, record } from "../Output.ts"
import { matchProperties } from "./PropertyMatch.ts"
import { showProperty } from "./Record.ts"

const merge = Command.make(
  "merge",
  {
    from: Flag.String("from").pipe(Flag.withMetavar("P"), Flag.withDescription("Id or key of the record that retires")),
    into: Flag.String("into").pipe(Flag.withMetavar("P"), Flag.withDescription("Id or key of the record that stays")),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Tell what would be moved, and move nothing"),
      Flag.withDefault(false)
    ),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    const { from, into, moved, outcome } = yield* input.dryRun
      ? PropertyMerges.use((merges) => merges.merge(input))
      : accountably(
        input,
        PropertyMerges.use((merges) => merges.merge(input)),
        ({ from, into }) => ({
          action: "property.merged",
          orgId: null,
          subject: `${from.key} into ${into.key}`,
          before: null,
          after: null
        })
      )
    yield* print(
      input.json,
      { outcome, dry_run: input.dryRun, from, into, moved },
      (shown) =>
        record([
          ["outcome", input.dryRun ? `${shown.outcome} (dry run)` : shown.outcome],
          ["from", shown.from.key],
          ["into", shown.into.key],
          ...Object.entries(shown.moved)
        ])
    )
  }, Effect.provide(recording))
).pipe(
  Command.withDescription("Retire a record in favour of another; everything kept about it moves, nothing is charged"),
  Command.withExamples([{
    command: "freehold property merge --from 36061-OLD --into 36061-1000477501 --dry-run",
    description: "See what would be moved"
  }])
)

export const propertyCommand = Command.make("property").pipe(
  Command.withExamples([{
    command: "freehold property show 36061-1000477501",
    description: "Everything about a property"
  }]),
  Command.withSubcommands([showProperty, merge, matchProperties])
)

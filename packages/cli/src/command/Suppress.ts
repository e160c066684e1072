/** `freehold suppress`: who asked not to be listed. */
import { ownerNameKey } from "@freehold/core/suppression/OwnerName"
import {
  nameOf,
  type Suppression,
  Suppressions,
  type SuppressionSubject
} from "@freehold/core/suppression/Suppressions"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { OneOf } from "../Help.ts"
import { administration, recording } from "../LazyComposition.ts"
import { type Accountable, accountable, accountably } from "../Operator.ts"
import { json, print, record, table } from "../Output.ts"
import { wrongUsage } from "../WrongUsage.ts"

const view = ({ at, id, key, kind, name }: Suppression) => ({ kind, id, key, name, at })

/** Exactly one of the three. */
const subjectOf = Effect.fnUntraced(function*(input: {
  readonly contact: Option.Option<string>
  readonly owner: Option.Option<string>
  readonly property: Option.Option<string>
}) {
  const given = [
    ...Option.toArray(Option.map(input.contact, (named): SuppressionSubject => ({ _tag: "Contact", named }))),
    ...Option.toArray(Option.map(input.owner, (name): SuppressionSubject => ({ _tag: "Owner", name }))),
    ...Option.toArray(Option.map(input.property, (named): SuppressionSubject => ({ _tag: "Property", named })))
  ]
  const [subject] = given
  if (subject === undefined || given.length > 1) {
    return yield* wrongUsage("Expected exactly one of --contact, --owner, --property")
  }
  if (subject._tag === "Owner" && ownerNameKey(subject.name) === "") {
    return yield* new CommandRefused({ reason: "the name of the owner has neither a letter nor a digit" })
  }
  return subject
})

const list = Command.make(
  "list",
  { json },
  Effect.fn(function*(input) {
    const items = yield* Suppressions.use((suppressions) => suppressions.list)
    yield* print(input.json, { items: items.map(view) }, (shown) =>
      table(
        ["kind", "id", "key", "name", "at"],
        shown.items.map(({ at, id, key, kind, name }) => [kind, id, key, name, at])
      ))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("List who is suppressed, oldest first"),
  Command.withExamples([{ command: "freehold suppress list", description: "Everybody who is not to be listed" }])
)

/** Suppresses it, or lifts that. */
const change = Effect.fnUntraced(function*(
  subject: SuppressionSubject,
  input: Accountable & { readonly lift: boolean; readonly json: boolean }
) {
  const suppressions = yield* Suppressions
  const changing = Effect.flatMap(
    input.lift ? suppressions.lift(subject) : suppressions.suppress(subject),
    Option.match({
      onNone: () =>
        Effect.fail(
          new CommandRefused({
            reason: input.lift ? `${nameOf(subject)} is not suppressed` : `there is no ${nameOf(subject)}`
          })
        ),
      onSome: Effect.succeed
    })
  )
  const { outcome, properties, suppression } = yield* accountably(input, changing, () => ({
    action: input.lift ? "suppression.lifted" : "suppression.made",
    orgId: null,
    subject: nameOf(subject),
    before: null,
    after: null
  }))
  yield* print(input.json, { ...view(suppression), outcome, properties }, (shown) => record(Object.entries(shown)))
}, Effect.provide(recording))

export const suppressCommand = Command.make(
  "suppress",
  {
    contact: Flag.String("contact").pipe(
      Flag.withMetavar("C"),
      Flag.withDescription("Id or key of a person"),
      Flag.optional
    ),
    owner: Flag.String("owner").pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription("Whole name of an owner; case, punctuation and extra spaces do not matter"),
      Flag.optional
    ),
    property: Flag.String("property").pipe(
      Flag.withMetavar("P"),
      Flag.withDescription("Id or key of a property whose owner is withheld, whatever the name"),
      Flag.optional
    ),
    lift: Flag.Boolean("lift").pipe(
      Flag.withDescription("List the person or owner again"),
      Flag.withDefault(false)
    ),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    yield* change(yield* subjectOf(input), input)
  })
).pipe(
  Command.withExamples([
    { command: "freehold suppress --contact c-17", description: "A person, named by the key of the import" },
    { command: "freehold suppress --owner \"Acme Holdings LLC\"", description: "An owner, wherever the name stands" },
    { command: "freehold suppress --owner \"Acme Holdings LLC\" --lift", description: "List the owner again" }
  ]),
  Command.annotate(OneOf, "--contact C | --owner NAME | --property P"),
  Command.withSubcommands([list])
)

/** `freehold contact`, `freehold firm` and `freehold event`: single records as they are stored. */
import { Suppressions } from "@freehold/core/suppression/Suppressions"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { administration } from "../LazyComposition.ts"
import { accountable, accountably } from "../Operator.ts"
import { json, print, table } from "../Output.ts"
import { matchFirms } from "./FirmMatch.ts"
import { org } from "./OrganizationFlag.ts"
import { show } from "./Show.ts"

const records = Effect.promise(() => import("@freehold/adapters-pg/diagnosis/RecordsPg"))

const named = (what: string) =>
  Argument.String(what).pipe(Argument.withDescription(`Id or key of the ${what}, as the import has it`))

/** `freehold property show`. */
export const showProperty = Command.make(
  "show",
  { named: named("property"), json },
  Effect.fn(function*(input) {
    const { property } = yield* records
    yield* show(input.json, `property ${input.named}`, property(input.named))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Show a property as it is stored, with its firms, contacts and research"),
  Command.withExamples([{ command: "freehold property show 36061-1000477501", description: "Everything about it" }])
)

const eraseContact = Command.make(
  "erase",
  {
    named: Argument.String("contact").pipe(Argument.withDescription("Id, key or email of the person")),
    confirm: Flag.String("confirm").pipe(
      Flag.withMetavar("CONTACT"),
      Flag.withDescription("The same once more, to say that it is meant"),
      Flag.optional
    ),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    if (Option.getOrNull(input.confirm) !== input.named) {
      return yield* new CommandRefused({ reason: `say that it is meant: --confirm ${input.named}` })
    }
    const erasing = Effect.filterOrFail(
      Suppressions.use((suppressions) => suppressions.erase(input.named)),
      (ids) => ids.length > 0,
      () => new CommandRefused({ reason: `there is no contact ${input.named}` })
    )
    const ids = yield* accountably(input, erasing, (ids) => ({
      action: "contact.erased",
      orgId: null,
      subject: ids.join(" "),
      before: null,
      after: null
    }))
    yield* print(input.json, { erased: ids }, (shown) => table(["erased"], shown.erased.map((id) => [id])))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription(
    "Erase a person for good: record, ties, findings, drafts and stored bodies; no import brings them back"
  ),
  Command.withExamples([{
    command: "freehold contact erase ana@example.com --confirm ana@example.com --reason \"asked by letter\"",
    description: "Everybody of that email"
  }])
)

export const contactCommand = Command.make("contact").pipe(
  Command.withExamples([{
    command: "freehold contact show person:sample-manager",
    description: "A person by the key"
  }]),
  Command.withSubcommands([
    Command.make(
      "show",
      { named: named("contact"), json },
      Effect.fn(function*(input) {
        const { contact } = yield* records
        yield* show(input.json, `contact ${input.named}`, contact(input.named))
      }, Effect.provide(administration))
    ).pipe(
      Command.withDescription("Show a person as stored, with firm and properties, and whether suppressed"),
      Command.withExamples([{ command: "freehold contact show person:sample-manager", description: "By the key" }])
    ),
    eraseContact
  ])
)

export const firmCommand = Command.make("firm").pipe(
  Command.withExamples([{ command: "freehold firm show firm:sample-holdings", description: "A firm by the key" }]),
  Command.withSubcommands([
    Command.make(
      "show",
      { named: named("firm"), json },
      Effect.fn(function*(input) {
        const { firm } = yield* records
        yield* show(input.json, `firm ${input.named}`, firm(input.named))
      }, Effect.provide(administration))
    ).pipe(
      Command.withDescription("Show a firm as it is stored, with its properties and people"),
      Command.withExamples([{ command: "freehold firm show firm:sample-holdings", description: "By the key" }])
    ),
    matchFirms
  ])
)

export const eventCommand = Command.make("event").pipe(
  Command.withExamples([{
    command: "freehold event show 0198c0de-0000-7000-8000-000000000001 --org org_acme",
    description: "What became of an event"
  }]),
  Command.withSubcommands([
    Command.make(
      "show",
      {
        id: Argument.String("id").pipe(
          Argument.withDescription("The event's id in the feed, or the `event_id` of a webhook's body")
        ),
        org,
        json
      },
      Effect.fn(function*(input) {
        const { event } = yield* records
        yield* show(input.json, `event ${input.id} of ${input.org}`, event(input.org, input.id))
      }, Effect.provide(administration))
    ).pipe(
      Command.withDescription("Show an event with its deliveries"),
      Command.withExamples([{
        command: "freehold event show 0198c0de-0000-7000-8000-000000000001 --org org_acme",
        description: "What became of an event"
      }])
    )
  ])
)

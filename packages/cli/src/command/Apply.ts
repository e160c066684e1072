/** `freehold apply`: makes the organizations, keys, members and grants that a document describes. */
import type { AppliedOrganization } from "@freehold/core/provision/Apply"
import type { ApplyDocument, OrganizationPart } from "@freehold/core/provision/ApplyDocument"
import { differenceInWords } from "@freehold/core/provision/Difference"
import { Effect, Redacted, Result } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { administration, provisioning } from "../LazyComposition.ts"
import { type Accountable, accountable, accountably, operatorNamed } from "../Operator.ts"
import { json, print } from "../Output.ts"
import { tellOfAllotments } from "./AllotmentNotes.ts"
import { readJson } from "./JsonFile.ts"
import { findOrganization } from "./OrganizationFlag.ts"

const applying = Effect.promise(() =>
  Promise.all([import("@freehold/core/provision/Apply"), import("@freehold/core/provision/ApplyDocument")])
)

const view = ({ keys, ...organization }: AppliedOrganization) => ({
  ...organization,
  keys: keys.map(({ secret, ...key }) => ({
    ...key,
    ...secret === undefined ? {} : { secret: Redacted.value(secret) }
  }))
})

type AppliedView = ReturnType<typeof view>

/** An organization with its keys, what changed, and what does not work. */
const told = ({ changes, keys, org_id, outcome, warnings }: AppliedView): string =>
  [
    `${org_id}: ${outcome}`,
    ...differenceInWords({ changes, outcome }).map((change) => `  ${change}`),
    ...keys.map(({ credential_id, name, outcome, secret }) => {
      // A key that a dry run made is none: nobody will find its id.
      const id = outcome === "created" && secret === undefined ? "" : ` (${credential_id})`
      return `  key ${name}${id}: ${outcome}${secret === undefined ? "" : `, ${secret}`}`
    }),
    ...warnings.map((warning) => `  warning: ${warning}`)
  ].join("\n")

/** The document of the file, before there is any database. */
const documentOf = Effect.fnUntraced(function*(file: string) {
  const [, { decode }] = yield* applying
  const decoded = decode(yield* readJson(file))
  if (Result.isSuccess(decoded)) return decoded.success
  const faults = decoded.failure.issues.map(({ field, message }) => `\n  ${field ?? "the document"}: ${message}`)
  return yield* new CommandRefused({ reason: `${file} was not applied:${faults.join("")}` })
})

interface Asked extends Accountable {
  readonly dryRun: boolean
  readonly file: string
  readonly json: boolean
}

const applyDocument = Effect.fnUntraced(function*(document: ApplyDocument, { dryRun, file, json, ...given }: Asked) {
  const [{ make }] = yield* applying
  const { applyOne } = yield* make
  const actor = yield* operatorNamed(given.as)
  const applyNoted = (part: OrganizationPart, index: number) =>
    accountably(
      given,
      Effect.gen(function*() {
        const applied = yield* applyOne(part, index, { actor })
        const { name } = yield* findOrganization(applied.org_id)
        return { applied, name }
      }),
      ({ applied: { changes, org_id, outcome }, name }) =>
        changes.length === 0 ? null : {
          action: "org.applied",
          orgId: org_id,
          subject: file,
          told: { id: org_id, name },
          before: null,
          after: { outcome, changes: differenceInWords({ changes, outcome }) }
        }
    ).pipe(Effect.map(({ applied }) => applied))
  const organizations: Array<AppliedView> = []
  const tell = Effect.suspend(() =>
    print(
      json,
      dryRun ? { organizations, dry_run: true } : { organizations },
      () => [...organizations.map(told), ...dryRun ? ["Nothing was changed: this was a dry run."] : []].join("\n\n")
    )
  )
  const tellAllotments = Effect.suspend(() =>
    dryRun ? Effect.void : tellOfAllotments(organizations.map(({ org_id }) => org_id))
  )
  const one = (part: OrganizationPart, index: number) =>
    dryRun ? applyOne(part, index, { actor, dryRun }) : applyNoted(part, index)
  yield* Effect.forEach(
    document.organizations,
    (part, index) => Effect.map(one(part, index), (applied) => organizations.push(view(applied))),
    { discard: true }
  ).pipe(
    // Those before the one that is refused stay as they were applied, and nobody could read back their new secrets.
    Effect.onError(() => organizations.length === 0 ? Effect.void : Effect.andThen(tell, Effect.ignore(tellAllotments)))
  )
  yield* tell
  yield* tellAllotments
}, (effect, _, { dryRun }) => Effect.provide(effect, dryRun ? administration : provisioning))

export const applyCommand = Command.make(
  "apply",
  {
    file: Argument.String("file").pipe(Argument.withDescription("The document, in JSON; - is standard input")),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Change nothing: tell what would be made and changed, and what that cuts off"),
      Flag.withDefault(false)
    ),
    ...accountable,
    json
  },
  Effect.fn(function*(input) {
    yield* applyDocument(yield* documentOf(input.file), input)
  })
).pipe(
  Command.withExamples([
    { command: "freehold apply organizations.json", description: "Apply a file; new keys are shown this once" },
    {
      command: "freehold apply organizations.json --dry-run",
      description: "See what it would change; nothing is changed"
    },
    {
      command: "freehold org show org_acme --json > org_acme.json",
      description: "Start from an organization as it is: applying that changes nothing"
    },
    { command: "freehold apply - --json < organizations.json", description: "From standard input, for scripts" }
  ])
)

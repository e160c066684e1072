/** `freehold apply`: makes the organizations, keys, members and grants that a document describes. */
import type { Applied } from "@freehold/core/provision/Apply"
import { Effect, Redacted, Result } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { provisioning } from "../LazyComposition.ts"
import { json, print, table } from "../Output.ts"
import { tellOfAllotments } from "./AllotmentNotes.ts"
import { readJson } from "./JsonFile.ts"

const applying = Effect.promise(() =>
  Promise.all([import("@freehold/core/provision/Apply"), import("@freehold/core/provision/ApplyDocument")])
)

const view = ({ organizations }: Applied) => ({
  organizations: organizations.map((organization) => ({
    ...organization,
    keys: organization.keys.map(({ secret, ...key }) => ({
      ...key,
      ...secret === undefined ? {} : { secret: Redacted.value(secret) }
    }))
  }))
})

export const applyCommand = Command.make(
  "apply",
  {
    file: Argument.String("file").pipe(Argument.withDescription("The document, in JSON; - is standard input")),
    json
  },
  Effect.fn(function*({ file, json }) {
    const [Apply, ApplyDocument] = yield* applying
    const decoded = ApplyDocument.decode(yield* readJson(file))
    if (Result.isFailure(decoded)) {
      const faults = decoded.failure.issues.map(({ field, message }) => `\n  ${field ?? "the document"}: ${message}`)
      return yield* new CommandRefused({ reason: `${file} was not applied:${faults.join("")}` })
    }
    const { apply } = yield* Apply.make
    const applied = yield* apply(decoded.success)
    yield* print(json, view(applied), ({ organizations }) =>
      table(
        ["organization", "key", "outcome", "credential_id", "secret"],
        organizations.flatMap(({ keys, org_id, outcome }) => [
          [org_id, null, outcome, null, null],
          ...keys.map((key) => [org_id, key.name, key.outcome, key.credential_id, key.secret])
        ])
      ))
    yield* tellOfAllotments(applied.organizations.map(({ org_id }) => org_id))
  }, Effect.provide(provisioning))
).pipe(
  Command.withDescription("Make what a document describes and change what differs; repeatable"),
  Command.withExamples([
    { command: "freehold apply organizations.json", description: "Apply a file; new keys are shown this once" },
    { command: "freehold apply - --json < organizations.json", description: "From standard input, for scripts" }
  ])
)

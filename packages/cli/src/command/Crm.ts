/** `freehold crm`: the CRMs that leads of an organization are pushed to. */
import { decoder, type InvalidInput } from "@freehold/core/operation/InvalidInput"
import { connectedNoted, endpointNoted, removedNoted } from "@freehold/core/operator/OperatorNote"
import { CrmDesk } from "@freehold/core/webhook/CrmDesk"
import type { PushOutcome } from "@freehold/core/webhook/CrmPusher"
import {
  type CrmSettings,
  HubSpotSettings,
  SalesforceCredentials,
  SalesforceSettings
} from "@freehold/core/webhook/CrmSettings"
import { EndpointDesk } from "@freehold/core/webhook/EndpointDesk"
import { type WebhookEndpoint, WebhookEndpoints } from "@freehold/core/webhook/WebhookEndpoints"
import { Effect, FileSystem, Option, Redacted, Result, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { crms } from "../LazyComposition.ts"
import { accountable, accountably } from "../Operator.ts"
import { json, print, record, table } from "../Output.ts"
import { whyNot } from "../WhyNot.ts"
import { wholeNumberFlag } from "./NumberFlag.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"

const hubSpotApi = "https://api.hubapi.com"

const stateOf = ({ active, disabledReason }: WebhookEndpoint): string =>
  active ? "active" : disabledReason ?? "inactive"

const view = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  org_id: endpoint.orgId,
  url: endpoint.url,
  crm: endpoint.crm,
  state: stateOf(endpoint),
  consecutive_failures: endpoint.consecutiveFailures,
  created_at: endpoint.createdAt
})

const shown = ({ crm, ...endpoint }: ReturnType<typeof view>) =>
  record([
    ...Object.entries(endpoint),
    ["kind", crm?.kind ?? null],
    ...crm?.kind === "hubspot" ? [["pipeline", crm.pipeline] as const] : [],
    ...crm?.kind === "salesforce" ? [["close_after_days", crm.close_after_days] as const] : [],
    ...Object.entries(crm?.stages ?? {}).map(([ours, theirs]) => [`stage ${ours}`, theirs] as const)
  ])

const endpointArgument = Argument.String("endpoint").pipe(
  Argument.withDescription("Id of the endpoint, as crm list shows it")
)

const find = Effect.fnUntraced(function*(id: string) {
  const found = yield* CrmDesk.use((desk) => desk.find(id.toLowerCase()))
  return Option.isSome(found) ? found.value : yield* new CommandRefused({ reason: `there is no CRM ${id}` })
})

/** The credentials in the form that the kind wants. */
const credentialsOf = Effect.fnUntraced(function*(kind: CrmSettings["kind"], file: string) {
  const fileSystem = yield* FileSystem.FileSystem
  const text = (yield* Effect.mapError(
    fileSystem.readFileString(file),
    (error) => new CommandRefused({ reason: `${file} cannot be read: ${whyNot(error)}` })
  )).trim()
  const isRight = kind === "hubspot"
    ? /^[\x21-\x7e]{1,4000}$/.test(text)
    : Option.isSome(Schema.decodeOption(SalesforceCredentials)(text))
  return isRight ? Redacted.make(text) : yield* new CommandRefused({
    reason: kind === "hubspot"
      ? `${file} does not hold one access token`
      : `${file} does not hold {"client_id": "...", "client_secret": "..."}, with a refresh_token or without`
  })
})

interface Asked {
  readonly kind: CrmSettings["kind"]
  readonly stages: Readonly<Record<string, string>>
  readonly pipeline: string
  readonly closeAfterDays: number
}

const hubSpot = decoder(HubSpotSettings)
const salesforce = decoder(SalesforceSettings)

const settingsOf = ({ closeAfterDays, kind, pipeline, stages }: Asked) => {
  const read: Result.Result<CrmSettings, InvalidInput> = kind === "hubspot"
    ? hubSpot({ kind, pipeline, stages })
    : salesforce({ kind, close_after_days: closeAfterDays, stages })
  return Effect.fromResult(
    Result.mapError(read, ({ message }) => new CommandRefused({ reason: `these settings are not right: ${message}` }))
  )
}

/** Refuses a connection over which nothing could be pushed. */
const mustWork = (outcome: PushOutcome) =>
  outcome._tag === "Delivered" ? Effect.void : Effect.fail(
    new CommandRefused({
      reason: `nothing can be pushed there: ${outcome.reason}${
        "answer" in outcome && outcome.answer !== undefined ? ` (${outcome.answer})` : ""
      }; connect it all the same with --unchecked`
    })
  )

const add = Command.make(
  "add",
  {
    kind: Argument.Literals("kind", ["hubspot", "salesforce"]).pipe(
      Argument.withDescription("Which CRM it is: hubspot or salesforce")
    ),
    org,
    credentialsFile: Flag.String("credentials-file").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription(
        "Of HubSpot the access token of a private app; of Salesforce JSON with client_id, client_secret and, if it signs "
          + "in so, refresh_token. They are kept sealed"
      )
    ),
    stages: Flag.KeyValuePair("stage").pipe(
      Flag.withMetavar("STAGE=NAME"),
      Flag.withDescription(
        "What a stage is called there, such as qualified=appointmentscheduled; qualified is needed, one that is left out is like it"
      )
    ),
    pipeline: Flag.String("pipeline").pipe(
      Flag.withDescription("HubSpot: id of the pipeline of deals"),
      Flag.withDefault("default")
    ),
    closeAfterDays: wholeNumberFlag("close-after-days", { least: 0 }).pipe(
      Flag.withDescription("Salesforce: an opportunity is to close so many days after the lead was qualified"),
      Flag.withDefault(90)
    ),
    url: Flag.String("url").pipe(
      Flag.withDescription(`Root of its API: of Salesforce its My Domain, such as https://acme.my.salesforce.com`),
      Flag.optional
    ),
    unchecked: Flag.Boolean("unchecked").pipe(
      Flag.withDescription("Do not try it first"),
      Flag.withDefault(false)
    ),
    ...accountable,
    json
  },
  Effect.fn(function*({ credentialsFile, json, unchecked, ...asked }) {
    const url = Option.getOrUndefined(asked.url) ?? (asked.kind === "hubspot" ? hubSpotApi : undefined)
    if (url === undefined) return yield* new CommandRefused({ reason: "--url is needed for Salesforce" })
    const crm = yield* settingsOf(asked)
    const connection = { url, crm, credentials: yield* credentialsOf(asked.kind, credentialsFile) }
    const refused = (refusal: { readonly _tag: string; readonly message: string }) =>
      new CommandRefused({ reason: `${refusal.message} (${refusal._tag})` })
    const connecting = Effect.gen(function*() {
      const organization = yield* findOrganization(asked.org)
      const desk = yield* CrmDesk
      if (!unchecked && organization.features.full_crm_export) yield* mustWork(yield* desk.check(connection))
      const { after } = yield* accountably(
        asked,
        Effect.gen(function*() {
          const before = yield* desk.list(organization.org_id)
          const after = yield* desk.connect(organization, connection)
          return { before: before.find(({ id }) => id === after.id) ?? null, after }
        }),
        ({ after, before }) => connectedNoted(before, after)
      )
      return after
    }).pipe(
      Effect.catchTags({
        FEATURE_GATED: refused,
        TargetRefused: refused,
        WEBHOOK_ENDPOINT_LIMIT_REACHED: refused,
        WEBHOOK_ENDPOINT_TOTAL_LIMIT_REACHED: refused
      })
    )
    const made = yield* Effect.provide(connecting, crms)
    yield* print(json, view(made), shown)
  })
).pipe(
  Command.withDescription(
    "Push the qualified leads of an organization to its CRM; what is connected already gets other settings and credentials"
  ),
  Command.withExamples([{
    command:
      "freehold crm add hubspot --org org_acme --credentials-file token.txt --stage qualified=appointmentscheduled",
    description: "Tries it first; needs the feature full_crm_export"
  }])
)

const list = Command.make(
  "list",
  { org, json },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const found = yield* CrmDesk.use((desk) => desk.list(orgId))
    yield* print(input.json, { items: found.map(view) }, ({ items }) =>
      table(
        ["id", "kind", "url", "state", "failures", "created_at"],
        items.map((each) => [
          each.id,
          each.crm?.kind ?? null,
          each.url,
          each.state,
          each.consecutive_failures,
          each.created_at
        ])
      ))
  }, Effect.provide(crms))
).pipe(
  Command.withDescription("List the CRMs that leads of an organization are pushed to"),
  Command.withExamples([{ command: "freehold crm list --org org_acme", description: "Those of org_acme" }])
)

const show = Command.make(
  "show",
  { endpoint: endpointArgument, json },
  Effect.fn(function*(input) {
    yield* print(input.json, view(yield* find(input.endpoint)), shown)
  }, Effect.provide(crms))
).pipe(
  Command.withDescription("Show how leads are pushed to a CRM; what was pushed tells webhook deliveries"),
  Command.withExamples([{
    command: "freehold crm show 6b8b4567-327b-43c6-9869-66334873b0dc",
    description: "Its address, its stages and whether it is active"
  }])
)

const remove = Command.make(
  "remove",
  { endpoint: endpointArgument, ...accountable, json },
  Effect.fn(function*(input) {
    const removing = Effect.tap(
      find(input.endpoint),
      ({ id, orgId }) => WebhookEndpoints.use((endpoints) => endpoints.remove(orgId, id))
    )
    const { id } = yield* accountably(input, removing, removedNoted)
    yield* print(input.json, { id, active: false }, (removed) => record(Object.entries(removed)))
  }, Effect.provide(crms))
).pipe(
  Command.withDescription("Push nothing to a CRM any more, and cancel what waits; what is there stays there"),
  Command.withExamples([{
    command: "freehold crm remove 6b8b4567-327b-43c6-9869-66334873b0dc",
    description: "Its log stays"
  }])
)

const test = Command.make(
  "test",
  { endpoint: endpointArgument, ...accountable, json },
  Effect.fn(function*(input) {
    const endpoint = yield* find(input.endpoint)
    const { deliveryId } = yield* accountably(
      input,
      EndpointDesk.use((desk) => Effect.map(desk.test(endpoint.id), Option.getOrThrow)),
      () => endpointNoted("endpoint.tested", endpoint, null)
    )
    yield* print(
      input.json,
      { event_id: deliveryId, state: "queued" },
      (queued) => record(Object.entries(queued))
    )
  }, Effect.provide(crms))
).pipe(
  Command.withDescription(
    "Look whether a lead could be pushed: the credentials, our fields, the stages; a running worker does, and writes nothing"
  ),
  Command.withExamples([{
    command: "freehold crm test 6b8b4567-327b-43c6-9869-66334873b0dc",
    description: "See with webhook deliveries how it went"
  }])
)

export const crmCommand = Command.make("crm").pipe(
  Command.withExamples([{ command: "freehold crm list --org org_acme", description: "The CRMs of org_acme" }]),
  Command.withSubcommands([add, list, show, remove, test])
)

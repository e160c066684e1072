/** `freehold lead`: the pipeline, as a person works in it. What a person does here is no agent pipeline change. */
import { FeatureGated } from "@freehold/core/access/AccessRefusals"
import { NotFound } from "@freehold/core/coverage/CoverageRefusals"
import { compareText } from "@freehold/core/operation/TextOrder"
import type { Organization } from "@freehold/core/organization/Organization"
import { LeadMover, movedView } from "@freehold/core/pipeline/LeadMover"
import type { Wish } from "@freehold/core/pipeline/Moves"
import type { Lead, LeadRow } from "@freehold/core/pipeline/Pipeline"
import { Pipeline } from "@freehold/core/pipeline/Pipeline"
import { ChangedInFlight, NoPipelineRecord } from "@freehold/core/pipeline/PipelineRefusals"
import * as PropertyRef from "@freehold/core/property/PropertyRef"
import { DisqualifyReason } from "@freehold/core/stage/DisqualifyReason"
import { Clock, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { SecureRandom } from "effect/crypto"
import { administration } from "../LazyComposition.ts"
import { operator } from "../Operator.ts"
import { json, print, record, table } from "../Output.ts"
import { allPages, type Page } from "./AllPages.ts"
import { by as byMember, findAuthor, findWorkingOn } from "./MemberFlag.ts"
import { numberFlag } from "./NumberFlag.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"
import { property } from "./PropertyFlag.ts"

const by = byMember.pipe(
  Flag.withDescription("The member who does it; left out: you, for the organization"),
  Flag.optional
)

const note = Flag.String("note").pipe(
  Flag.withMetavar("TEXT"),
  Flag.withDescription("Why; kept in the history"),
  Flag.optional
)

const dealValueFlag = numberFlag("deal-value").pipe(
  Flag.withDescription("What the deal is worth in US dollars, more than 1")
)

/** The member of that email, who may write; without one the person at the command line, whom no lead belongs to. */
const personOf = Effect.fnUntraced(function*(organization: Organization, email: Option.Option<string>) {
  if (Option.isSome(email)) {
    const { memberId: id, name, territory } = yield* findAuthor(organization, email.value, "pipeline")
    return { actor: { kind: "member", id, name }, owner: { id, name }, territory } as const
  }
  if (!organization.features.pipeline) return yield* new FeatureGated({ feature: "pipeline" })
  const { name } = yield* operator
  return { actor: { kind: "member", id: null, name: name ?? "operator" }, owner: null, territory: null } as const
})

const move = Effect.fnUntraced(function*(
  organization: Organization,
  input: { readonly property: string; readonly by: Option.Option<string> },
  wish: Wish
) {
  const { actor, owner, territory } = yield* personOf(organization, input.by)
  return yield* LeadMover.use((mover) =>
    mover.move({
      perspective: { organization, territory },
      property: PropertyRef.parse(input.property),
      wish,
      actor,
      owner,
      limits: null
    })
  )
})

const asRecord = (shown: Readonly<Record<string, string | number | boolean | null>>) => record(Object.entries(shown))

/** The lead of a property, in the pipeline. */
const leadOf = Effect.fnUntraced(function*(orgId: string, name: string) {
  const found = yield* Pipeline.use((pipeline) => pipeline.standing(PropertyRef.parse(name), orgId))
  if (Option.isNone(found)) return yield* new NotFound({ resource: "property" })
  const { customerStatus, lead, property } = found.value
  if (lead === null) return yield* new NoPipelineRecord()
  return { customerStatus, lead, property }
})

const qualifiedView = (lead: Lead, eventId: string | null) => ({
  property_id: lead.propertyId,
  status: lead.status,
  deal_value: lead.dealValue,
  qualified_at: lead.qualifiedAt,
  event_id: eventId,
  first_time: eventId !== null
})

const wasLead = "The property was a lead already: no lead.qualified event is sent."

const qualify = Command.make(
  "qualify",
  { org, property, dealValue: dealValueFlag, note, by, json },
  Effect.fn(function*(input) {
    const organization = yield* findOrganization(input.org)
    const { dealValue } = input
    const shown = yield* move(organization, input, {
      to: "qualified",
      dealValue,
      note: Option.getOrUndefined(input.note)
    }).pipe(
      Effect.map(({ eventId, from, lead }) => qualifiedView(lead, from === null ? eventId : null)),
      // So that the command can be repeated, with its note; another value would be dropped.
      Effect.catchTag(
        "SAME_STATUS",
        (refusal) =>
          Effect.flatMap(
            leadOf(organization.org_id, input.property),
            ({ lead }) =>
              lead.dealValue === dealValue ? Effect.succeed(qualifiedView(lead, null)) : Effect.fail(refusal)
          )
      )
    )
    yield* print(
      input.json,
      shown,
      (lead) => lead.first_time ? asRecord(lead) : `${asRecord(lead)}\n\n${wasLead}`
    )
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Put a property into the pipeline; the first time, a lead.qualified event goes out"),
  Command.withExamples([{
    command:
      "freehold lead qualify --org org_acme --property 36061-1000477501 --deal-value 25000 --by ana@acme.example",
    description: "Ana qualifies a property, named by its key"
  }])
)

const disqualify = Command.make(
  "disqualify",
  {
    org,
    property,
    reason: Flag.Literals("reason", DisqualifyReason.literals).pipe(
      Flag.withDescription("Why; other needs a note")
    ),
    note,
    by,
    json
  },
  Effect.fn(function*(input) {
    const organization = yield* findOrganization(input.org)
    const moved = yield* move(organization, input, {
      to: "disqualified",
      reason: input.reason,
      note: Option.getOrUndefined(input.note)
    })
    yield* print(input.json, movedView(moved), asRecord)
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Take a lead that is neither won nor lost out of the pipeline"),
  Command.withExamples([{
    command:
      "freehold lead disqualify --org org_acme --property 36061-1000477501 --reason too_small --by ana@acme.example",
    description: "Ana gives a lead up"
  }])
)

const moveCommand = Command.make(
  "move",
  {
    org,
    property,
    to: Flag.Literals("to", ["attempted_contact", "active_opportunity", "won", "lost"]).pipe(
      Flag.withDescription("The stage that it goes to")
    ),
    dealValue: Flag.optional(dealValueFlag),
    lossReason: Flag.String("loss-reason").pipe(
      Flag.withMetavar("CODE"),
      Flag.withDescription("Why it was lost; other needs a note"),
      Flag.optional
    ),
    note,
    by,
    json
  },
  Effect.fn(function*(input) {
    const organization = yield* findOrganization(input.org)
    const said = {
      dealValue: Option.getOrUndefined(input.dealValue),
      note: Option.getOrUndefined(input.note)
    }
    const wish: Wish = input.to === "lost"
      ? { ...said, to: input.to, lossReasonCode: Option.getOrUndefined(input.lossReason) }
      : { ...said, to: input.to }
    const moved = yield* move(organization, input, wish)
    yield* print(input.json, movedView(moved), asRecord)
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Move a lead on, back or to its end"),
  Command.withExamples([
    {
      command: "freehold lead move --org org_acme --property 36061-1000477501 --to won --deal-value 31000",
      description: "The deal is won, at another value than it was qualified with"
    },
    {
      command: "freehold lead move --org org_acme --property 36061-1000477501 --to lost --loss-reason competitor",
      description: "The deal is lost"
    }
  ])
)

const assign = Command.make(
  "assign",
  {
    org,
    property,
    to: Flag.String("to").pipe(
      Flag.withMetavar("EMAIL"),
      Flag.withDescription("The member that the lead belongs to from now on")
    ),
    by,
    json
  },
  Effect.fn(function*(input) {
    const organization = yield* findOrganization(input.org)
    const { org_id: orgId } = organization
    const { actor } = yield* personOf(organization, input.by)
    const { lead, property: standing } = yield* leadOf(orgId, input.property)
    const { memberId: id, name } = yield* findWorkingOn(organization, input.to, standing)
    const eventId = yield* SecureRandom.SecureRandom.use((random) => random.uuidV4())
    const now = yield* Clock.currentTimeMillis
    const assigned = yield* Pipeline.use((pipeline) =>
      pipeline.assign({ orgId, propertyId: lead.propertyId, owner: { id, name }, actor, eventId, now })
    )
    if (Option.isNone(assigned)) return yield* new ChangedInFlight()
    yield* print(input.json, { property_id: lead.propertyId, owner_name: name }, asRecord)
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Give a lead to a member"),
  Command.withExamples([{
    command: "freehold lead assign --org org_acme --property 36061-1000477501 --to ben@acme.example",
    description: "The lead is Ben's"
  }])
)

const show = Command.make(
  "show",
  { org, property, json },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const { customerStatus, lead } = yield* leadOf(orgId, input.property)
    const history = yield* Pipeline.use((pipeline) => pipeline.history(orgId, lead.propertyId))
    const facts = {
      property_id: lead.propertyId,
      status: lead.status,
      deal_value: lead.dealValue,
      owner_name: lead.ownerName,
      qualified_at: lead.qualifiedAt,
      qualified_by: lead.qualifiedBy.name,
      status_changed_at: lead.statusChangedAt,
      loss_reason_code: lead.lossReasonCode,
      loss_reason_note: lead.lossReasonNote,
      disqualified_reason: lead.disqualifiedReason,
      is_current_customer: customerStatus === "active",
      customer_account_status: customerStatus
    }
    const moves = history.map(({ actor, at, byAgent, dealValue, from, note, reasonCode, to }) => ({
      at,
      from,
      to,
      deal_value: dealValue,
      reason_code: reasonCode,
      note,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_name: actor.name,
      by_agent: byAgent
    }))
    yield* print(input.json, { ...facts, history: moves }, () =>
      `${asRecord(facts)}\n\n${
        table(
          ["at", "from", "to", "deal_value", "reason_code", "by", "note"],
          moves.map((each) => [
            each.at,
            each.from,
            each.to,
            each.deal_value,
            each.reason_code,
            each.actor_name,
            each.note
          ])
        )
      }`)
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Show a lead and every move it made, oldest first"),
  Command.withExamples([{
    command: "freehold lead show --org org_acme --property 36061-1000477501",
    description: "One lead with its history"
  }])
)

const view = (lead: LeadRow) => ({
  property_id: lead.propertyId,
  property_key: lead.propertyKey,
  address: lead.address,
  city: lead.city,
  state: lead.state,
  status: lead.status,
  deal_value: lead.dealValue,
  qualified_at: lead.qualifiedAt,
  status_changed_at: lead.statusChangedAt
})

const lastChangedFirst = (left: LeadRow, right: LeadRow): number =>
  compareText(right.statusChangedAt, left.statusChangedAt) || compareText(left.propertyId, right.propertyId)

const list = Command.make(
  "list",
  { org, json },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const pipeline = yield* Pipeline
    const leads = yield* allPages(({ last, limit }: Page<LeadRow>) =>
      pipeline.all(orgId, { after: last?.propertyId ?? null, limit })
    )
    yield* print(input.json, { items: leads.toSorted(lastChangedFirst).map(view) }, ({ items }) =>
      table(
        ["property_key", "address", "city", "status", "deal_value", "status_changed_at"],
        items.map((lead) => [
          lead.property_key,
          lead.address,
          lead.city,
          lead.status,
          lead.deal_value,
          lead.status_changed_at
        ])
      ))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("List the leads of an organization, last changed first"),
  Command.withExamples([{ command: "freehold lead list --org org_acme", description: "The pipeline of org_acme" }])
)

export const leadCommand = Command.make("lead").pipe(
  Command.withExamples([{ command: "freehold lead list --org org_acme", description: "The leads of org_acme" }]),
  Command.withSubcommands([qualify, disqualify, moveCommand, assign, show, list])
)

/** `freehold lead`: the pipeline, as a person works in it. */
import { Organizations } from "@freehold/core/access/Organizations"
import type { LeadRow, PipelineActor } from "@freehold/core/pipeline/Pipeline"
import { Pipeline } from "@freehold/core/pipeline/Pipeline"
import { Qualification } from "@freehold/core/pipeline/Qualification"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandRefused } from "../CommandRefused.ts"
import { administration } from "../LazyComposition.ts"
import { operator } from "../Operator.ts"
import { json, print, record, table } from "../Output.ts"
import { findOrganization, org } from "./OrganizationFlag.ts"

const pageSize = 500

/** The member of that email; without one the person at the command line. */
const personOf = Effect.fnUntraced(function*(orgId: string, email: Option.Option<string>) {
  if (Option.isNone(email)) {
    const { name } = yield* operator
    return { kind: "member", id: null, name: name ?? "operator" } satisfies PipelineActor
  }
  const wanted = email.value.toLowerCase()
  const members = yield* Organizations.use((organizations) => organizations.members(orgId))
  const member = members.find((each) => each.email.toLowerCase() === wanted && each.status === "active")
  if (member === undefined) {
    return yield* new CommandRefused({ reason: `${orgId} has no active member ${email.value}` })
  }
  return { kind: "member", id: member.memberId, name: member.name } satisfies PipelineActor
})

const qualify = Command.make(
  "qualify",
  {
    org,
    property: Flag.String("property").pipe(
      Flag.withMetavar("P"),
      Flag.withDescription("Id or key of the property")
    ),
    dealValue: Flag.Finite("deal-value").pipe(
      Flag.withMetavar("N"),
      Flag.withDescription("What the deal is worth in US dollars, more than 1")
    ),
    by: Flag.String("by").pipe(
      Flag.withMetavar("EMAIL"),
      Flag.withDescription("The member who qualifies it"),
      Flag.optional
    ),
    json
  },
  Effect.fn(function*(input) {
    const organization = yield* findOrganization(input.org)
    const actor = yield* personOf(organization.org_id, input.by)
    const { eventId, firstTime, lead } = yield* Qualification.use((qualification) =>
      qualification.qualify({ organization, property: input.property, dealValue: input.dealValue, actor })
    )
    yield* print(input.json, {
      property_id: lead.propertyId,
      status: lead.status,
      deal_value: lead.dealValue,
      qualified_at: lead.qualifiedAt,
      event_id: eventId,
      first_time: firstTime
    }, (shown) => record(Object.entries(shown)))
  }, Effect.provide(administration))
).pipe(
  Command.withDescription("Put a property into the pipeline; the first time, a lead.qualified event goes out"),
  Command.withExamples([{
    command:
      "freehold lead qualify --org org_acme --property 36061-1000477501 --deal-value 25000 --by ana@acme.example",
    description: "Ana qualifies a property, named by its key"
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

const list = Command.make(
  "list",
  { org, json },
  Effect.fn(function*(input) {
    const { org_id: orgId } = yield* findOrganization(input.org)
    const pipeline = yield* Pipeline
    const leads: Array<LeadRow> = []
    for (;;) {
      const page = yield* pipeline.list(orgId, { limit: pageSize, offset: leads.length })
      leads.push(...page.leads)
      if (page.leads.length < pageSize) break
    }
    yield* print(input.json, { items: leads.map(view) }, ({ items }) =>
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
  Command.withDescription("Qualify and list leads"),
  Command.withSubcommands([qualify, list])
)

/** Made-up organizations, properties, endpoints and qualifications, for the contracts of leads and webhooks. */
import { Effect, Redacted } from "effect"
import { defaults, type Organization } from "../organization/Organization.ts"
import { type LeadChange, Pipeline, type PipelineActor } from "../pipeline/Pipeline.ts"
import type { CrmSettings } from "../webhook/CrmSettings.ts"
import { type AttemptOutcome, type AttemptRecord, type ClaimedDelivery, Deliveries } from "../webhook/Deliveries.ts"
import { WebhookEndpoints } from "../webhook/WebhookEndpoints.ts"
import { property, Seeder } from "./Seed.ts"

/** The county that the organizations of `organization` see. */
export const visibleCounty = "36061"
export const otherCounty = "17031"

export const at = 1_790_000_000_000

export const actor: PipelineActor = { kind: "member", id: null, name: "Sample Member" }

/** A made-up UUID. */
export const uuid = (kind: number, index: number): string =>
  `00000000-0000-4000-${String(8000 + kind)}-${String(index).padStart(12, "0")}`

export const propertyId = (index: number): string => uuid(1, index)
export const eventId = (index: number): string => uuid(2, index)
export const endpointId = (index: number): string => uuid(3, index)

export const organization = (orgId: string): Organization => ({
  ...defaults(orgId),
  export_allowance: { max_exports_per_month: 100_000, max_rows_per_month: 0 },
  serviceable_area: { whole_state_abbrs: [], county_fips: [visibleCounty] }
})

/** One that sees changes. */
export const seeingChanges = (orgId: string): Organization => {
  const seen = organization(orgId)
  return { ...seen, features: { ...seen.features, signals: true } }
}

export const seed = (orgIds: ReadonlyArray<string>, properties: number) =>
  Seeder.use((seeder) =>
    seeder.add({
      organizations: orgIds.map(organization),
      properties: Array.from(
        { length: properties },
        (_, index) => property({ id: propertyId(index), countyFips: visibleCounty })
      )
    })
  )

export const secretOf = (index: number) => Redacted.make(`whsec_made-up-${index}`)

export const register = (
  orgId: string,
  index: number,
  given: {
    readonly url?: string
    readonly events?: ReadonlyArray<string>
    readonly secret?: Redacted.Redacted
    readonly now?: number
  } = {}
) =>
  WebhookEndpoints.use((endpoints) => {
    const url = given.url ?? `https://receiver.example/${orgId}/${index}`
    return endpoints.register({
      id: endpointId(index),
      orgId,
      url,
      targetKey: url,
      label: null,
      events: given.events ?? ["lead.qualified"],
      includeEvidence: false,
      createdVia: "api",
      secret: given.secret ?? secretOf(index),
      now: given.now ?? at + index
    })
  })

/** How a made-up CRM is written to. */
export const crm: CrmSettings = { kind: "hubspot", pipeline: "default", stages: { qualified: "appointmentscheduled" } }

export const connect = (
  orgId: string,
  index: number,
  given: {
    readonly url?: string
    readonly targetKey?: string
    readonly crm?: CrmSettings
    readonly credentials?: Redacted.Redacted
  } = {}
) =>
  WebhookEndpoints.use((endpoints) =>
    endpoints.connect({
      id: endpointId(index),
      orgId,
      url: "https://crm.example",
      targetKey: "hubspot https://crm.example/",
      label: "HubSpot",
      crm,
      credentials: secretOf(index),
      now: at + index,
      ...given
    })
  )

/** The first qualification of a property. */
export const qualification = (
  orgId: string,
  propertyId: string,
  given: Pick<LeadChange, "eventId"> & Partial<LeadChange>
): LeadChange => ({
  orgId,
  propertyId,
  expected: 0,
  move: {
    from: null,
    to: { status: "qualified", dealValue: 1000, lossReasonCode: null, lossReasonNote: null, disqualifiedReason: null },
    note: null
  },
  customerStatus: null,
  actor,
  owner: null,
  partial: false,
  now: at,
  ...given
})

/** That the attempt at a claimed delivery ended so. */
export const ended = (
  { attempt, claim, deliveryId, endpointId, organization }: ClaimedDelivery,
  outcome: AttemptOutcome = { _tag: "Delivered", status: 200 },
  durationMillis = 1
): AttemptRecord => ({ orgId: organization.org_id, deliveryId, endpointId, claim, attempt, outcome, durationMillis })

/** Qualifies property `index` as event `index`. */
export const qualify = (orgId: string, index: number, given: { readonly partial?: boolean } = {}) =>
  Pipeline.use((pipeline) =>
    pipeline.change(
      qualification(orgId, propertyId(index), { eventId: eventId(index), now: at + index, ...given })
    )
  )

export const qualifyMany = (orgId: string, count: number) =>
  Effect.forEach(Array.from({ length: count }, (_, index) => index), (index) => qualify(orgId, index), {
    discard: true
  })

interface Extent {
  readonly events: number
  /** One, if not given. */
  readonly endpoints?: number
  /** Of every endpoint. */
  readonly url?: string
}

/** Organization `org_a` with so many endpoints, and so many events that each of them is to hear of. */
export const withEvents = Effect.fnUntraced(function*({ endpoints = 1, events, ...given }: Extent) {
  yield* seed(["org_a"], events)
  for (let index = 0; index < endpoints; index++) yield* register("org_a", index, given)
  yield* qualifyMany("org_a", events)
})

/** The same with its deliveries, which wait. */
export const withDeliveries = (extent: Extent) =>
  Effect.andThen(withEvents(extent), Deliveries.use((deliveries) => deliveries.fanOut(1000)))

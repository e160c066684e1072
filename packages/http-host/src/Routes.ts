/**
 * The REST endpoints: one line of REST's own facts for each operation of core that has one.
 *
 * Everything else (who may call, what fits the input, what may be refused) is the operation's. Adding an endpoint is
 * adding an entry here. docs/decisions/0001-rest-routes-from-one-table.md.
 */
import type { Caller } from "@freehold/core/access/Caller"
import { GetAccount, GetIdentity } from "@freehold/core/account/AccountOperations"
import { GetAllowance } from "@freehold/core/account/AllowanceOperations"
import type { Catalogue, CatalogueOperation, Refusal } from "@freehold/core/catalogue/Catalogue"
import { GetChanges } from "@freehold/core/change/ChangeOperations"
import {
  BrowseContacts,
  FindContacts,
  GetContact,
  GetContactRelationships,
  RevealContact
} from "@freehold/core/contact/ContactOperations"
import { GetCreditLedger } from "@freehold/core/credit/CreditOperations"
import { SyncCustomerAccounts } from "@freehold/core/customer/CustomerOperations"
import { ListEvents } from "@freehold/core/event/EventOperations"
import { BrowseOrganizations, GetOrganization, GetOrganizationProperties } from "@freehold/core/firm/FirmOperations"
import type { BundleSource } from "@freehold/core/lead/BundleSource"
import { GetLeadBundle, LeadBundle, ListLeads } from "@freehold/core/lead/LeadOperations"
import * as RepeatedBundle from "@freehold/core/lead/RepeatedBundle"
import { AddToList, CreateList, ItemIds, ListLists } from "@freehold/core/list/ListOperations"
import { CheckAccess } from "@freehold/core/lookup/AccessOperations"
import { GetCoverage } from "@freehold/core/lookup/LookupOperations"
import { GetNotes } from "@freehold/core/note/NoteOperations"
import { decoder, type InvalidInput } from "@freehold/core/operation/InvalidInput"
import { noteField } from "@freehold/core/operation/Noting"
import { Uuid } from "@freehold/core/operation/Uuid"
import { WriteBackStatus } from "@freehold/core/pipeline/PipelineOperations"
import {
  GetProperty,
  GetPropertyRecord,
  ResolveProperties,
  SearchProperties,
  UnlockProperty
} from "@freehold/core/property/PropertyOperations"
import { ListRequests } from "@freehold/core/request/RequestOperations"
import { ListResearchRuns } from "@freehold/core/research/ResearchOperations"
import {
  ChangeWebhook,
  DisableWebhook,
  EnableWebhook,
  GetWebhookDelivery,
  ResendFailedDeliveries,
  ResendWebhookDelivery,
  RotateWebhookSecret,
  TestWebhook
} from "@freehold/core/webhook/EndpointCareOperations"
import {
  CreateWebhook,
  DeleteWebhook,
  GetWebhookSample,
  ListWebhookDeliveries,
  ListWebhooks
} from "@freehold/core/webhook/WebhookOperations"
import { Effect, Predicate, Result, Schema, Struct } from "effect"
import type { Deprecation } from "./Deprecation.ts"
import type { Answer } from "./Envelope.ts"
import { inRestWords } from "./openapi/RestWords.ts"
import type { RefusalCode } from "./Status.ts"

/** The segment that the specification's version of the API hangs below. */
export const apiRoot = "/v1"

/** Informational: the date of the contract that is served. decisions, section 17. */
export const serviceVersion = "2026-09-14"

/** How REST shows an answer that is more than `data`: its parts, and how they are taken from the operation's output. */
export interface Shape {
  readonly data: Schema.Codec<unknown, unknown>
  readonly meta: Schema.Codec<unknown, unknown> | null
  /** Header names in lower case, with what each tells. */
  readonly headers: Readonly<Record<string, string>>
  show(output: unknown): Answer
}

export interface Route {
  readonly operation: CatalogueOperation
  readonly method: "GET" | "POST" | "DELETE"
  /** Below the API root; `:name` is a path parameter. */
  readonly path: `/${string}`
  /** The input key that each path parameter fills. */
  readonly parameters: Readonly<Record<string, string>>
  /** Input keys that come from the query string. */
  readonly query: ReadonlyArray<string>
  /** Whether the body holds the other input keys; else it must be empty or `{}`. */
  readonly body: "arguments" | "none"
  /** What the endpoint takes: the operation's input, or the part of it that the specification has. */
  readonly input: Schema.Codec<unknown, unknown>
  /** Refuses what the operation would take and the endpoint does not. */
  readonly narrowed: (input: unknown) => Result.Result<unknown, InvalidInput>
  /** The status of a body that is JSON and does not fit. */
  readonly misfit: 400 | 422
  /** Refusals that the endpoint's table lists without a code. */
  readonly uncoded: ReadonlyArray<RefusalCode>
  /** null: the output is `data`. */
  readonly shape: Shape | null
  /** null: nobody thinks of removing it. */
  readonly deprecation: Deprecation | null
  /** Doing it again charges again, or counts again. */
  readonly chargesAgain: boolean
  /** What may be told again of `data` that was kept of an answer; null: all of it. */
  readonly again:
    | ((kept: unknown) => Effect.Effect<unknown, Refusal, BundleSource | Caller>)
    | null
}

/** Runs the operation of a route on its input, and shows what it answers. */
export const answer = (
  catalogue: Catalogue["Service"],
  { narrowed, operation, shape }: Route,
  input: unknown
): Effect.Effect<Answer, Refusal, Caller> =>
  Effect.fromResult(narrowed(input)).pipe(
    Effect.andThen(run(catalogue, operation, input)),
    Effect.map((data) => shape === null ? { data } : shape.show(data))
  )

const run = (
  catalogue: Catalogue["Service"],
  operation: CatalogueOperation,
  input: unknown
): Effect.Effect<unknown, Refusal, Caller> => catalogue[operation.name](input)

const defaults = {
  parameters: {},
  query: [],
  body: "none",
  misfit: 400,
  uncoded: [],
  shape: null,
  deprecation: null,
  chargesAgain: false,
  again: null
} as const

/** A line of the table: what a route has beyond the defaults is `more`. */
export interface Line extends Pick<Route, "operation" | "method" | "path"> {
  readonly more: Partial<Omit<Route, "operation" | "method" | "path" | "narrowed">> | undefined
}

/** Keeps what the literals say in the type, from which the client's types are made. */
const route = <
  const Op extends Route["operation"],
  const Method extends Route["method"],
  const Path extends Route["path"],
  const More extends NonNullable<Line["more"]> = {}
>(operation: Op, method: Method, path: Path, more?: More) => ({ operation, method, path, more })

/** The output's own type for `show`. */
const shaped = <
  Op extends CatalogueOperation,
  Data extends Schema.Codec<unknown, unknown>,
  Meta extends Schema.Codec<unknown, unknown>
>(_: Op, shape: {
  readonly data: Data
  readonly meta: Meta
  readonly headers: Readonly<Record<string, string>>
  show(output: Op["output"]["Encoded"]): Answer
}) => shape

/** What there is to say of an answer stands beside it, in the words of REST. */
const noted = <const Fields extends typeof noteField & Schema.Struct.Fields>({ output }: {
  readonly output: { readonly fields: Fields }
}) => ({
  data: Schema.Struct(Struct.omit(output.fields, ["note"])),
  meta: Schema.Struct(noteField),
  headers: {},
  show: (answered: unknown): Answer => {
    if (!Predicate.isReadonlyObject(answered)) return { data: answered }
    const { note, ...data } = answered
    return typeof note === "string" ? { data, meta: { note: inRestWords(note, []) } } : { data }
  }
})

const byEvent = { parameters: { event_id: "event_id" } } as const

const byId = { parameters: { id: "id" } } as const

const lines = [
  route(GetIdentity, "GET", "/me"),
  route(GetAccount, "GET", "/account"),
  route(GetAllowance, "GET", "/allowance"),
  route(GetCreditLedger, "GET", "/credits/ledger", { query: ["cursor", "limit", "since", "until"] }),
  route(CheckAccess, "POST", "/access/check", { body: "arguments" }),
  route(SearchProperties, "POST", "/properties/search", {
    body: "arguments",
    shape: noted(SearchProperties)
  }),
  route(ResolveProperties, "POST", "/properties/resolve", { body: "arguments" }),
  route(GetPropertyRecord, "GET", "/properties/:id", byId),
  route(GetProperty, "GET", "/properties/:id/detail", byId),
  route(UnlockProperty, "POST", "/properties/:id/unlock", byId),
  route(FindContacts, "GET", "/contacts/search", { query: ["query", "limit"] }),
  route(BrowseContacts, "POST", "/contacts/browse", { body: "arguments", shape: noted(BrowseContacts) }),
  route(GetContact, "GET", "/contacts/:id", byId),
  route(GetContactRelationships, "GET", "/contacts/:id/relationships", byId),
  route(RevealContact, "POST", "/contacts/:id/reveal", byId),
  route(BrowseOrganizations, "POST", "/organizations/browse", { body: "arguments", shape: noted(BrowseOrganizations) }),
  route(GetOrganization, "GET", "/organizations/:id", byId),
  route(GetOrganizationProperties, "GET", "/organizations/:id/properties", { ...byId, query: ["limit", "cursor"] }),
  route(ListLeads, "GET", "/leads", { query: ["updated_since", "cursor", "limit"] }),
  route(GetLeadBundle, "GET", "/leads/:id", {
    parameters: { id: "property_id" },
    input: Schema.Struct({ ...GetLeadBundle.input.fields, property_id: Uuid }),
    chargesAgain: true,
    again: RepeatedBundle.told,
    uncoded: ["NOT_FOUND"],
    shape: shaped(GetLeadBundle, {
      data: Schema.Struct({ bundle: LeadBundle }),
      meta: Schema.Struct({ billed_via: Schema.Literals(["quota", "credit"]), credits_charged: Schema.Int }),
      headers: { "service-delivery-id": "Identifies this delivery; changes on every call." },
      show: ({ bundle, delivery_id, ...meta }) => ({
        data: { bundle },
        meta,
        headers: { "service-delivery-id": delivery_id }
      })
    })
  }),
  route(WriteBackStatus, "POST", "/leads/:id/status", {
    parameters: { id: "property_id" },
    body: "arguments",
    misfit: 422,
    uncoded: ["NOT_FOUND"]
  }),
  route(GetCoverage, "GET", "/coverage", { query: ["state"], shape: noted(GetCoverage) }),
  route(ListRequests, "GET", "/requests", { query: ["limit", "cursor"] }),
  route(ListResearchRuns, "GET", "/research/runs", {
    query: ["contact_id", "property_id", "organization_id", "action", "mine", "limit", "cursor"],
    shape: noted(ListResearchRuns)
  }),
  route(ListEvents, "GET", "/events", { query: ["days", "limit", "eventType", "cursor"] }),
  route(GetChanges, "GET", "/changes", {
    query: ["property_id", "contact_id", "kinds", "since", "days", "limit", "cursor"],
    shape: noted(GetChanges)
  }),
  route(ListLists, "GET", "/lists", { query: ["type", "limit", "cursor", "offset"] }),
  route(CreateList, "POST", "/lists", { body: "arguments" }),
  route(AddToList, "POST", "/lists/:id/items", {
    parameters: { id: "list_id" },
    body: "arguments",
    input: Schema.Struct({ ...AddToList.input.fields, item_ids: ItemIds })
  }),
  route(ListWebhooks, "GET", "/webhooks"),
  route(GetNotes, "GET", "/notes", { query: ["propertyId", "limit"] }),
  route(SyncCustomerAccounts, "POST", "/customer-accounts/sync", { body: "arguments" }),
  route(CreateWebhook, "POST", "/webhooks", { body: "arguments" }),
  route(GetWebhookSample, "GET", "/webhooks/sample", { query: ["event"] }),
  route(ListWebhookDeliveries, "GET", "/webhooks/:id/deliveries", { ...byId, query: ["cursor", "limit"] }),
  route(DeleteWebhook, "DELETE", "/webhooks/:id", byId),
  route(TestWebhook, "POST", "/webhooks/:id/test", byId),
  route(ChangeWebhook, "POST", "/webhooks/:id/settings", { ...byId, body: "arguments" }),
  route(EnableWebhook, "POST", "/webhooks/:id/enable", byId),
  route(DisableWebhook, "POST", "/webhooks/:id/disable", byId),
  route(RotateWebhookSecret, "POST", "/webhooks/:id/rotate-secret", { ...byId, body: "arguments" }),
  route(ResendFailedDeliveries, "POST", "/webhooks/:id/resend-failed", { ...byId, body: "arguments" }),
  route(GetWebhookDelivery, "GET", "/webhooks/deliveries/:event_id", byEvent),
  route(ResendWebhookDelivery, "POST", "/webhooks/deliveries/:event_id/resend", byEvent)
] as const satisfies ReadonlyArray<Line>

/** The lines of the table, with everything that their literals say. */
export type Lines = typeof lines

/** Every endpoint. */
export const routes: ReadonlyArray<Route> = lines.map(({ more, ...line }: Line) => ({
  ...defaults,
  input: line.operation.input,
  narrowed: more?.input === undefined ? Result.succeed : decoder(more.input, { hints: true, bounded: true }),
  ...more,
  ...line
}))

/** The pattern of every endpoint's path, below the root of the host. */
export const patterns: ReadonlyArray<`/${string}`> = routes.map(({ path }): `/${string}` => `${apiRoot}${path}`)

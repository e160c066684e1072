/**
 * The REST endpoints: one line of REST's own facts for each operation of core that has one.
 *
 * Everything else (who may call, what fits the input, what may be refused) is the operation's. Adding an endpoint is
 * adding an entry here. docs/decisions/0001-rest-routes-from-one-table.md.
 */
import type { Caller } from "@freehold/core/access/Caller"
import { GetAccount, GetIdentity } from "@freehold/core/account/AccountOperations"
import { GetAllowance } from "@freehold/core/account/AllowanceOperations"
import { GetContact, RevealContact } from "@freehold/core/contact/ContactOperations"
import { GetLeadBundle, ListLeads } from "@freehold/core/lead/LeadOperations"
import { ClashingNames } from "@freehold/core/list/ListKeeper"
import { AddToList, CreateList, ListLists } from "@freehold/core/list/ListOperations"
import type { Catalogue, CatalogueOperation, Refusal } from "@freehold/core/operation/Catalogue"
import {
  GetProperty,
  GetPropertyRecord,
  SearchProperties,
  UnlockProperty
} from "@freehold/core/property/PropertyOperations"
import { CreateWebhook, DeleteWebhook } from "@freehold/core/webhook/WebhookOperations"
import { Effect } from "effect"
import type { Answer } from "./Envelope.ts"
import type { RefusalCode } from "./Status.ts"

/** The segment that the specification's version of the API hangs below. */
export const apiRoot = "/v1"

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
  /** Refusals that the endpoint's table lists without a code. */
  readonly uncoded: ReadonlyArray<RefusalCode>
  readonly answer: (catalogue: Catalogue["Service"], input: unknown) => Effect.Effect<Answer, Refusal, Caller>
}

const run = (
  catalogue: Catalogue["Service"],
  operation: CatalogueOperation,
  input: unknown
): Effect.Effect<unknown, Refusal, Caller> => catalogue[operation.name](input)

const route = (
  operation: CatalogueOperation,
  method: Route["method"],
  path: Route["path"],
  more: Partial<Omit<Route, "operation" | "method" | "path">> = {}
): Route => ({
  operation,
  method,
  path,
  parameters: {},
  query: [],
  body: "none",
  uncoded: [],
  answer: (catalogue, input) => Effect.map(run(catalogue, operation, input), (data) => ({ data })),
  ...more
})

const byId = { parameters: { id: "id" } }

export const routes: ReadonlyArray<Route> = [
  route(GetIdentity, "GET", "/me"),
  route(GetAccount, "GET", "/account"),
  route(GetAllowance, "GET", "/allowance"),
  route(SearchProperties, "POST", "/properties/search", { body: "arguments" }),
  route(GetPropertyRecord, "GET", "/properties/:id", byId),
  route(GetProperty, "GET", "/properties/:id/detail", byId),
  route(UnlockProperty, "POST", "/properties/:id/unlock", byId),
  route(GetContact, "GET", "/contacts/:id", byId),
  route(RevealContact, "POST", "/contacts/:id/reveal", byId),
  route(ListLeads, "GET", "/leads", { query: ["updated_since", "cursor", "limit"] }),
  route(GetLeadBundle, "GET", "/leads/:id", {
    parameters: { id: "property_id" },
    uncoded: ["NOT_FOUND"],
    answer: (catalogue, input) =>
      Effect.map(catalogue[GetLeadBundle.name](input), ({ bundle, delivery_id, ...meta }) => ({
        data: { bundle },
        meta,
        headers: { "service-delivery-id": delivery_id }
      }))
  }),
  route(ListLists, "GET", "/lists", { query: ["type", "limit", "offset"] }),
  route(CreateList, "POST", "/lists", {
    body: "arguments",
    // The endpoint has no refusal for a name in use: the same name is made again.
    answer: (catalogue, input) =>
      Effect.map(
        Effect.provideService(catalogue[CreateList.name](input), ClashingNames, "allow"),
        (data) => ({ data })
      )
  }),
  route(AddToList, "POST", "/lists/:id/items", { parameters: { id: "list_id" }, body: "arguments" }),
  route(CreateWebhook, "POST", "/webhooks", { body: "arguments" }),
  route(DeleteWebhook, "DELETE", "/webhooks/:id", byId)
]

/**
 * A catalogue of canned answers over made-up data, and the key that calls it: what the host's own tests need, without a
 * domain behind it. Inputs are decoded as the real catalogue decodes them.
 */
import { Caller, type KeyCaller } from "@freehold/core/access/Caller"
import {
  DescribeWorkspace,
  GetAccount,
  GetCreditBalance,
  GetPriceSheet
} from "@freehold/core/account/AccountOperations"
import { Catalogue } from "@freehold/core/catalogue/Catalogue"
import { RecordKinds } from "@freehold/core/catalogue/RecordKinds"
import { GetContact } from "@freehold/core/contact/ContactOperations"
import { NotFound, NoVisibleTerritory } from "@freehold/core/coverage/CoverageRefusals"
import { CostConfirmationRequired, type PriceDetail } from "@freehold/core/credit/CreditRefusals"
import { ListLeads } from "@freehold/core/lead/LeadOperations"
import { Workload } from "@freehold/core/load/Workload"
import { MemoryState } from "@freehold/core/memory/MemoryState"
import * as IdempotencyMemory from "@freehold/core/memory/operation/IdempotencyMemory"
import { CursorSeal } from "@freehold/core/operation/CursorSeal"
import { decoder } from "@freehold/core/operation/InvalidInput"
import * as Organization from "@freehold/core/organization/Organization"
import { SearchProperties, UnlockProperty } from "@freehold/core/property/PropertyOperations"
import { DeepResearchContact } from "@freehold/core/research/ResearchOperations"
import { Effect, Layer, Redacted } from "effect"
import { Cipher, Mac, SecureRandom } from "effect/crypto"
import { Answers } from "../src/Answers.ts"
import { Toolbox } from "../src/Toolbox.ts"
import { tools } from "../src/Tools.ts"

export const organization: Organization.Organization = { ...Organization.defaults("org_made_up"), plan: "enterprise" }

export const caller: KeyCaller = {
  kind: "key",
  territory: null,
  credentialId: "00000000-0000-4000-8000-000000000001",
  label: "made-up fhk_AAAAAAAA",
  keyName: "made-up",
  scopes: ["mcp"],
  organization,
  requestId: "request-1"
}

/** The tools of that key: none that needs a person or a further scope. */
export const toolNames = tools.flatMap(({ operation: { access }, published: { name } }) =>
  access.person === "required" || access.toolScope !== null ? [] : [name]
)

export const asCaller = Effect.provideService(Caller, caller)

export const balance = { total: 40, included: 30, purchased: 10, trial: 0, enterprise_pool: 0 }

/** What is told with the price of some ids, beside or instead of what is told of every other. */
const told: Readonly<Record<string, PriceDetail & { readonly projectedCredits: number; readonly balance: number }>> = {
  "of-a-place": {
    projectedCredits: 1,
    balance: 1,
    person: "Jo Sample",
    places: ["1 Sample Street"],
    records: { needed: 1, remaining: 2 }
  },
  "of-many": {
    projectedCredits: 70,
    balance: 80,
    places: ["1 Sample Street", "2 Sample Street"],
    properties: 7,
    skipped: [{ id: "made-up", reason: "NOT_FOUND" }]
  }
}

const search = decoder<typeof SearchProperties.input.Type, typeof SearchProperties.input.Encoded>(
  SearchProperties.input
)
const unlock = decoder<typeof UnlockProperty.input.Type, typeof UnlockProperty.input.Encoded>(UnlockProperty.input)
const contact = decoder<typeof GetContact.input.Type, typeof GetContact.input.Encoded>(GetContact.input)
const leads = decoder<typeof ListLeads.input.Type, typeof ListLeads.input.Encoded>(ListLeads.input)

const nothing = decoder<typeof GetCreditBalance.input.Type, typeof GetCreditBalance.input.Encoded>(
  GetCreditBalance.input
)

const deepResearch = decoder<typeof DeepResearchContact.input.Type, typeof DeepResearchContact.input.Encoded>(
  DeepResearchContact.input
)

/** The properties that deep research takes by turns where none is asked for: somebody else moves their leads meanwhile. */
export const propertyIds = ["00000000-0000-4000-8000-0000000000a1", "00000000-0000-4000-8000-0000000000a2"] as const
let lookedAt = 0

/** Searching for `outside` sees nothing; unlocking costs 10, one of them a member with a limit, and of nobody never ends; reading the account is a defect. */
export const layer = Layer.mock(Catalogue, {
  [DescribeWorkspace.name]: () =>
    Effect.map(Caller, (facts) => ({
      organization: { org_id: facts.organization.org_id, name: "Made-up Roofing" },
      plan: facts.organization.plan,
      credential: { kind: "key", label: facts.label, scopes: facts.scopes, role: null },
      territory: {
        serviceable_area: facts.organization.serviceable_area,
        entitlement: facts.organization.entitlement,
        member: null,
        counties: [],
        counties_total: 0
      },
      crm_mode: "internal",
      switches: { agent_pipeline_changes: true, signals: false },
      credits_remaining: 100,
      daily_limits: [],
      tools_unavailable: []
    })),
  [SearchProperties.name]: Effect.fnUntraced(function*(input) {
    const { query } = yield* Effect.fromResult(search(input))
    if (query === "outside") return yield* new NoVisibleTerritory({ cause: "no_serviceable_area" })
    return {
      results: [],
      has_more: false,
      next_cursor: null,
      sorted_by: { field: "relevance", direction: "desc" as const },
      searched_scope: { scoped: true, countyCount: 1, states: ["WA"] }
    }
  }),
  [GetContact.name]: Effect.fnUntraced(function*(input) {
    yield* Effect.fromResult(contact(input))
    return yield* new NotFound({ resource: "contact" })
  }),
  [UnlockProperty.name]: Effect.fnUntraced(function*(input) {
    const { id, maxCredits = 10 } = yield* Effect.fromResult(unlock(input))
    if (maxCredits < 10) {
      return yield* new CostConfirmationRequired({
        projectedCredits: 10,
        maxCredits,
        balance: 40,
        ownLimitRemaining: id === "of-a-limited-member" ? 12 : null,
        ...told[id]
      })
    }
    return id === "of-nobody" ? yield* Effect.never : { alreadyRevealed: false, creditsCharged: 10 }
  }),
  [DeepResearchContact.name]: Effect.fnUntraced(function*(input) {
    const { maxCredits = 10, property_id: asked } = yield* Effect.fromResult(deepResearch(input))
    const property_id = asked ?? propertyIds[lookedAt++ % 2] ?? null
    if (maxCredits < 10) {
      const place = property_id === null ? {} : { property_id }
      return yield* new CostConfirmationRequired({
        projectedCredits: 10,
        maxCredits,
        balance: 40,
        ownLimitRemaining: null,
        ...place
      })
    }
    return { run_id: "run-1", status: "queued" as const, credits_charged: 10, property_id, existing: null }
  }),
  [ListLeads.name]: Effect.fnUntraced(function*(input) {
    yield* Effect.fromResult(leads(input))
    return { items: [], next_cursor: null, has_more: false }
  }),
  [GetPriceSheet.name]: () =>
    Effect.succeed({ actions: [{ action: "unlock_property", credits: 10, free_when: ["already unlocked"] }] }),
  [GetCreditBalance.name]: (input) => Effect.as(Effect.fromResult(nothing(input)), balance),
  [GetAccount.name]: () => Effect.die(new Error("made-up defect"))
}).pipe(Layer.merge(Workload.layer), Layer.merge(RecordKinds.none))

/** What its tools answer, what seals their questions, and where it is kept which of these were answered. */
export const answers = Layer.mergeAll(
  Answers.layer.pipe(Layer.provide(Toolbox.layer), Layer.provide(layer)),
  CursorSeal.layer(Redacted.make(new Uint8Array(32).fill(7))).pipe(
    Layer.provide(Layer.merge(Cipher.layerWebCrypto, Mac.layerWebCrypto)),
    Layer.provideMerge(SecureRandom.layerWebCrypto)
  ),
  IdempotencyMemory.layer.pipe(Layer.provide(MemoryState.layer)),
  Workload.layer
)

/** What can be asked of research: tools alone, the specification has no REST endpoints for them. decisions, section 14. */
import { Schema } from "effect"
import { EntryActor } from "../access/EntryActor.ts"
import { NotFound, OutOfTerritory, PropertyRetired } from "../coverage/CoverageRefusals.ts"
import {
  CostConfirmationRequired,
  CreditsDormant,
  InsufficientCredits,
  UserCreditLimitExceeded
} from "../credit/CreditRefusals.ts"
import { MaxCredits } from "../credit/MaxCredits.ts"
import { dailyRefusals } from "../limit/LimitRefusals.ts"
import { ListNotFound, WrongListType } from "../list/ListRefusals.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"
import { PropertyIdOrKey } from "../property/PropertyOperations.ts"
import { LaunchRateLimited } from "../rate/LaunchRateLimited.ts"
import {
  AlreadyResearching,
  BatchAlreadyRunning,
  BatchTooLarge,
  BillingNotProvisioned,
  ContactRevealRequired,
  CreditActionInProgress,
  DoNotContact,
  EmptySelection,
  PropertyUnlockRequired,
  ResearchLaunchBusy,
  StrategyRequired,
  SubscriptionPaymentFailed
} from "./ResearchRefusals.ts"
import { Draft, FailureReason, ItemState, ResearchAction, Strategy } from "./ResearchRun.ts"

/** Most properties of one batch. */
export const maximumBatch = 100

const access = { scope: "mcp", plan: "enterprise", gate: "enrichments" } as const

const money = [
  BillingNotProvisioned,
  SubscriptionPaymentFailed,
  CreditsDormant,
  InsufficientCredits,
  UserCreditLimitExceeded,
  CostConfirmationRequired
] as const

const launching = [...money, AlreadyResearching, CreditActionInProgress, LaunchRateLimited] as const

const ofContact = [NotFound, PropertyUnlockRequired, ContactRevealRequired] as const

const ofPlace = [...ofContact, OutOfTerritory, PropertyRetired] as const

const started = {
  run_id: Schema.String,
  status: ItemState,
  credits_charged: Schema.Int
}

const Started = Schema.Struct(started)

const maxCredits = Schema.optionalKey(MaxCredits)

const property_id = Schema.optionalKey(
  PropertyIdOrKey.annotate({ description: "The contact's property that it is about; one of theirs when left out." })
)

const again = Schema.optionalKey(
  Schema.Boolean.annotate({ description: "Deep research anew, though there is some already." })
)

export const PriceResearch = Operation.make("service_price_research", {
  title: "Price research",
  description:
    "Free. What research would cost before it is started: per item and in all, with the balance. Name property_ids (one, " +
    "or several as a batch), contact_id or organization_id as the action needs.",
  input: Schema.Struct({
    action: ResearchAction,
    property_ids: Schema.optionalKey(Schema.Array(PropertyIdOrKey)),
    contact_id: Schema.optionalKey(Uuid),
    organization_id: Schema.optionalKey(Uuid),
    property_id,
    again
  }),
  output: Schema.Struct({
    projectedCredits: Schema.Int,
    items: Schema.Array(
      Schema.Struct({ id: Schema.String, credits: Schema.Int, refused: Schema.NullOr(Schema.String) })
    ),
    balance: Schema.Int,
    quote_expires_at: Schema.String
  }),
  refusals: [BatchTooLarge],
  access,
  effect: "read",
  work: "research"
})

export const ResearchProperty = Operation.make("service_research_property", {
  title: "Research a property",
  description:
    "Costs 10 credits, the unlock included; given back when nothing new is found. Starts research on a property and answers a " +
    "run to follow with service_get_research_status.",
  input: Schema.Struct({ id: PropertyIdOrKey, maxCredits }),
  output: Started,
  refusals: [NotFound, OutOfTerritory, PropertyRetired, ...launching, ...dailyRefusals],
  access,
  effect: "spend",
  work: "research"
})

export const ResearchProperties = Operation.make("service_research_properties", {
  title: "Research many properties",
  description:
    "Costs 10 credits a property, given back for each that fails. Starts one batch of up to 100 properties, named or from " +
    "a list; what cannot be researched or is open already is skipped. maxCredits is required.",
  input: Schema.Struct({
    property_ids: Schema.optionalKey(Schema.Array(PropertyIdOrKey)),
    list_id: Schema.optionalKey(Uuid),
    maxCredits: MaxCredits
  }),
  output: Schema.Struct({
    ...started,
    properties: Schema.Int,
    skipped: Schema.Array(Schema.Struct({ id: Schema.String, reason: Schema.String }))
  }),
  refusals: [
    ListNotFound,
    WrongListType,
    BatchTooLarge,
    EmptySelection,
    BatchAlreadyRunning,
    ResearchLaunchBusy,
    ...launching,
    ...dailyRefusals
  ],
  access,
  effect: "spend",
  work: "research"
})

export const GetResearchStatus = Operation.make("service_get_research_status", {
  title: "Follow a research run",
  description:
    "Free. How a run stands: queued, running, complete, partial or failed; its items, credits charged and returned, and " +
    "what was found for a contact.",
  input: Schema.Struct({ run_id: Uuid }),
  output: Schema.Struct({
    run_id: Schema.String,
    action: ResearchAction,
    status: ItemState,
    created_at: Schema.String,
    finished_at: Schema.NullOr(Schema.String),
    counts: Schema.Struct({
      total: Schema.Int,
      queued: Schema.Int,
      running: Schema.Int,
      complete: Schema.Int,
      partial: Schema.Int,
      failed: Schema.Int
    }),
    credits_charged: Schema.Int,
    credits_returned: Schema.Int,
    items: Schema.Array(
      Schema.Struct({
        subject_type: Schema.Literals(["property", "contact", "organization"]),
        subject_id: Schema.String,
        property_id: Schema.NullOr(Schema.String),
        status: ItemState,
        reason: Schema.NullOr(FailureReason)
      })
    ),
    strategy: Schema.optionalKey(Strategy),
    draft: Schema.optionalKey(Draft),
    email: Schema.optionalKey(Schema.NullOr(Schema.String))
  }),
  refusals: [NotFound],
  access,
  effect: "read",
  work: "research"
})

const Run = Schema.Struct({
  run_id: Schema.String,
  action: ResearchAction,
  status: ItemState,
  started_by: Schema.Struct({ kind: EntryActor.fields.kind, name: Schema.NullOr(Schema.String) }),
  created_at: Schema.String,
  finished_at: Schema.NullOr(Schema.String),
  credits_charged: Schema.Int,
  credits_returned: Schema.Int,
  /** The first one is named; a batch has more. */
  subject_type: Schema.Literals(["property", "contact", "organization"]),
  subject_id: Schema.String,
  /** What deep research or a draft about a person is about. */
  property_id: Schema.NullOr(Schema.String),
  items: Schema.Int,
  failed: Schema.Int,
  /** The first one's receipt: the number of its charge in the ledger. */
  receipt: Schema.Int
})

/** Of the app alone. */
export const ListRuns = Operation.make("app_list_runs", {
  title: "Research runs",
  description:
    "Free. The organization's runs, newest first, as far as you see what they are about: a page may hold fewer than asked for.",
  input: Schema.Struct({
    action: Schema.optionalKey(ResearchAction),
    /** Only those that the caller started. */
    mine: Schema.optionalKey(Schema.Boolean),
    limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))),
    cursor: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(100)))
  }),
  output: Schema.Struct({ runs: Schema.Array(Run), next_cursor: Schema.NullOr(Schema.String) }),
  refusals: [InvalidCursor],
  access: { ...access, scope: null, plan: "team" },
  effect: "read",
  tool: false
})

export const ResearchContact = Operation.make("service_research_contact", {
  title: "Research a contact",
  description:
    "Costs 5 credits, given back when nothing new is found. Researches a revealed contact's title, employer and details; " +
    "answers a run to follow with service_get_research_status.",
  input: Schema.Struct({ id: Uuid, maxCredits }),
  output: Started,
  refusals: [...ofContact, ...launching],
  access,
  effect: "spend",
  work: "research"
})

export const ResearchOrganization = Operation.make("service_research_organization", {
  title: "Research an organization",
  description:
    "Costs 2 credits, given back when nothing new is found. Researches an owner or management firm's domain, phone and " +
    "profiles; answers a run to follow with service_get_research_status.",
  input: Schema.Struct({ id: Uuid, maxCredits }),
  output: Started,
  refusals: [NotFound, ...launching],
  access,
  effect: "spend",
  work: "research"
})

export const FindEmail = Operation.make("service_find_email", {
  title: "Find an email address",
  description:
    "Costs 5 credits, given back when none is found; free when the contact's email is known already. For a revealed " +
    "contact; answers a run to follow with service_get_research_status.",
  input: Schema.Struct({ contact_id: Uuid, maxCredits }),
  output: Schema.Struct({
    run_id: Schema.NullOr(Schema.String),
    status: ItemState,
    credits_charged: Schema.Int,
    email: Schema.NullOr(Schema.String)
  }),
  refusals: [...ofContact, ...launching],
  access,
  effect: "spend",
  work: "research"
})

export const DeepResearchContact = Operation.make("service_deep_research_contact", {
  title: "Research a contact in depth",
  description:
    "Costs 10 credits, given back when it fails; free when it was done before. Works out how to approach a revealed " +
    "contact about one property, for service_draft_email. Answers a run to follow with service_get_research_status.",
  input: Schema.Struct({ contact_id: Uuid, property_id, again, maxCredits }),
  output: Schema.Struct({ ...started, property_id: Schema.NullOr(Schema.String) }),
  refusals: [...ofPlace, ...launching],
  access,
  effect: "spend",
  work: "research"
})

const Wish = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(300))

export const DraftEmail = Operation.make("service_draft_email", {
  title: "Draft an outreach email",
  description:
    "Costs 5 credits a draft, given back when none comes of it. Writes a short email to a contact after deep research. " +
    "purpose: what you offer or ask for; tone: friendly, formal or direct. Nothing is sent.",
  input: Schema.Struct({
    contact_id: Uuid,
    property_id,
    purpose: Schema.optionalKey(Wish),
    tone: Schema.optionalKey(Schema.Literals(["friendly", "formal", "direct"])),
    maxCredits
  }),
  output: Schema.Struct({
    ...started,
    credits_returned: Schema.Int,
    property_id: Schema.String,
    draft: Schema.NullOr(Draft)
  }),
  refusals: [...ofPlace, DoNotContact, StrategyRequired, ...launching],
  access,
  effect: "spend",
  work: "research"
})

/** What can be asked of research: tools alone, the specification has no REST endpoints for them. decisions, section 14. */
import { Schema } from "effect"
import { FeatureGated } from "../access/AccessRefusals.ts"
import { EntryActor } from "../access/EntryActor.ts"
import { NotFound, OutOfTerritory, PropertyRetired } from "../coverage/CoverageRefusals.ts"
import {
  BillingNotProvisioned,
  CostConfirmationRequired,
  CreditsDormant,
  InsufficientCredits,
  PriceDetail,
  Skipped,
  SubscriptionPaymentFailed,
  UserCreditLimitExceeded
} from "../credit/CreditRefusals.ts"
import { MaxCredits } from "../credit/MaxCredits.ts"
import { dailyRefusals } from "../limit/LimitRefusals.ts"
import { RecordsAhead } from "../limit/Metering.ts"
import { ListNotFound, WrongListType } from "../list/ListRefusals.ts"
import { atMost } from "../operation/Characters.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { noteField } from "../operation/Noting.ts"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"
import { PropertyIdOrKey } from "../property/PropertyOperations.ts"
import { LaunchRateLimited } from "../rate/LaunchRateLimited.ts"
import { Recipient } from "./Recipient.ts"
import {
  AlreadyResearching,
  BatchAlreadyRunning,
  BatchTooLarge,
  ContactRevealRequired,
  CreditActionInProgress,
  DoNotContact,
  EmptySelection,
  PropertyUnlockRequired,
  ResearchLaunchBusy,
  StrategyRequired
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

const { doNotContact, email_known, other_properties, records } = PriceDetail.fields

/** What a strategy or a draft speaks of, as people know it, and what there is to know of the choice. */
const about = { address: Schema.optionalKey(Schema.NullOr(Schema.String)), other_properties, ...noteField }

/** What was found is a record to be read. */
const Started = Schema.Struct({ ...started, records })

const maxCredits = Schema.optionalKey(MaxCredits)

const property_id = Schema.optionalKey(
  PropertyIdOrKey.annotate({
    description: "The contact's; default: unlocked or in the pipeline last."
  })
)

const again = Schema.optionalKey(
  Schema.Boolean.annotate({ description: "Pays anew." })
)

export const PriceResearch = Operation.make("service_price_research", {
  title: "Prices",
  description:
    "Free. What an unlock, a reveal or research would cost and what would refuse it now: per item and in all, with the " +
    "balance and any run that exists. Name the ids that the action needs.",
  input: Schema.Struct({
    action: Schema.Literals(["unlock_property", "reveal_contact", ...ResearchAction.literals]),
    property_ids: Schema.optionalKey(Schema.Array(PropertyIdOrKey)),
    contact_id: Schema.optionalKey(Uuid),
    organization_id: Schema.optionalKey(Uuid),
    property_id,
    again
  }),
  output: Schema.Struct({
    projectedCredits: Schema.Int,
    /** What all of it together would be refused with now; null: nothing. */
    refused: Schema.NullOr(Schema.String),
    /** The run that there is of the one item, or the batch that stands in the way of another; null: none. */
    run_id: Schema.NullOr(Schema.String),
    items: Schema.Array(Schema.Struct({
      id: Schema.String,
      credits: Schema.Int,
      refused: Schema.NullOr(Schema.String),
      run_id: Schema.NullOr(Schema.String),
      /** Of deep research and a draft: the property that they would speak of, or that must be opened first. */
      property_id: Schema.optionalKey(Uuid),
      /** What opening that property costs, beside the action itself. */
      opening_credits: Schema.optionalKey(Schema.Int),
      other_properties,
      doNotContact,
      email_known
    })),
    balance: Schema.Int,
    /** What is left of the member's own limit of the month; null: there is none. */
    ownLimitRemaining: Schema.NullOr(Schema.Int),
    /** What reading what would be opened or found takes of the records; null: nothing limits it, or nothing is to be read. */
    records: Schema.NullOr(RecordsAhead),
    quote_expires_at: Schema.String,
    ...noteField
  }),
  refusals: [FeatureGated, BatchTooLarge],
  // An unlock and a reveal need no research; what is priced says itself which part of the service it is of.
  access: { ...access, gate: null },
  effect: "read",
  work: "research"
})

export const ResearchProperty = Operation.make("service_research_property", {
  title: "Research a property",
  description:
    "Costs 10 credits, the unlock included; given back when nothing new is found. Researches a property; answers a run for " +
    "service_get_research_status.",
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
    "Costs 10 credits a property, given back for each that fails. Starts a batch of up to 100, named or from a list; " +
    "what cannot be researched or is open already is skipped.",
  input: Schema.Struct({
    property_ids: Schema.optionalKey(Schema.Array(PropertyIdOrKey)),
    list_id: Schema.optionalKey(Uuid),
    maxCredits: MaxCredits.annotate({ description: "Most to pay." })
  }),
  output: Schema.Struct({
    ...started,
    properties: Schema.Int,
    skipped: Skipped,
    /** Of a list that is longer than a batch: how many of it are open already, which are not named. */
    open_already: Schema.optionalKey(Schema.Int),
    records
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

const Evidence = Schema.Array(
  Schema.Struct({
    subject_type: Schema.Literals(["contact", "organization"]),
    subject_id: Schema.String,
    values: Schema.Array(Schema.String).annotate({ description: "What was found, as it stands in the quote." }),
    quote: Schema.String,
    source_url: Schema.String,
    read_at: Schema.String
  })
)

export const GetResearchStatus = Operation.make("service_get_research_status", {
  title: "Follow a research run",
  description:
    "Free. How a run and its items stand, credits charged and returned, and what was found, with evidence by pages. " +
    "May draw the daily contact-reveal limit.",
  input: Schema.Struct({ run_id: Uuid, cursor: Schema.optionalKey(Schema.String.check(atMost(100))) }),
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
        /** Of a property that the caller sees. */
        key: Schema.optionalKey(Schema.String),
        address: Schema.optionalKey(Schema.NullOr(Schema.String)),
        property_id: Schema.NullOr(Schema.String),
        status: ItemState,
        reason: Schema.NullOr(FailureReason),
        receipt: Schema.Int.annotate({ description: "Its charge, by its entry in the credit ledger." })
      })
    ),
    evidence: Evidence.annotate({
      description: "The words by which people and firms were found; of people who are open to you."
    }),
    strategy: Schema.optionalKey(Strategy),
    draft: Schema.optionalKey(Draft),
    to: Schema.optionalKey(Recipient),
    email: Schema.optionalKey(Schema.NullOr(Schema.String)),
    doNotContact,
    /** The day's reveals are used up, so that what shows how to reach somebody is left out. */
    revealCapExceeded: Schema.optionalKey(Schema.Literal(true)),
    /** Of a batch with much evidence, which goes on there, with its items; null: none is missing. */
    next_cursor: Schema.NullOr(Schema.String)
  }),
  refusals: [NotFound, InvalidCursor],
  access,
  effect: "meter",
  work: "research"
})

/** GET /research/runs. */
export const ListResearchRuns = Operation.make("service_list_research_runs", {
  title: "Research runs",
  description:
    "Free. Research and drafts, newest first, no unlocks: subject, state, cost and result of each run, of one subject " +
    "or all. The run_id reads a strategy or draft again.",
  input: Schema.Struct({
    contact_id: Schema.optionalKey(Uuid),
    property_id: Schema.optionalKey(PropertyIdOrKey),
    organization_id: Schema.optionalKey(Uuid),
    action: Schema.optionalKey(ResearchAction),
    mine: Schema.optionalKey(Schema.Boolean.annotate({ description: "Only your own." })),
    limit: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({ description: "Default 25." })
    ),
    cursor: Schema.optionalKey(
      Schema.String.check(atMost(100))
    )
  }),
  output: Schema.Struct({
    runs: Schema.Array(
      Schema.Struct({
        ...started,
        action: ResearchAction,
        subject_type: Schema.Literals(["property", "contact", "organization"]),
        subject_ids: Schema.Array(Schema.String).annotate({ description: "The first 5 of a batch." }),
        subjects: Schema.Int.annotate({ description: "How many subjects the run has." }),
        property_id: Schema.NullOr(Schema.String),
        created_at: Schema.String,
        finished_at: Schema.NullOr(Schema.String),
        credits_returned: Schema.Int,
        failed: Schema.Int.annotate({ description: "Subjects about which nothing was found: given back." }),
        started_by: Schema.Struct({ kind: EntryActor.fields.kind, name: Schema.NullOr(Schema.String) }).annotate({
          description: "Whoever started it."
        }),
        receipt: Schema.NullOr(Schema.Int).annotate({
          description: "The first subject's charge, by its entry in the credit ledger."
        }),
        result: Schema.NullOr(Schema.Struct({ kind: Schema.Literals(["strategy", "draft"]), summary: Schema.String })),
        evidence: Evidence.annotate({
          description:
            "The words by which people and firms were found, the first 5; of people who are open to you. Of " +
            "those whom the subscription alone opens, … stands for how to reach them."
        })
      }).annotate({ identifier: "ResearchRun" })
    ),
    next_cursor: Schema.NullOr(Schema.String),
    ...noteField
  }),
  refusals: [InvalidCursor, NotFound, OutOfTerritory, PropertyRetired],
  access: { ...access, scope: "data:read" },
  effect: "read",
  work: "research",
  extension: true
})

export const ResearchContact = Operation.make("service_research_contact", {
  title: "Research a contact",
  description:
    "Costs 5 credits, given back when nothing new is found. Researches a revealed contact's title, employer and details; " +
    "answers a run for service_get_research_status.",
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
    "profiles; answers a run for service_get_research_status.",
  input: Schema.Struct({ id: Uuid, maxCredits }),
  output: Started,
  refusals: [NotFound, ...launching],
  access,
  effect: "spend",
  work: "research"
})

export const FindEmail = Operation.make("service_find_email", {
  title: "Find an email",
  description:
    "Costs 5 credits, given back when none is found; free when it is known, which may draw the daily contact-reveal " +
    "limit. For a revealed contact; answers a run for service_get_research_status.",
  input: Schema.Struct({ contact_id: Uuid, maxCredits }),
  output: Schema.Struct({
    run_id: Schema.NullOr(Schema.String),
    status: ItemState,
    credits_charged: Schema.Int,
    email: Schema.NullOr(Schema.String),
    doNotContact
  }),
  refusals: [...ofContact, ...launching, ...dailyRefusals],
  access,
  effect: "spend",
  work: "research"
})

export const DeepResearchContact = Operation.make("service_deep_research_contact", {
  title: "Deep research",
  description:
    "Costs 10 credits, given back when it fails; what exists is answered free, with its age, unless again is true. Works " +
    "out how to approach a contact about an unlocked property of theirs, for service_draft_email.",
  input: Schema.Struct({ contact_id: Uuid, property_id, again, maxCredits }),
  output: Schema.Struct({
    ...started,
    property_id: Schema.NullOr(Schema.String),
    ...about,
    existing: Schema.NullOr(Schema.Struct({ finished_at: Schema.NullOr(Schema.String), age_days: Schema.Int })),
    doNotContact
  }),
  refusals: [...ofPlace, ...launching],
  access,
  effect: "spend",
  work: "research"
})

const Wish = Schema.String.check(Schema.isMinLength(1), atMost(300))

export const DraftEmail = Operation.make("service_draft_email", {
  title: "Draft an email",
  description:
    "Costs 5 credits, given back when none comes of it. Writes a short email to a contact after deep research. " +
    "purpose: what you offer or ask for. Nothing is sent. May draw the daily contact-reveal limit.",
  input: Schema.Struct({
    contact_id: Uuid,
    property_id: Schema.optionalKey(
      PropertyIdOrKey.annotate({ description: "Default: as for deep research, else that of the last one." })
    ),
    purpose: Schema.optionalKey(Wish),
    tone: Schema.optionalKey(Schema.Literals(["friendly", "formal", "direct"])),
    maxCredits
  }),
  output: Schema.Struct({
    ...started,
    credits_returned: Schema.Int,
    property_id: Schema.String,
    ...about,
    draft: Schema.NullOr(Draft),
    to: Recipient
  }),
  refusals: [...ofPlace, DoNotContact, StrategyRequired, ...launching],
  access,
  effect: "spend",
  work: "research"
})

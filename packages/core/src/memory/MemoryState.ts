/**
 * The state behind every in-memory port: one object, changed only synchronously, so that each change is atomic.
 *
 * For embedding without a database and for tests. Nothing of it survives the process.
 */
import { Context, Layer } from "effect"
import type { Redacted, Schema } from "effect"
import type { Connection } from "../access/Connections.ts"
import type { Credential } from "../access/KeyRing.ts"
import type { AdministrationEntry } from "../administration/AdministrationLog.ts"
import type { OperatorEntry } from "../administration/OperatorLog.ts"
import type { Change, ChangeSide, WithdrawalReason } from "../change/Changes.ts"
import type { Contact, RelationshipStatus, RoleType } from "../contact/Contact.ts"
import type { AccessRecord, OpenGrant } from "../credit/Ledger.ts"
import type { Allocation, LedgerEntry } from "../credit/LedgerEntry.ts"
import type { Firm } from "../firm/Firm.ts"
import type { AttachedFirm, BundleTask } from "../lead/BundleSource.ts"
import type { ListType, Visibility } from "../list/List.ts"
import type { Note } from "../note/Notes.ts"
import type { Notice } from "../notice/Notices.ts"
import type { Organization } from "../organization/Organization.ts"
import type { Member } from "../organization/Organizations.ts"
import type { CustomerStatus, Lead, StageChange } from "../pipeline/Pipeline.ts"
import type { Property } from "../property/Property.ts"
import type { RateWindow } from "../rate/RateWindow.ts"
import type { Asked, OperatorRequest } from "../request/OperatorRequests.ts"
import type { Run, RunItem } from "../research/ResearchRun.ts"
import type { SavedSearch } from "../search/SavedSearches.ts"
import type { AttemptRecord } from "../webhook/Deliveries.ts"
import type { WebhookEndpoint } from "../webhook/WebhookEndpoints.ts"
import { type MatchTables, unmatched } from "./MatchTables.ts"
import type { StoredAnswer } from "./operation/StoredAnswer.ts"
import type { StoredSource } from "./source/StoredSource.ts"

/** A property without what depends on who reads it. */
export type StoredProperty = Omit<
  Property,
  "unlocked" | "contactCounts" | "ownerWithheld" | "beneficialOwnerWithheld"
>

export interface PropertyContact {
  readonly propertyId: string
  readonly contactId: string
  readonly role: RoleType | null
  readonly relationshipStatus: RelationshipStatus
  readonly attributionType: string
}

/** A recorded change of a property or a person, or the withdrawal of one. */
export interface StoredChange {
  readonly id: string
  readonly kind: string
  readonly propertyId: string | null
  readonly contactId: string | null
  /** Milliseconds. */
  readonly detectedAt: number | null
  readonly effectiveDate: string | null
  readonly source: Change["source"]
  readonly before: ChangeSide | null
  readonly after: ChangeSide | null
  /** The id of the change that this one takes back. */
  readonly withdraws: string | null
}

export interface StoredEvent {
  readonly id: string
  readonly orgId: string
  readonly type: string
  readonly propertyId: string | null
  readonly subjectType: string | null
  readonly subjectId: string | null
  /** The event that this one takes back. */
  readonly withdrawsEventId: string | null
  /** The change that the event is about, or that is taken back. */
  readonly changeId?: string | null
  /** Why it was taken back. */
  readonly withdrawalReason?: WithdrawalReason
  readonly partial: boolean
  readonly test: boolean
  readonly byAgent: boolean
  readonly status: "pending" | "fanned_out" | "skipped"
  readonly skipReason: string | null
  /** Milliseconds. */
  readonly occurredAt: number
  /** Milliseconds with microseconds behind the point; later than that of every event recorded before. */
  readonly createdAt: number
  readonly fannedOutAt: number | null
}

export interface StoredDelivery {
  readonly id: string
  readonly orgId: string
  readonly eventId: string
  readonly endpointId: string
  readonly eventType: string
  readonly propertyId: string | null
  readonly test: boolean
  readonly partial: boolean
  readonly state: string
  readonly attempts: number
  /** Waits or is sent because it was asked for again; one attempt, not of the five. */
  readonly resending: boolean
  /** Attempts made so. */
  readonly resends: number
  /** When it was delivered first, in milliseconds. */
  readonly deliveredAt: number | null
  readonly claim: number
  /** Of its endpoint, while it is claimed. */
  readonly place: number
  readonly claimedUntil: number | null
  /** Milliseconds; null: finished. */
  readonly dueAt: number | null
  readonly data: string | null
  /** Why it was postponed or cancelled. */
  readonly reason: string | null
  readonly createdAt: number
  readonly finishedAt: number | null
  /** Counts as under way while that claim is held, with the records that it would take. */
  readonly hold: { readonly claim: number; readonly records: number } | null
  /** What arrived is booked once. */
  readonly booking: "none" | "running" | "done"
  readonly log: ReadonlyArray<AttemptRecord & { readonly at: number }>
}

export interface StoredEndpoint extends WebhookEndpoint {
  readonly targetKey: string
  readonly secret: Redacted.Redacted
  /** The secret before, in force beside the new one until then (milliseconds). */
  readonly previous: { readonly secret: Redacted.Redacted; readonly until: number } | null
}

/** A session in the app. Times are milliseconds. */
export interface StoredSession {
  readonly sessionId: string
  readonly orgId: string
  readonly memberId: string
  readonly signedInAt: number
  readonly lastUsedAt: number
  readonly userAgent: string | null
  /** Whom the authorization server made known, if they may change the organization. */
  readonly identity: StoredIdentity | null
  readonly signOutHint: Uint8Array | null
}

/** A link by which a member may sign in to the app. */
export interface StoredLink {
  readonly orgId: string
  readonly memberId: string
  readonly secretHash: string
  /** Milliseconds. */
  readonly expiresAt: number
}

export interface StoredOperatorSession {
  readonly sessionId: string
  readonly name: string
  readonly secretHash: string
  /** Milliseconds, as the other times. */
  readonly signedInAt: number
  readonly lastUsedAt: number
  readonly userAgent: string | null
}

/** A notice, with what it is about, and its mail. `at`: milliseconds, as `mailDueAt`. */
export interface StoredNotice extends Omit<Notice, "createdAt" | "mail"> {
  readonly cause: string
  readonly at: number
  /** null: nothing is left to send. */
  readonly mailDueAt: number | null
  readonly mailAttempts: number
  readonly mailEnded: ReadonlyArray<string>
  readonly mailFault: string | null
}

/** A line of the log of administration. `now`: milliseconds. */
export interface StoredAdministration extends Omit<AdministrationEntry, "at"> {
  readonly orgId: string
  readonly now: number
}

/** What a member opened in the app lately. Times are milliseconds. */
export interface StoredViewer {
  readonly pausedUntil: number
  /** By property. */
  readonly openedAt: ReadonlyMap<string, number>
}

export interface StoredIdentity {
  readonly issuer: string
  readonly subject: string
}

export interface StoredRun extends Run {
  readonly items: ReadonlyArray<
    RunItem & {
      readonly claim: number
      readonly attempts: number
      readonly handedOver: boolean
      /** Milliseconds. */
      readonly dueAt: number
    }
  >
}

/** A note with whose it is. */
export type StoredNote = Omit<Note, "propertyId">

/** Times in milliseconds. */
export interface StoredList {
  readonly id: string
  readonly orgId: string
  readonly name: string
  readonly type: ListType
  readonly visibility: Visibility
  /** The member who made it; null: a key. */
  readonly ownerId: string | null
  readonly ownerName: string
  readonly sharedWith: ReadonlyArray<string>
  readonly createdAt: number
  /** When each item was added, by its id. */
  readonly items: ReadonlyMap<string, number>
}

/** Times in milliseconds. */
export interface StoredSearch extends Omit<SavedSearch, "createdAt"> {
  readonly orgId: string
  readonly ownerId: string
  readonly createdAt: number
}

/** Times in milliseconds; `closedAt` null: open. */
export interface StoredRequest extends Pick<OperatorRequest, "id" | "orgId" | "actor" | "requestId"> {
  readonly asked: Asked
  readonly createdAt: number
  readonly closedAt: number | null
  readonly answer: string | null
}

/** One organization's part of the ledger. */
export interface StoredAccount {
  readonly entries: ReadonlyArray<LedgerEntry & { readonly allocations: ReadonlyArray<Allocation> }>
  /** Every grant ever made, by ref, used up ones included. */
  readonly grants: ReadonlyMap<string, OpenGrant>
  readonly properties: ReadonlyMap<string, AccessRecord>
  readonly contacts: ReadonlyMap<string, AccessRecord>
  /** Charges for a property that was paid for twice before its records were merged: the property that each opens. */
  readonly mergedCharges: ReadonlyMap<number, string>
  /** By `<action> <subject id>`. */
  readonly own: ReadonlyMap<string, AccessRecord>
  /** Metered bundles by the first millisecond of their UTC month. */
  readonly exports: ReadonlyMap<number, number>
  /** What was used of the limits, by the names of `UsageCounters`. */
  readonly usage: ReadonlyMap<string, number>
}

/** A task with the id of whose it is. */
export interface KeptTask extends BundleTask {
  readonly assigneeId: string | null
}

export interface State extends MatchTables {
  readonly organizations: Map<string, Organization>
  readonly members: Map<string, ReadonlyArray<Member>>
  /** Where members have signed in, in the order in which they joined, by `<org id> <member id>`; null: not yet. */
  readonly identities: Map<string, StoredIdentity | null>
  /** By `<member id> <client id>`, in the order of their making. */
  readonly connections: Map<string, Connection>
  /** Live links for signing in to the app, by `<org id> <member id>`. */
  readonly signInLinks: Map<string, StoredLink>
  /** Sessions in the app, by SHA-256 of the secret. */
  readonly sessions: Map<string, StoredSession>
  /** Live links of the operator's people, by name. */
  readonly operatorLinks: Map<
    string,
    { readonly name: string; readonly secretHash: string; readonly expiresAt: number }
  >
  /** By id. */
  readonly operatorSessions: Map<string, StoredOperatorSession>
  /** By the id of their session. */
  readonly operatorViews: Map<string, StoredLink>
  /** Oldest first. */
  readonly notices: Array<StoredNotice>
  /** By organization, the newest first. */
  readonly administration: Map<string, ReadonlyArray<StoredAdministration>>
  /** The newest first. */
  readonly operatorLog: Array<OperatorEntry>
  /** By `<org id> <member id>`. */
  readonly viewers: Map<string, StoredViewer>
  /** By SHA-256 of the secret. */
  readonly credentials: Map<string, Credential>
  /** The present secret by the one before a rotation, both as SHA-256. */
  readonly previousSecrets: Map<string, string>
  /** By credential id, of keys and connections. */
  readonly windows: Map<string, RateWindow>
  /** Requests by `<org id> <first millisecond of the day>`. */
  readonly days: Map<string, number>
  readonly properties: Map<string, StoredProperty>
  readonly contacts: Map<string, Contact>
  readonly propertyContacts: Array<PropertyContact>
  /** Firms by property. */
  readonly firms: Map<string, ReadonlyArray<AttachedFirm>>
  /** Firms by id. */
  readonly firmRecords: Map<string, Firm>
  readonly accounts: Map<string, StoredAccount>
  /** By `<org id> <property id>`, like their history, notes, tasks and customer accounts. */
  readonly leads: Map<string, Lead>
  readonly leadHistory: Map<string, ReadonlyArray<StageChange>>
  readonly notes: Map<string, ReadonlyArray<StoredNote>>
  readonly tasks: Map<string, ReadonlyArray<KeptTask>>
  readonly customerAccounts: Map<string, CustomerStatus>
  /** By `<org id> <list id>`. */
  readonly lists: Map<string, StoredList>
  /** By `<org id> <id>`. */
  readonly savedSearches: Map<string, StoredSearch>
  readonly operatorRequests: Map<string, StoredRequest>
  readonly changes: Array<StoredChange>
  /** Runs of research by id, in the order of their launch. */
  readonly researchRuns: Map<string, StoredRun>
  /** By name. */
  readonly sources: Map<string, StoredSource>
  /** What a finder remembers; `expiresAt` in milliseconds. */
  readonly finderCache: Map<string, { readonly value: Schema.Json; readonly expiresAt: number }>
  /** Properties that a merge retired. */
  readonly mergedAway: Set<string>
  /** Ids of those of which events were made. */
  readonly relayedChanges: Set<string>
  /** By organization: how many changes had been recorded when it first subscribed to any. */
  readonly changeSubscriptions: Map<string, number>
  /** When each was recorded, in milliseconds: contacts and properties by id, owners by the key of the name. */
  readonly suppressedContacts: Map<string, number>
  readonly suppressedProperties: Map<string, number>
  readonly suppressedOwners: Map<string, { readonly name: string; readonly at: number }>
  readonly events: Map<string, StoredEvent>
  readonly endpoints: Map<string, StoredEndpoint>
  readonly deliveries: Map<string, StoredDelivery>
  /** By endpoint and place: until when it rests. */
  readonly restingPlaces: Map<string, Map<number, number>>
  /** By `<credential id> <key>`. */
  readonly idempotentAnswers: Map<string, StoredAnswer>
  /** Called when an event was recorded. */
  readonly eventListeners: Set<() => void>
}

/** A state in which nothing has happened. */
export const make = (): State => ({
  ...unmatched(),
  organizations: new Map(),
  members: new Map(),
  identities: new Map(),
  connections: new Map(),
  signInLinks: new Map(),
  sessions: new Map(),
  operatorLinks: new Map(),
  operatorSessions: new Map(),
  operatorViews: new Map(),
  notices: [],
  administration: new Map(),
  operatorLog: [],
  viewers: new Map(),
  credentials: new Map(),
  previousSecrets: new Map(),
  windows: new Map(),
  days: new Map(),
  properties: new Map(),
  contacts: new Map(),
  propertyContacts: [],
  firms: new Map(),
  firmRecords: new Map(),
  accounts: new Map(),
  leads: new Map(),
  leadHistory: new Map(),
  notes: new Map(),
  tasks: new Map(),
  customerAccounts: new Map(),
  lists: new Map(),
  savedSearches: new Map(),
  operatorRequests: new Map(),
  changes: [],
  researchRuns: new Map(),
  sources: new Map(),
  finderCache: new Map(),
  mergedAway: new Set(),
  relayedChanges: new Set(),
  changeSubscriptions: new Map(),
  suppressedContacts: new Map(),
  suppressedProperties: new Map(),
  suppressedOwners: new Map(),
  events: new Map(),
  endpoints: new Map(),
  deliveries: new Map(),
  restingPlaces: new Map(),
  idempotentAnswers: new Map(),
  eventListeners: new Set()
})

/** What every port in memory reads and writes: give the same one to all of them. */
export class MemoryState extends Context.Service<MemoryState, State>()("@freehold/core/memory/MemoryState") {
  static readonly layer = Layer.sync(MemoryState, make)
}

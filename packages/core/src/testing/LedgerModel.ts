/**
 * The ledger as a plain value: what every call must answer, and what must be left behind.
 *
 * A state is one organization, what it owns and what is around it; `step` takes it from one call to the next with the
 * pure decisions of the core and nothing else. So it is an oracle for the services over any port: for a sequence of
 * calls, and for simultaneous ones by trying their orders (`LedgerExplanation`).
 *
 * All data is made up.
 */
import { Result } from "effect"
import type { EntryActor } from "../access/EntryActor.ts"
import { decideReveal } from "../contact/RevealDecision.ts"
import { NotFound, OutOfTerritory, PropertyRetired } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import { Bucket, type BucketAmounts } from "../credit/Bucket.ts"
import { inBurnDownOrder, spendable } from "../credit/BurnDown.ts"
import { decideExport } from "../credit/ExportDecision.ts"
import { decideGrant } from "../credit/Grant.ts"
import type { AccessRecord, LedgerDecision, LedgerSnapshot, OpenGrant, Subject } from "../credit/Ledger.ts"
import { numbered, type StoredEntry } from "../credit/LedgerDecision.ts"
import { prices } from "../credit/Price.ts"
import { decideRefund } from "../credit/Refund.ts"
import { none as noUsage } from "../limit/Usage.ts"
import { monthStart } from "../operation/UtcTime.ts"
import { defaults, type Organization } from "../organization/Organization.ts"
import { reveal } from "../property/Research.ts"
import { decideUnlock } from "../property/UnlockDecision.ts"

export const dayMillis = 86_400_000

/** Two days before the end of a month, so that waiting crosses it. */
export const start = Date.UTC(2026, 2, 30)

const operator: EntryActor = { kind: "operator", id: null, name: "Sample Operator" }

/** The two keys with which calls are made. */
export const keyIds = ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"] as const
export const keyName = "sample"

export interface SceneProperty {
  readonly id: string
  readonly key: string
  readonly countyFips: string
  readonly researched: boolean
  readonly retiredInto: string | null
}

/** Items that only one test knows. */
export interface Scene {
  readonly orgId: string
  readonly properties: ReadonlyArray<SceneProperty>
  readonly contacts: ReadonlyArray<string>
  /** The county that the subscription covers when it covers anything. */
  readonly licensedCounty: string
}

/** A property is named by its id, by its id in upper case, or by its key. */
export type Door = "id" | "upper" | "key"

/** What an organization does, or what happens to it. Items are named by their index in the scene. */
export type Command =
  | {
    readonly _tag: "Grant"
    readonly ref: number
    readonly bucket: Bucket
    readonly amount: number
    /** Until it expires; null: never. */
    readonly days: number | null
  }
  /** Of the charge with this index. */
  | { readonly _tag: "Refund"; readonly charge: number }
  | {
    readonly _tag: "Unlock"
    readonly property: number
    readonly door: Door
    readonly key: 0 | 1
    readonly max: number | null
  }
  | {
    readonly _tag: "Reveal"
    readonly contact: number
    readonly door: Exclude<Door, "key">
    readonly key: 0 | 1
    readonly max: number | null
  }
  | { readonly _tag: "Export"; readonly property: number; readonly key: 0 | 1 }
  | { readonly _tag: "Look"; readonly property: number; readonly door: Door }
  | { readonly _tag: "Wait"; readonly days: number }
  | { readonly _tag: "Attach"; readonly property: number; readonly contact: number }
  | {
    readonly _tag: "Payment"
    readonly failed: boolean
    readonly dormant: boolean
    readonly freeExports: number
  }
  | { readonly _tag: "Coverage"; readonly licensed: boolean }

/** A command whose refund names its entry and whose request has an id, as it is made. */
export type Call =
  & (Exclude<Command, { readonly _tag: "Refund" }> | { readonly _tag: "Refund"; readonly entry: number })
  & { readonly requestId: string }

/** `code` is that of the refusal, or `ok`; beside it stands what was answered. */
export type Answer = Readonly<Record<string, unknown>> & { readonly code: string }

/** What one organization owns. */
interface Account {
  readonly entries: ReadonlyArray<StoredEntry>
  /** Every grant ever made, oldest first. */
  readonly grants: ReadonlyArray<OpenGrant>
  readonly properties: ReadonlyMap<string, AccessRecord>
  readonly contacts: ReadonlyMap<string, AccessRecord>
  /** By the first millisecond of the UTC month. */
  readonly exports: ReadonlyMap<number, number>
}

export interface ModelState {
  readonly scene: Scene
  readonly organization: Organization
  readonly now: number
  /** Property and contact, by index. */
  readonly attachments: ReadonlyArray<readonly [property: number, contact: number]>
  readonly account: Account
}

/** Property 0 has the contacts 0 and 1, property 1 has 1 and 2, the retired one has 3; 4 has no property yet. */
const attachedAtFirst: ModelState["attachments"] = [[0, 0], [0, 1], [1, 1], [1, 2], [4, 3]]

export const initial = (scene: Scene, now: number = start): ModelState => ({
  scene,
  now,
  organization: {
    ...defaults(scene.orgId),
    plan: "enterprise",
    serviceable_area: {
      whole_state_abbrs: [],
      // Property 3 lies outside.
      county_fips: scene.properties.flatMap(({ countyFips }, index) => index === 3 ? [] : [countyFips])
    }
  },
  attachments: attachedAtFirst,
  account: { entries: [], grants: [], properties: new Map(), contacts: new Map(), exports: new Map() }
})

/** The call that a command comes to in a state. */
export const callOf = (state: ModelState, command: Command, requestId: string): Call => {
  if (command._tag !== "Refund") return { ...command, requestId }
  const charged = state.account.entries.filter(({ kind }) => kind === "charge")[command.charge]
  // A number that no entry has reached yet.
  return { _tag: "Refund", entry: charged?.entry ?? 100_000, requestId }
}

export const refOf = (grant: number): string => `ref ${grant}`

/** A refusal in the form of an answer. */
export const refused = (refusal: { readonly _tag: string }): Answer => {
  const { _tag: code, ...facts } = refusal
  return { code, ...facts }
}

const ok = (facts: object): Answer => ({ code: "ok", ...facts })

const snapshotOf = ({ account, attachments, organization, scene }: ModelState, subject: Subject): LedgerSnapshot => {
  const access = subject._tag === "Property" || subject._tag === "Exports"
    ? account.properties.get(subject.propertyId ?? "")
    : subject._tag === "Contact"
    ? account.contacts.get(subject.contactId)
    : undefined
  const entry = subject._tag === "Grant"
    ? account.entries.find((each) => each.kind === "grant" && each.ref === subject.ref)
    : subject._tag === "Entry"
    ? account.entries.find((each) => each.entry === subject.entry)
    : undefined
  return {
    version: account.entries.length,
    organization,
    grants: inBurnDownOrder(account.grants).filter(({ ref, remaining }) =>
      remaining > 0 || subject._tag === "Entry" && entry?.allocations.some(({ grantRef }) => grantRef === ref) === true
    ),
    access: access ?? null,
    openedByProperty: subject._tag === "Contact" &&
      attachments.some(([property, contact]) =>
        scene.contacts[contact] === subject.contactId
        && account.properties.get(scene.properties[property]?.id ?? "")?.source === "paid"
      ),
    exportsUsed: subject._tag === "Exports" ? account.exports.get(subject.monthStart) ?? 0 : 0,
    entry: entry ?? null,
    refundedBy: subject._tag === "Entry"
      ? account.entries.find((each) => each.refund_of === subject.entry)?.entry ?? null
      : null,
    // The model sets no limits; `LimitsContract` tries those.
    usage: noUsage
  }
}

/** The account after a decision about it. */
const after = (state: ModelState, decision: LedgerDecision<unknown>): Account => {
  const { account, now } = state
  const entries = numbered(
    { version: account.entries.length, grants: account.grants },
    decision.entries,
    now
  )
  const moved = new Map<string, number>()
  for (const { allocations, kind } of entries) {
    for (const { amount, grantRef } of allocations) {
      moved.set(grantRef, (moved.get(grantRef) ?? 0) + (kind === "refund" ? amount : -amount))
    }
  }
  const records = { property: new Map(account.properties), contact: new Map(account.contacts) }
  const chargeEntry = entries.find(({ kind }) => kind === "charge")?.entry ?? null
  for (const change of decision.access) {
    // The model's commands are about what is bought one at a time.
    if (change.kind === "own" || change._tag === "Include") continue
    if (change._tag === "Remove") records[change.kind].delete(change.id)
    else {
      const { id, kind, source } = change
      records[kind].set(id, { source, chargeEntry: source === "paid" ? chargeEntry : null })
    }
  }
  const month = monthStart(now)
  return {
    entries: [...account.entries, ...entries],
    grants: [...account.grants, ...decision.newGrants].map((grant) => ({
      ...grant,
      remaining: grant.remaining + (moved.get(grant.ref) ?? 0)
    })),
    properties: records.property,
    contacts: records.contact,
    exports: decision.exports === 0
      ? account.exports
      : new Map(account.exports).set(month, (account.exports.get(month) ?? 0) + decision.exports)
  }
}

type Stepped = readonly [state: ModelState, answer: Answer]

const transact = <A extends object>(
  state: ModelState,
  subject: Subject,
  decide: (snapshot: LedgerSnapshot) => Result.Result<LedgerDecision<A>, { readonly _tag: string }>
): Stepped =>
  Result.match(decide(snapshotOf(state, subject)), {
    onFailure: (refusal) => [state, refused(refusal)],
    onSuccess: (decision) => [{ ...state, account: after(state, decision) }, ok(decision.value)]
  })

/** Why the organization does not get to see the property. */
const hiddenProperty = (state: ModelState, property: SceneProperty | undefined): Answer | null => {
  if (property === undefined) return refused(new NotFound({ resource: "property" }))
  if (!Territory.sees(Territory.wholeArea(state.organization), property.countyFips)) {
    return refused(new OutOfTerritory({ reason: "subscription", county_fips: property.countyFips }))
  }
  if (property.retiredInto !== null) {
    return refused(new PropertyRetired({ successorPropertyId: property.retiredInto }))
  }
  return null
}

/** What `call` answers in `state`, and the state after it. */
export const step = (state: ModelState, call: Call): Stepped => {
  const { now, organization, scene } = state
  const { requestId } = call
  const isPaid = (propertyId: string) => state.account.properties.get(propertyId)?.source === "paid"
  const payer = (key: 0 | 1) => ({
    actor: { kind: "key", id: keyIds[key], name: keyName } satisfies EntryActor,
    requestId,
    now
  })
  switch (call._tag) {
    case "Grant": {
      const ref = refOf(call.ref)
      return transact(state, { _tag: "Grant", ref }, (snapshot) =>
        decideGrant(snapshot, {
          ref,
          bucket: call.bucket,
          amount: call.amount,
          expiresAt: call.days === null ? null : now + call.days * dayMillis,
          actor: operator,
          requestId: null,
          now
        }))
    }
    case "Refund":
      return transact(
        state,
        { _tag: "Entry", entry: call.entry },
        (snapshot) => decideRefund(snapshot, { actor: operator, requestId: null, now })
      )
    case "Unlock": {
      const property = scene.properties[call.property]
      const hidden = hiddenProperty(state, property)
      if (hidden !== null || property === undefined) return [state, hidden ?? { code: "" }]
      const { countyFips, id: propertyId, researched } = property
      return transact(state, { _tag: "Property", propertyId }, (snapshot) =>
        decideUnlock(snapshot, {
          propertyId,
          covered: Territory.covers(organization, countyFips),
          researched,
          price: prices.unlock_property,
          maxCredits: call.max ?? undefined,
          ...payer(call.key)
        }))
    }
    case "Reveal": {
      const contactId = scene.contacts[call.contact]
      const counties = state.attachments.flatMap(([property, contact]) => {
        const standing = scene.properties[property]
        return contact === call.contact && standing?.retiredInto === null ? [standing.countyFips] : []
      })
      if (
        contactId === undefined ||
        !counties.some((countyFips) => Territory.sees(Territory.wholeArea(organization), countyFips))
      ) {
        return [state, refused(new NotFound({ resource: "contact" }))]
      }
      return transact(state, { _tag: "Contact", contactId }, (snapshot) =>
        decideReveal(snapshot, {
          contactId,
          covered: counties.some((countyFips) => Territory.covers(organization, countyFips)),
          price: prices.reveal_contact,
          maxCredits: call.max ?? undefined,
          ...payer(call.key)
        }))
    }
    case "Export": {
      const property = scene.properties[call.property]
      const hidden = hiddenProperty(state, property)
      if (hidden !== null || property === undefined) return [state, hidden ?? { code: "" }]
      const { countyFips, id: propertyId } = property
      return transact(
        state,
        { _tag: "Exports", monthStart: monthStart(now), propertyId },
        (snapshot) =>
          decideExport(snapshot, {
            propertyId,
            covered: Territory.covers(organization, countyFips),
            ...payer(call.key)
          })
      )
    }
    case "Look": {
      const property = scene.properties[call.property]
      const hidden = hiddenProperty(state, property)
      if (hidden !== null || property === undefined) return [state, hidden ?? { code: "" }]
      return [
        state,
        ok(reveal({
          researched: property.researched,
          unlocked: isPaid(property.id),
          covered: Territory.covers(organization, property.countyFips)
        }))
      ]
    }
    case "Wait":
      return [{ ...state, now: now + call.days * dayMillis }, ok({})]
    case "Attach": {
      const known = state.attachments.some(([property, contact]) =>
        property === call.property && contact === call.contact
      )
      const attachments = [...state.attachments, [call.property, call.contact] as const]
      return [known ? state : { ...state, attachments }, ok({})]
    }
    case "Payment":
      return [{
        ...state,
        organization: {
          ...organization,
          payment_status: call.failed ? "failed" : "ok",
          credits_dormant: call.dormant,
          export_allowance: { ...organization.export_allowance, max_exports_per_month: call.freeExports }
        }
      }, ok({})]
    case "Coverage":
      return [{
        ...state,
        organization: {
          ...organization,
          entitlement: { ...organization.entitlement, county_fips: call.licensed ? [scene.licensedCounty] : [] }
        }
      }, ok({})]
  }
}

/** What the ports tell of a state. */
export interface Observation {
  readonly organization: Organization
  readonly entries: ReadonlyArray<Omit<StoredEntry, "allocations">>
  readonly balance: BucketAmounts
  readonly exportsUsed: number
  readonly grants: ReadonlyArray<OpenGrant>
  readonly properties: ReadonlyArray<AccessRecord["source"] | null>
  readonly contacts: ReadonlyArray<AccessRecord["source"] | null>
}

export const observationOf = (state: ModelState): Observation => {
  const { account, now, organization, scene } = state
  return {
    organization,
    entries: account.entries.map(({ allocations: _, ...entry }) => entry),
    balance: spendable(account.grants, now),
    exportsUsed: account.exports.get(monthStart(now)) ?? 0,
    grants: snapshotOf(state, { _tag: "Exports", monthStart: monthStart(now) }).grants,
    properties: scene.properties.map(({ id }) => account.properties.get(id)?.source ?? null),
    contacts: scene.contacts.map((id) => account.contacts.get(id)?.source ?? null)
  }
}

/** What the item is that a call has to itself while it runs; null: it has none. */
export const itemOf = (call: Call): string | null =>
  call._tag === "Unlock" ? `property ${call.property}` : call._tag === "Reveal" ? `contact ${call.contact}` : null

/** What happened in the last step, in words that a suite can ask for. */
export const happened = (before: ModelState, next: ModelState, answer: Answer): ReadonlyArray<string> => [
  answer.code,
  ...next.account.entries.slice(before.account.entries.length).flatMap(({ buckets, kind }) =>
    kind === "charge" && Bucket.literals.filter((bucket) => buckets[bucket] !== 0).length > 1 ? [kind, "split"] : [kind]
  )
]

/**
 * Makes the organizations, keys, members and grants of an `apply` document, and changes only what differs.
 *
 * What the document leaves out keeps its value, or gets its default when new; daily limits are merged by kind and layer.
 * Each organization is applied as a whole or not at all, one after another, so what was applied before a failure stays
 * and repeating the document carries on. Implements operator.md, "The `apply` document", and decisions, section 20.
 *
 * *Gotchas*
 *
 * - A revoked key is left revoked: a document never brings a key back to life.
 * - The scopes that are only ever added to an existing key are not taken away by a document that does not name them.
 * - An eleventh active key is CREDENTIAL_LIMIT_REACHED, whether its ten others stand in the document or were there before.
 * - The outcome of an organization speaks of its settings, members and grants; its keys have their own.
 */
import { Clock, Data, Effect, Equal, Option, type Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import type { CredentialLimitReached } from "../access/AccessRefusals.ts"
import * as ApiKey from "../access/ApiKey.ts"
import type { EntryActor } from "../access/EntryActor.ts"
import type { KeyDailyLimits } from "../access/KeyDailyLimits.ts"
import { type Credential, KeyRing } from "../access/KeyRing.ts"
import { isAmbiguous, named } from "../access/NamedKey.ts"
import { decideGrant } from "../credit/Grant.ts"
import { Ledger } from "../credit/Ledger.ts"
import * as MonthlyGrant from "../credit/MonthlyGrant.ts"
import { invalid, InvalidInput } from "../operation/InvalidInput.ts"
import { addedOnly, type Scope } from "../operation/Scope.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import {
  type DailyLimitKind,
  DailyLimitKind as Kinds,
  defaults,
  type Organization
} from "../organization/Organization.ts"
import { type Member, Organizations } from "../organization/Organizations.ts"
import type { ApplyDocument, KeyPart, MemberPart, OrganizationPart } from "./ApplyDocument.ts"
import { cutOff } from "./CutOff.ts"
import { describe, type StoredOrganization } from "./Describe.ts"
import { type Change, differences } from "./Difference.ts"

export type Outcome = "created" | "changed" | "unchanged"

export interface AppliedKey {
  readonly name: string
  readonly credential_id: string
  readonly outcome: Outcome
  /** Only of a key that was just created. */
  readonly secret?: Redacted.Redacted
}

export interface AppliedOrganization {
  readonly org_id: string
  readonly outcome: Outcome
  readonly keys: ReadonlyArray<AppliedKey>
  /** What differs from before; of a new organization, from the defaults. */
  readonly changes: ReadonlyArray<Change>
  /** What the organization, as it is now, keeps its keys and people from. */
  readonly warnings: ReadonlyArray<string>
}

/** An organization that was applied only to see what would happen. */
class Tried extends Data.TaggedError("Tried")<{ readonly applied: AppliedOrganization }> {}

export interface Applied {
  readonly organizations: ReadonlyArray<AppliedOrganization>
}

/** `actor`: who applies it. `dryRun`: nothing is changed, what would be is told. */
export interface ApplyOptions {
  readonly actor?: EntryActor
  readonly dryRun?: boolean
}

type ApplyRefusal = InvalidInput | CredentialLimitReached

/** Where nobody says who applies it. */
const unnamed: EntryActor = { kind: "operator", id: null, name: null }

type DailyLimits = Organization["daily_limits"]

const mergeDailyLimits = (stored: DailyLimits, part: OrganizationPart["daily_limits"]): DailyLimits => {
  const merged: { -readonly [Kind in DailyLimitKind]?: NonNullable<DailyLimits[Kind]> } = { ...stored }
  for (const kind of Kinds.literals) {
    const given = part?.[kind]
    if (given === undefined) continue
    merged[kind] = given === null ? { service: null, organization: null } : { ...stored[kind], ...given }
  }
  return merged
}

type RecordsAllowance = Organization["records_allowance"]

const mergeRecordsAllowance = (
  stored: RecordsAllowance,
  part: OrganizationPart["records_allowance"]
): RecordsAllowance => {
  if (part === undefined) return stored
  if (part === null) return null
  return { records: 0, initial_load: 0, period: "calendar_month", overage: null, ...stored, ...part }
}

/** The stored organization with what the document says of it. */
export const merge = (stored: Organization, part: OrganizationPart): Organization => {
  const { grants: _grants, keys: _keys, members: _members, ...given } = part
  return {
    ...stored,
    ...given,
    serviceable_area: { ...stored.serviceable_area, ...given.serviceable_area },
    entitlement: { ...stored.entitlement, ...given.entitlement },
    features: { ...stored.features, ...given.features },
    export_allowance: { ...stored.export_allowance, ...given.export_allowance },
    daily_limits: mergeDailyLimits(stored.daily_limits, given.daily_limits),
    records_allowance: mergeRecordsAllowance(stored.records_allowance, given.records_allowance)
  }
}

const mergeMember = (stored: Member, part: MemberPart): Member => {
  const { monthly_credit_limit: limit, ...given } = part
  return { ...stored, ...given, monthlyCreditLimit: limit === undefined ? stored.monthlyCreditLimit : limit }
}

/** What there is to do about a key that works no more. */
const workingAgain = {
  revoked: "give a new one another name",
  expired: "give it another expires_at"
} as const

/** What a new member is where the document is silent. */
export const memberDefaults = {
  role: "member",
  seat: true,
  status: "active",
  territory: null,
  monthlyCreditLimit: null
} as const satisfies Partial<Member>

const unique = (scopes: ReadonlyArray<Scope>): ReadonlyArray<Scope> => [...new Set(scopes)]

/** What the document changes of a key's scopes; undefined: nothing. */
const changedScopes = (stored: ReadonlyArray<Scope>, part: KeyPart): ReadonlyArray<Scope> | undefined => {
  if (part.scopes === undefined) return undefined
  const wanted = unique([...part.scopes, ...stored.filter((scope) => addedOnly.includes(scope))])
  const same = wanted.length === stored.length && wanted.every((scope) => stored.includes(scope))
  return same ? undefined : wanted
}

const changedLimits = (stored: KeyDailyLimits, part: KeyPart): KeyDailyLimits | undefined => {
  const wanted = { ...stored, ...part.daily_limits }
  return Equal.equals(wanted, stored) ? undefined : wanted
}

/** Milliseconds, or null: it does not expire; undefined: the document is silent. */
const expiryOf = ({ expires_at: at }: KeyPart): number | null | undefined =>
  at === undefined || at === null ? at : Date.parse(at)

/** Puts the path of a part before the field that a refusal names. */
const under = (path: string) => (refusal: InvalidInput): InvalidInput =>
  new InvalidInput({
    issues: refusal.issues.map(({ field, message }) => ({
      field: field === null ? path : `${path}.${field}`,
      message
    }))
  })

/** Makes what a document describes, and changes what differs from it. */
export const make = Effect.gen(function*() {
  const organizations = yield* Organizations
  const keys = yield* KeyRing
  const ledger = yield* Ledger
  const { grantTo } = yield* MonthlyGrant.make
  const random = yield* SecureRandom.SecureRandom
  const generate = ApiKey.generate.pipe(
    Effect.provideService(SecureRandom.SecureRandom, random),
    Effect.provideService(ApiKey.Cell, yield* ApiKey.Cell)
  )
  const digest = yield* Digest.Digest

  /** A time that the document sets must be one to come; one that a key has already may have passed. */
  const ahead = Effect.fnUntraced(function*(expiry: number | null | undefined, path: string) {
    return expiry === undefined || expiry === null || expiry > (yield* Clock.currentTimeMillis)
      ? expiry
      : yield* invalid(`${path}.expires_at`, "Expected a time that is still to come")
  })

  const createKey = Effect.fnUntraced(function*(orgId: string, part: KeyPart, path: string) {
    const scopes = unique(part.scopes ?? [])
    const refused = scopes.find((scope) => addedOnly.includes(scope))
    if (refused !== undefined) {
      return yield* invalid(`${path}.scopes`, `${refused} is not chosen at creation; add it with 'key allow'`)
    }
    const secret = part.secret ?? (yield* generate)
    const credential = yield* keys.create({
      credentialId: yield* random.uuidV7(),
      orgId,
      name: part.name,
      label: ApiKey.label(part.name, secret),
      secretHash: yield* ApiKey.hashBy(digest, secret),
      scopes,
      dailyLimits: part.daily_limits ?? {},
      expiresAt: (yield* ahead(expiryOf(part), path)) ?? null
    }).pipe(
      Effect.catchTag("SecretInUse", ({ message }) => Effect.fail(invalid(`${path}.secret`, message)))
    )
    return { name: part.name, credential_id: credential.credentialId, outcome: "created" as const, secret }
  })

  const applyKey = Effect.fnUntraced(function*(
    orgId: string,
    part: KeyPart,
    credentials: ReadonlyArray<Credential>,
    path: string
  ): Effect.fn.Return<AppliedKey, ApplyRefusal | TemporarilyUnavailable> {
    if (isAmbiguous(credentials, part.name)) {
      return yield* invalid(
        `${path}.name`,
        "Several active keys have this name; revoke all but one, or use another name"
      )
    }
    const stored = named(credentials, part.name)
    if (stored === undefined) return yield* createKey(orgId, part, path)
    const answer = { name: part.name, credential_id: stored.credentialId }
    if (part.secret !== undefined && stored.label !== ApiKey.label(part.name, part.secret)) {
      return yield* invalid(`${path}.secret`, "The key of this name has another secret; use another name")
    }
    if (stored.status === "revoked") return { ...answer, outcome: "unchanged" }
    const scopes = changedScopes(stored.scopes, part)
    const dailyLimits = changedLimits(stored.dailyLimits, part)
    const wanted = expiryOf(part)
    const expiry = wanted === (stored.expiresAt?.getTime() ?? null) ? undefined : yield* ahead(wanted, path)
    if (scopes === undefined && dailyLimits === undefined && expiry === undefined) {
      return { ...answer, outcome: "unchanged" }
    }
    yield* keys.update(stored.credentialId, {
      ...(scopes === undefined ? {} : { scopes }),
      ...(dailyLimits === undefined ? {} : { dailyLimits })
    })
    if (expiry !== undefined) yield* keys.expire(stored.credentialId, expiry)
    return { ...answer, outcome: "changed" }
  })

  const applyMember = Effect.fnUntraced(function*(orgId: string, part: MemberPart, members: ReadonlyArray<Member>) {
    const stored = members.find(({ email }) => email.toLowerCase() === part.email.toLowerCase())
    return yield* organizations.saveMember(
      orgId,
      mergeMember(
        stored ?? { ...memberDefaults, memberId: yield* random.uuidV7(), email: part.email, name: part.email },
        part
      )
    )
  })

  const applyGrant = Effect.fnUntraced(function*(
    orgId: string,
    part: NonNullable<OrganizationPart["grants"]>[number],
    actor: EntryActor,
    path: string
  ) {
    const now = yield* Clock.currentTimeMillis
    const { expires_at: expiry = null, ...grant } = part
    const expiresAt = expiry === null ? null : Date.parse(expiry)
    const granted = yield* ledger.transact(
      { orgId, subject: { _tag: "Grant", ref: part.ref }, exclusive: false, now },
      (snapshot) => decideGrant(snapshot, { ...grant, expiresAt, actor, requestId: null, now })
    ).pipe(
      // It cannot be: the command is not exclusive.
      Effect.catchTag("ACTION_IN_PROGRESS", Effect.die),
      Effect.mapError((refusal) => refusal._tag === "INVALID_ARGUMENTS" ? under(path)(refusal) : refusal)
    )
    return granted.outcome
  })

  const read = Effect.fnUntraced(function*(
    orgId: string
  ): Effect.fn.Return<StoredOrganization, TemporarilyUnavailable> {
    return {
      organization: Option.getOrElse(yield* organizations.find(orgId), () => defaults(orgId)),
      credentials: yield* keys.list(orgId),
      members: yield* organizations.members(orgId)
    }
  })

  const applyOrganization = Effect.fnUntraced(function*(
    part: OrganizationPart,
    actor: EntryActor,
    path: string
  ): Effect.fn.Return<AppliedOrganization, ApplyRefusal | TemporarilyUnavailable> {
    const orgId = part.org_id
    const cell = yield* organizations.movedTo(orgId)
    if (cell !== null) {
      return yield* invalid(`${path}.org_id`, `The organization moved to the cell ${cell}; apply this part there`)
    }
    const before = yield* read(orgId)
    const { organization: stored } = before
    if (stored.records_allowance === null && part.records_allowance && part.records_allowance.records === undefined) {
      return yield* invalid(`${path}.records_allowance.records`, "Expected the number of records")
    }
    const wanted = merge(stored, part)
    const settings = yield* organizations.save(wanted)
    const members = yield* Effect.forEach(part.members ?? [], (member) => applyMember(orgId, member, before.members))
    const granted = yield* Effect.forEach(
      part.grants ?? [],
      (grant, index) =>
        Effect.map(applyGrant(orgId, grant, actor, `${path}.grants.${index}`), (outcome) => ({ grant, outcome }))
    )
    // After those of the document, which may name the month's.
    const monthly = yield* Effect.mapError(
      grantTo(wanted),
      (refusal) => refusal._tag === "INVALID_ARGUMENTS" ? under(path)(refusal) : refusal
    )
    const applied = yield* Effect.forEach(
      part.keys ?? [],
      (key, index) => applyKey(orgId, key, before.credentials, `${path}.keys.${index}`)
    )
    const after = yield* read(orgId)
    const outcomes = [...members, ...granted.map(({ outcome }) => outcome), monthly]
    const changed = settings === "unchanged" && outcomes.some((outcome) => outcome !== "unchanged")
    const grants = granted.filter(({ outcome }) => outcome === "created")
    return {
      org_id: orgId,
      outcome: changed ? "changed" : settings,
      keys: applied,
      changes: [
        ...differences(describe(before), describe(after)),
        ...grants.map(({ grant: { ref, ...grant } }) => ({ field: `grants.${ref}`, before: null, after: grant }))
      ],
      warnings: [
        ...cutOff(after),
        ...(part.keys ?? []).flatMap(({ name }) => {
          const status = named(after.credentials, name)?.status ?? "active"
          return status === "active" ? [] : [`key ${name} is ${status}, and stays so: ${workingAgain[status]}`]
        })
      ]
    }
  })

  /** Does all of it and takes it back. Nobody gets to know a key that was never there. */
  const tryOrganization = (part: OrganizationPart, actor: EntryActor, path: string) =>
    applyOrganization(part, actor, path).pipe(
      Effect.flatMap((applied) => Effect.fail(new Tried({ applied }))),
      organizations.atomically,
      Effect.catchTag(
        "Tried",
        ({ applied }) => Effect.succeed({ ...applied, keys: applied.keys.map(({ secret: _, ...key }) => key) })
      )
    )

  /** Applies the organization that stands at `index` in a decoded document; with `dryRun` it only tells what it would do. */
  const applyOne = (
    part: OrganizationPart,
    index: number,
    { actor = unnamed, dryRun = false }: ApplyOptions = {}
  ): Effect.Effect<AppliedOrganization, ApplyRefusal | TemporarilyUnavailable> => {
    const path = `organizations.${index}`
    return dryRun
      ? tryOrganization(part, actor, path)
      : organizations.atomically(applyOrganization(part, actor, path))
  }

  /** Applies a decoded document (`ApplyDocument.decode`), one organization after another. */
  const apply = Effect.fn("Apply.apply")(function*(
    document: ApplyDocument,
    options: ApplyOptions = {}
  ): Effect.fn.Return<Applied, ApplyRefusal | TemporarilyUnavailable> {
    return {
      organizations: yield* Effect.forEach(document.organizations, (part, index) => applyOne(part, index, options))
    }
  })

  return { apply, applyOne }
})

/**
 * Claims as what a run delivers: the rows of an import that they become, and what is kept of each with the run.
 *
 * Only what is news becomes a row: a field that nobody knows yet, a person's title that is another one, a manager or an
 * owner that the records do not have. What was said of a person stays where it is known; nobody who asked not to be reached
 * in a way is given another address for it.
 */
import { Result } from "effect"
import { hasUsableEmail } from "../contact/Contact.ts"
import { type ImportBatch, parsers } from "../import/ImportRow.ts"
import type { RowContext, RowFault } from "../import/RowReading.ts"
import { ownerNameKey } from "../suppression/OwnerName.ts"
import { type Claim, type Evidence, type PersonClaim, showsRefused } from "./Claims.ts"
import type { Acquaintance, Ground, GroundTie } from "./FindingGround.ts"
import type { TakesMail } from "./MailDomains.ts"
import type { KeptClaim } from "./ResearchRun.ts"
import type { Delivered } from "./ResearchRuns.ts"

/** A person claim with whom it is about. */
export interface MetPerson {
  readonly claim: PersonClaim
  /** Under which the person is loaded if there is no record. */
  readonly key: string
  readonly acquaintance: Exclude<Acquaintance, { readonly _tag: "Barred" }>
  /** Of the domain of the claim's email. */
  readonly takesMail: TakesMail
}

interface Row {
  readonly batch: ImportBatch
  readonly kept: ReadonlyArray<KeptClaim>
}

/** The row by the rules of an import; none: it breaks one. */
const loaded = (
  kind: "firms" | "contacts" | "research",
  fields: Readonly<Record<string, unknown>>,
  kept: ReadonlyArray<KeptClaim>,
  context: RowContext
): ReadonlyArray<Row> => {
  const read = <R>(
    parse: (input: unknown, context: RowContext) => Result.Result<R, ReadonlyArray<RowFault>>,
    batchOf: (row: R) => ImportBatch
  ): ReadonlyArray<Row> =>
    Result.match(parse(fields, context), {
      onFailure: () => [],
      onSuccess: (row) => [{ batch: batchOf(row), kept }]
    })
  switch (kind) {
    case "firms":
      return read(parsers.firms, (row) => ({ kind: "firms", rows: [row] }))
    case "contacts":
      return read(parsers.contacts, (row) => ({ kind: "contacts", rows: [row] }))
    case "research":
      return read(parsers.research, (row) => ({ kind: "research", rows: [row] }))
  }
}

/** A tie of somebody to more properties than this gets none of ours: a row names all ties. */
const mostTies = 1000

const isSame = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && ownerNameKey(one) === ownerNameKey(other)

const isMailbox = (one: string, other: string | null): boolean => one.toLowerCase() === other?.toLowerCase()

/** A sentence for people: what, its words, where and when. */
const told = (what: string, { address, quote, readAt }: Evidence): string =>
  `${what}: “${quote}” (${address}, read ${readAt.slice(0, 10)})`

const researchRow = (
  { property }: Ground,
  claims: ReadonlyArray<Claim>,
  people: number,
  context: RowContext,
  now: string
): ReadonlyArray<Row> => {
  if (property === null) return []
  const manager = claims.find((claim) => claim.kind === "manager")
  const owner = claims.find((claim) => claim.kind === "owner")
  const news = {
    ...manager === undefined || isSame(manager.name, property.managementCompany)
      ? {}
      : { managementCompany: manager.name },
    ...owner === undefined || isSame(owner.name, property.beneficialOwner)
      ? {}
      : { beneficialOwner: owner.name, beneficialOwnerType: owner.ownerType }
  }
  const isNews = Object.keys(news).length > 0
  if (!isNews && people === 0) return []
  // A rationale takes the place of the last one, so that what was known is told again with its words.
  const about = [
    ...manager === undefined ? [] : [told(`Managed by ${manager.name}`, manager.evidence)],
    ...owner === undefined ? [] : [told(`Owned by ${owner.name}`, owner.evidence)]
  ]
  return loaded(
    "research",
    {
      propertyKey: property.key,
      researchedAt: now,
      ...news,
      ...isNews ? { aiRationale: about.join("\n") } : {}
    },
    [],
    context
  )
}

const firmRows = ({ firms }: Ground, claims: ReadonlyArray<Claim>, context: RowContext): ReadonlyArray<Row> =>
  claims.flatMap((claim) => {
    const firm = claim.kind === "firm" ? firms.find(({ id }) => id === claim.firmId) : undefined
    if (claim.kind !== "firm" || firm === undefined || firm.phone !== null) return []
    const kept: KeptClaim = { about: "organization", id: firm.id, values: [claim.phone], ...claim.evidence }
    return loaded("firms", { key: firm.key, phone: claim.phone }, [kept], context)
  })

/** What of the person is known already; nothing of somebody new. */
const knownOf = (acquaintance: MetPerson["acquaintance"]) =>
  acquaintance._tag === "Known" ? acquaintance : {
    title: null,
    email: null,
    emailValidationStatus: "unvalidated" as const,
    phone: null,
    doNotContact: { email: false, phone: false },
    ties: []
  }

const tiesWith = (
  ties: ReadonlyArray<GroundTie>,
  places: ReadonlyArray<string>,
  role: PersonClaim["role"]
): ReadonlyArray<GroundTie> | null => {
  const tied = new Set(ties.map(({ propertyKey }) => propertyKey))
  const added = places.filter((place) => !tied.has(place))
  if (added.length === 0 || ties.length + added.length > mostTies) return null
  return [
    ...ties,
    ...added.map((propertyKey) => ({
      propertyKey,
      role,
      relationshipStatus: "unverified",
      attributionType: "web"
    }))
  ]
}

/** The email of the claim where the records have none that is of use; null: it has none, or the one that is known not to be. */
export const newEmailOf = ({ acquaintance, claim, takesMail }: MetPerson): string | null => {
  const known = knownOf(acquaintance)
  return claim.email === null || takesMail === "no" || hasUsableEmail(known) || isMailbox(claim.email, known.email)
    ? null
    : claim.email
}

/** What the claim says that the records do not. */
const newsOf = (person: MetPerson, places: ReadonlyArray<string>) => {
  const { acquaintance, claim, takesMail } = person
  const known = knownOf(acquaintance)
  const email = newEmailOf(person)
  const properties = tiesWith(known.ties, places, claim.role)
  return {
    ...isSame(claim.title, known.title) ? {} : { title: claim.title, roleType: claim.role },
    ...email === null ? {} : { email, emailValidationStatus: takesMail === "yes" ? "unvalidated" : "unknown" },
    ...claim.phone === null || known.phone !== null ? {} : { phone: claim.phone },
    ...properties === null ? {} : { properties }
  }
}

/** Somebody who asked not to be reached in a way is not told of by words that show that way, claimed or not. */
const mayBeTold = ({ acquaintance, claim: { evidence: { quote } } }: MetPerson): boolean =>
  !showsRefused(knownOf(acquaintance).doNotContact, [quote])

const contactRow = (person: MetPerson, { firms, places }: Ground, context: RowContext, now: string) => {
  const { acquaintance, claim } = person
  const news = newsOf(person, places)
  const isNew = acquaintance._tag === "New"
  if (!mayBeTold(person) || (!isNew && Object.keys(news).length === 0)) return []
  const firm = firms.find(({ id }) => id === claim.firmId)
  const record = isNew
    ? {
      key: person.key,
      fullName: claim.name,
      source: "web",
      employerName: firm?.name ?? null,
      employerDomain: firm?.domain ?? null,
      firmKey: firm?.key ?? null
    }
    : { key: acquaintance.key }
  const kept: KeptClaim = {
    about: "contact",
    id: isNew ? context.idOf("contacts", person.key) : acquaintance.id,
    values: [
      claim.name,
      claim.title,
      ...(news.email === undefined ? [] : [news.email]),
      ...(news.phone === undefined ? [] : [news.phone])
    ],
    ...claim.evidence
  }
  return loaded("contacts", { ...record, ...news, lastVerifiedAt: now }, [kept], context)
}

/** Rows of one kind are loaded together. */
const merged = (batches: ReadonlyArray<ImportBatch>): ReadonlyArray<ImportBatch> => {
  const firms = batches.flatMap((batch) => batch.kind === "firms" ? batch.rows : [])
  const contacts = batches.flatMap((batch) => batch.kind === "contacts" ? batch.rows : [])
  const research = batches.flatMap((batch) => batch.kind === "research" ? batch.rows : [])
  const all: ReadonlyArray<ImportBatch> = [
    { kind: "firms", rows: firms },
    { kind: "contacts", rows: contacts },
    { kind: "research", rows: research }
  ]
  return all.filter(({ rows }) => rows.length > 0)
}

/** What the claims bring; null: no news. */
export const deliveredOf = (
  ground: Ground,
  claims: ReadonlyArray<Claim>,
  people: ReadonlyArray<MetPerson>,
  context: RowContext,
  now: string
): Delivered | null => {
  const contacts = people.flatMap((person) => contactRow(person, ground, context, now))
  const rows = [
    ...firmRows(ground, claims, context),
    ...contacts,
    ...researchRow(ground, claims, contacts.length, context, now)
  ]
  return rows.length === 0 ? null : {
    partial: false,
    rows: merged(rows.map(({ batch }) => batch)),
    result: { _tag: "Claims", claims: rows.flatMap(({ kept }) => kept) }
  }
}

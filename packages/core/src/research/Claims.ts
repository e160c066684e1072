/**
 * The claim rule: which of the things that somebody proposes may be told.
 *
 * A proposal is a claim if its quote stands on the page that it names and its own values stand within the quote
 * (`QuotedWords`). Beyond that, in the order in which it is asked:
 *
 * | kind      | what else is needed                                                                                     |
 * | --------- | ------------------------------------------------------------------------------------------------------- |
 * | `manager` | the quote names the property, by house number and street or by its name                                |
 * | `owner`   | the quote names the property or an owner of record, and the owner is a company, and another one          |
 * | `person`  | a name of a person, a title, a role of the list (`other` is none); an email of the firm's own domain     |
 * | `firm`    | a telephone number of ten digits or more                                                                |
 *
 * What is said of a company quotes no person and no address of email, so that nobody is told of there who asked not to be
 * listed. A quote with several numbers or addresses does not say whose each is. Two that contradict each other are none.
 *
 * *Gotchas.* The rule says where words stand, not that they are true: a page may lie, and its words are shown with the claim.
 */
import { Option, Schema } from "effect"
import type { Contact, RoleType } from "../contact/Contact.ts"
import { directions } from "../property/AddressMatch.ts"
import type { BeneficialOwnerType } from "../property/Research.ts"
import { ownerNameKey } from "../suppression/OwnerName.ts"
import { Proposal, type ProposalKind } from "./Proposal.ts"
import { holds, numberMarks, spaced } from "./QuotedWords.ts"

/** Something that was read. */
export interface Page {
  readonly address: string
  /** ISO-8601. */
  readonly readAt: string
  /** As somebody who looks at it reads it. */
  readonly text: string
  /** Of whose site or register it is. */
  readonly firmId: string
  /** The firm's domain; null: not known, and no email can be the firm's. */
  readonly domain: string | null
}

/** Where the words of a claim stand. */
export interface Evidence {
  readonly address: string
  readonly readAt: string
  readonly quote: string
}

export interface PersonClaim {
  readonly kind: "person"
  readonly name: string
  readonly title: string
  readonly role: RoleType
  readonly email: string | null
  readonly phone: string | null
  readonly firmId: string
  readonly evidence: Evidence
}

export type Claim =
  | { readonly kind: "manager"; readonly name: string; readonly evidence: Evidence }
  | {
    readonly kind: "owner"
    readonly name: string
    readonly ownerType: BeneficialOwnerType | null
    readonly evidence: Evidence
  }
  | PersonClaim
  | { readonly kind: "firm"; readonly phone: string; readonly firmId: string; readonly evidence: Evidence }

/** What claims may be about. */
export interface Topic {
  readonly kinds: ReadonlyArray<ProposalKind>
  /** How the property may be called: its address line, its common name. */
  readonly places: ReadonlyArray<string>
  /** The owners of record. */
  readonly owners: ReadonlyArray<string>
  /** The one person that is asked about; null: anybody. */
  readonly person: string | null
}

/** Why a proposal is no claim. */
export const dropReasons = [
  "malformed",
  "not_asked",
  "unknown_page",
  "not_on_page",
  "not_quoted",
  "ambiguous",
  "unfit_value",
  "names_a_person",
  "about_another_place",
  "contradicted",
  "duplicate",
  "too_many"
] as const
export type DropReason = typeof dropReasons[number]

export interface Judged {
  readonly claims: ReadonlyArray<Claim>
  readonly dropped: ReadonlyArray<DropReason>
}

/** So many proposals are looked at, and so many claims kept. */
export const mostProposals = 60
export const mostClaims = 20

const shortestQuote = 10
const longestQuote = 400

const decode = Schema.decodeUnknownOption(Proposal)

/** Somebody is a person even where nothing else of the proposal is of use. */
const namesPerson = Schema.is(Schema.Struct({ kind: Schema.Literal("person"), name: Schema.String }))

const addresses = /[^\s@<>()[\],;:"]+@[^\s@<>()[\],;:"]+/gu
/** Between the digits of a number stand dashes of any kind, a minus and middle dots, too. */
const within = String.raw`[\d()./ ${numberMarks}]`
const numbers = new RegExp(String.raw`\+?\(?\d${within}{8,}\d`, "gu")
const wholeNumber = new RegExp(String.raw`^[+()\d]${within}+\d$`, "u")

const showsEmail = (text: string): boolean => text.match(addresses) !== null

const showsNumber = (text: string): boolean => text.match(numbers) !== null

/** Whether the words show how to reach somebody: an address of email, or a telephone number. */
export const showsContact = (text: string): boolean => showsEmail(text) || showsNumber(text)

/** Whether one of the texts shows a way by which somebody asked not to be reached. */
export const showsRefused = (
  { email, phone }: Contact["doNotContact"],
  texts: ReadonlyArray<string>
): boolean => (email && texts.some(showsEmail)) || (phone && texts.some(showsNumber))

/** The words without the way to somebody. */
export const withoutContact = (text: string): string => text.replaceAll(addresses, "…").replaceAll(numbers, "…")

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "")

/** Of a telephone number. */
const fewestDigits = 10

const isPhone = (phone: string): boolean => {
  const digits = digitsOf(phone).length
  return digits >= fewestDigits && digits <= 15 && wholeNumber.test(phone)
}

const personName = /^\p{Lu}[\p{L}\p{M}.'’-]*(?: \p{L}[\p{L}\p{M}.'’-]*){1,4}$/u

/** Words by which a company is told from a person. */
const companyWords = new Set(
  ("llc inc lp llp ltd corp corporation co company group holdings management properties property partners realty estate " +
    "services associates trust capital investments advisors team office department").split(" ")
)

const isPersonName = (name: string): boolean =>
  personName.test(name) && !ownerNameKey(name).split(" ").some((word) => companyWords.has(word))

const isName = (name: string): boolean => /\p{L}{2}/u.test(name) && !name.includes("@")

/** Mailboxes of many: such an address is nobody's own. */
const shared = new Set(
  "info contact office hello mail admin sales support leasing careers jobs press media privacy webmaster service".split(
    " "
  )
)

const emailForm = /^[^\s@"(),:;<>[\\\]]{1,64}@([^\s@]{1,253})$/u

/** The domain of an address at work; null: it is none of the domain's, or shared by many. */
const isOwnEmail = (email: string, domain: string | null): boolean => {
  const host = emailForm.exec(email)?.[1]?.toLowerCase()
  if (domain === null || host === undefined || (host !== domain && !host.endsWith(`.${domain}`))) return false
  return !shared.has(email.slice(0, email.indexOf("@")).toLowerCase())
}

const suffix = / (llc|inc|lp|llp|ltd|corp|corporation|co|company)$/

/** Whether the quote names the owner of record; its legal form may be left out where the rest is a name of two words. */
const namesOwner = (quote: string, owner: string): boolean => {
  const key = ownerNameKey(owner)
  const short = key.replace(suffix, "")
  const text = ownerNameKey(quote)
  return holds(text, key) || (short.includes(" ") && holds(text, short))
}

/** Both forms of a direction. */
const shortDirections: ReadonlyMap<string, string> = new Map([
  ...directions,
  ...Array.from(directions.values(), (short) => [short, short] as const)
])

/** As addresses are compared: a direction in its short form. */
const addressKey = (text: string): string =>
  ownerNameKey(text).split(" ").map((word) => shortDirections.get(word) ?? word).join(" ")

/**
 * Whether the quote names the place: by its house number and the first word of the street, whose direction may be left out
 * and be no other; or by its name.
 */
const namesPlace = (quote: string, place: string): boolean => {
  const [first = "", ...words] = addressKey(place).split(" ")
  const text = addressKey(quote)
  if (!/^\d+[a-z]?$/.test(first)) return words.length > 0 && holds(text, addressKey(place))
  const at = words.findIndex((word) => !shortDirections.has(word))
  const street = words[at]
  if (street === undefined) return false
  return [words.slice(0, at + 1), [street]].some((between) => holds(text, [first, ...between].join(" ")))
}

const given = (value: string | null | undefined): string | null => {
  const text = spaced(value ?? "")
  return text === "" ? null : text
}

const distinct = (values: ReadonlyArray<string>): number => new Set(values).size

/** Whether it cannot be seen in the quote whose address or number it is. */
const isAmbiguous = (quote: string): boolean => {
  const mailed = (quote.match(addresses) ?? []).map((each) => each.toLowerCase().replace(/\.$/, ""))
  const called = (quote.match(numbers) ?? []).map(digitsOf)
  // Two numbers with no more than a dash or a dot between them are found as one.
  return distinct(mailed) > 1 || distinct(called) > 1 || called.some(({ length }) => length >= 2 * fewestDigits)
}

const personOf = (
  proposal: Extract<Proposal, { readonly kind: "person" }>,
  page: Page,
  evidence: Evidence,
  topic: Topic
): PersonClaim | DropReason => {
  const { quote } = evidence
  const name = spaced(proposal.name)
  const title = spaced(proposal.title)
  const email = given(proposal.email)
  const phone = given(proposal.phone)
  if (topic.person !== null && ownerNameKey(name) !== ownerNameKey(topic.person)) return "not_asked"
  const quoted = holds(quote, name) && holds(quote, title) && (email === null || holds(quote, email, "email"))
    && (phone === null || holds(quote, phone, "phone"))
  if (!quoted) return "not_quoted"
  if (proposal.role === "other" || !isPersonName(name) || !isName(title) || title.length > 120) return "unfit_value"
  if (email !== null && !isOwnEmail(email, page.domain)) return "unfit_value"
  if (phone !== null && !isPhone(phone)) return "unfit_value"
  if (isAmbiguous(quote)) return "ambiguous"
  return { kind: "person", name, title, role: proposal.role, email, phone, firmId: page.firmId, evidence }
}

const companyOf = (
  proposal: Exclude<Proposal, { readonly kind: "person" }>,
  page: Page,
  evidence: Evidence,
  topic: Topic,
  people: ReadonlyArray<string>
): Claim | DropReason => {
  const { quote } = evidence
  if (quote.includes("@") || people.some((name) => holds(quote, name))) return "names_a_person"
  if (proposal.kind === "firm") {
    const phone = spaced(proposal.phone)
    if (!holds(quote, phone, "phone")) return "not_quoted"
    if (!isPhone(phone)) return "unfit_value"
    return isAmbiguous(quote) ? "ambiguous" : { kind: "firm", phone, firmId: page.firmId, evidence }
  }
  const name = spaced(proposal.name)
  if (!holds(quote, name)) return "not_quoted"
  if (!isName(name)) return "unfit_value"
  const here = topic.places.some((place) => namesPlace(quote, place))
  if (proposal.kind === "manager") return here ? { kind: "manager", name, evidence } : "about_another_place"
  const ownerType = proposal.owner_type ?? null
  const isPrivate = ownerType === "individual" || ownerType === "family_trust"
  const isKnown = topic.owners.some((owner) => ownerNameKey(owner) === ownerNameKey(name))
  if (isPrivate || isKnown) return "unfit_value"
  return here || topic.owners.some((owner) => namesOwner(quote, owner))
    ? { kind: "owner", name, ownerType, evidence }
    : "about_another_place"
}

const judgeOne = (
  proposal: Proposal,
  pages: ReadonlyArray<Page>,
  topic: Topic,
  people: ReadonlyArray<string>
): Claim | DropReason => {
  if (!topic.kinds.includes(proposal.kind)) return "not_asked"
  const page = pages[proposal.page - 1]
  if (page === undefined) return "unknown_page"
  const quote = spaced(proposal.quote)
  if (quote.length < shortestQuote || quote.length > longestQuote) return "malformed"
  if (!holds(spaced(page.text), quote)) return "not_on_page"
  const evidence: Evidence = { address: page.address, readAt: page.readAt, quote }
  return proposal.kind === "person"
    ? personOf(proposal, page, evidence, topic)
    : companyOf(proposal, page, evidence, topic, people)
}

/** What two claims have in common that are about the same. */
const subjectOf = (claim: Claim): string =>
  claim.kind === "person" ? `person ${claim.firmId} ${ownerNameKey(claim.name)}` : claim.kind

const valueOf = (claim: Claim): string => {
  switch (claim.kind) {
    case "person":
      return ""
    case "firm":
      return digitsOf(claim.phone)
    case "manager":
    case "owner":
      return ownerNameKey(claim.name)
  }
}

/** The claims among the proposals, the first of each subject, and why the others are none. */
export const judge = (proposed: ReadonlyArray<unknown>, pages: ReadonlyArray<Page>, topic: Topic): Judged => {
  const decoded = proposed.slice(0, mostProposals).map((each) => Option.getOrNull(decode(each)))
  const people = proposed.flatMap((each) => namesPerson(each) ? [spaced(each.name)] : [])
  const judged = decoded.map((each) => each === null ? "malformed" : judgeOne(each, pages, topic, people))
  const found = judged.flatMap((each) => typeof each === "string" ? [] : [each])
  const contradicted = new Set(
    found.flatMap((claim) =>
      found.some((other) => subjectOf(other) === subjectOf(claim) && valueOf(other) !== valueOf(claim))
        ? [subjectOf(claim)]
        : []
    )
  )
  const claims: Array<Claim> = []
  const seen = new Set<string>()
  const dropped = judged.flatMap((each): ReadonlyArray<DropReason> => {
    if (typeof each === "string") return [each]
    const subject = subjectOf(each)
    if (contradicted.has(subject)) return ["contradicted"]
    if (seen.has(subject)) return ["duplicate"]
    if (claims.length === mostClaims) return ["too_many"]
    seen.add(subject)
    claims.push(each)
    return []
  })
  const unread = Math.max(0, proposed.length - mostProposals)
  return { claims, dropped: [...dropped, ...Array.from({ length: unread }, () => "too_many" as const)] }
}

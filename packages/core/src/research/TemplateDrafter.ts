/**
 * Writes outreach emails from templates: a greeting, why this person, one offer, one question, and who writes.
 *
 * Every sentence says something that is known, or asks; nothing about the recipient or the building is made up.
 */
import { Effect, Layer } from "effect"
import type { RoleType } from "../contact/Contact.ts"
import { Drafter, type DraftFacts } from "./Drafter.ts"
import type { Draft } from "./ResearchRun.ts"

type Tone = "friendly" | "formal" | "direct"

const toneOf = (wish: string | null): Tone => wish === "formal" || wish === "direct" ? wish : "friendly"

/** What somebody in the role is asked. */
const asks = (role: RoleType | null): "decides" | "runs" | "knows" => {
  switch (role) {
    case "owner_principal":
    case "executive":
    case "asset_manager":
    case "regional_manager":
    case "property_manager":
    case "facilities_manager":
    case "association_board":
    case "development":
    case "construction_manager":
    case "procurement":
    case "acquisitions":
      return "decides"
    case "chief_engineer":
    case "maintenance":
    case "operations":
    case "sustainability":
      return "runs"
    default:
      return "knows"
  }
}

const honorific = /^(?:mr|mrs|ms|dr|prof)\.?$/i
const suffix = /^(?:jr|sr|ii|iii|iv|phd|md|esq|cpa)\.?$/i

/** The name by parts, without titles; an organization's or a single name stays whole. */
const nameParts = (fullName: string): ReadonlyArray<string> =>
  fullName.replaceAll(",", " ").split(/\s+/).filter((part) =>
    part !== "" && !honorific.test(part) && !suffix.test(part)
  )

const greeting = (fullName: string, tone: Tone): string => {
  const [first = fullName, ...others] = nameParts(fullName)
  // An initial alone is no name to call somebody by.
  const called = /^\p{L}\.?$/u.test(first) || tone === "formal" ? [first, ...others].join(" ") : first
  return tone === "formal" ? `Dear ${called},` : tone === "direct" ? `${called},` : `Hi ${called},`
}

const placeOf = (property: NonNullable<DraftFacts["property"]>): string => property.commonName ?? property.address

/** The building as a person would mention it in passing. */
const described = (property: NonNullable<DraftFacts["property"]>): string => {
  const kind = property.assetCategory?.toLowerCase() ?? null
  const noun = kind === null || kind === "other" || kind === "commercial general"
    ? "building"
    : kind === "land"
    ? "site"
    : kind === "multifamily" || kind === "mixed use" || kind === "self storage"
    ? `${kind.replace(" ", "-")} property`
    : `${kind} building`
  const built = property.yearBuilt === null ? "" : `, built in ${property.yearBuilt}`
  const where = property.city === null ? "" : ` in ${property.city}`
  return `the ${noun}${where}${built}`
}

/** A purpose as the rest of a sentence: no capital at its start, no full stop at its end. */
const asClause = (purpose: string): string => {
  const trimmed = purpose.trim().replace(/[.!?\s]+$/, "")
  return /^[A-Z][a-z]/.test(trimmed) ? trimmed.charAt(0).toLowerCase() + trimmed.slice(1) : trimmed
}

/** Whether the purpose says what is to be done ("schedule a visit") and not what is offered ("roof inspections"). */
const isDeed = (clause: string): boolean =>
  /^(?:to )?(?:ask|arrange|book|bid|check|clean|confirm|discuss|explore|find|follow|get|give|hear|help|inspect|install|introduce|learn|maintain|meet|offer|pitch|present|propose|quote|reduce|renew|repair|replace|request|schedule|see|sell|set|share|show|speak|start|submit|talk|understand|visit)\b/i
    .test(clause)

const offer = (company: string, wish: string | null, tone: Tone): string => {
  if (wish === null) {
    return tone === "direct"
      ? `${company} would like to work for this building.`
      : `I'm with ${company}, and we would like to work with the people who look after it.`
  }
  const clause = asClause(wish)
  if (!isDeed(clause)) {
    return tone === "direct" ? `${company} offers ${clause}.` : `I'm with ${company}. We offer ${clause}.`
  }
  const deed = clause.replace(/^to /i, "")
  return tone === "direct" ? `${company} would like to ${deed}.` : `I'm with ${company}, and I'd like to ${deed}.`
}

const question = (role: RoleType | null, tone: Tone): string => {
  switch (asks(role)) {
    case "decides":
      return tone === "direct"
        ? "Do you have ten minutes this week or next?"
        : "Would you have ten minutes for a call this week or next?"
    case "runs":
      return tone === "direct"
        ? "Is this yours, or who decides on it?"
        : "Is that something you take care of, or is there someone else I should talk to?"
    case "knows":
      return tone === "direct"
        ? "Who decides on this?"
        : "If you are not the right person for this, could you tell me who is?"
  }
}

const reason = ({ property, recipient }: DraftFacts, tone: Tone): string => {
  if (property === null) {
    return tone === "direct" ? "I'll keep this short." : "I hope you don't mind a short note."
  }
  const named = property.commonName === null ? "" : ` (${property.address})`
  const building = `${placeOf(property)}${named}, ${described(property)}`
  switch (asks(recipient.roleType)) {
    case "decides":
    case "runs":
      return tone === "direct" ? `This is about ${building}.` : `I'm writing about ${building}.`
    case "knows":
      return tone === "direct"
        ? `This is about ${building}; you are listed as a contact for it.`
        : `I'm writing about ${building}; your name came up as a contact for it.`
  }
}

const closings: Readonly<Record<Tone, string>> = { friendly: "Best", formal: "Kind regards", direct: "Thanks" }

const subjectOf = ({ property, sender, wish }: DraftFacts): string => {
  const place = property === null ? null : placeOf(property)
  const clause = wish.purpose === null ? null : asClause(wish.purpose)
  const short = clause !== null && clause.length <= 50 && !isDeed(clause) ? clause : null
  const subject = short !== null
    ? place === null ? short : `${short} for ${place}`
    : place === null
    ? `A question from ${sender.company}`
    : `A question about ${place}`
  const text = subject.length <= 120 ? subject : `${subject.slice(0, 119)}…`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The email. Pure. */
export const write = (facts: DraftFacts): Draft => {
  const tone = toneOf(facts.wish.tone)
  const { recipient, sender, wish } = facts
  const signature = sender.name === null ? [sender.company] : [sender.name, sender.company]
  return {
    subject: subjectOf(facts),
    body: [
      greeting(recipient.fullName, tone),
      [reason(facts, tone), offer(sender.company, wish.purpose, tone)].join(" "),
      question(recipient.roleType, tone),
      [`${closings[tone]},`, ...signature].join("\n")
    ].join("\n\n")
  }
}

export const layer: Layer.Layer<Drafter> = Layer.succeed(
  Drafter,
  Drafter.of({ draft: Effect.fn("Drafter.draft")((facts) => Effect.sync(() => write(facts))) })
)

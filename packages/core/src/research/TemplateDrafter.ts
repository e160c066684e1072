/**
 * Writes outreach emails from templates: a greeting, which building, what the sender wants, one question, and who writes.
 *
 * Every sentence says something that is known, or asks; nothing about the recipient or the building is made up. A purpose
 * is the sender's own words: a deed ("schedule a roof walk-through") or a topic ("roof inspections"), told apart by its
 * first word, or whole sentences ("We inspect roofs."), which stand as they are.
 */
import { Effect, Layer } from "effect"
import type { RoleType } from "../contact/Contact.ts"
import { Drafter, type DraftFacts } from "./Drafter.ts"
import type { Draft } from "./ResearchRun.ts"

type Tone = "friendly" | "formal" | "direct"

type Place = NonNullable<DraftFacts["property"]>

const toneOf = (wish: string | null): Tone => wish === "formal" || wish === "direct" ? wish : "friendly"

/** Who decides about work on the building, who takes care of it, and who may know those. */
const partOf = (role: RoleType | null): "decides" | "runs" | "knows" => {
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
const company =
  /\b(?:llc|l\.l\.c|inc|corp|corporation|co|company|lp|llp|ltd|trust|partners|holdings|association|hoa|group)\b/i

/** `LEE` as it is spoken: Lee. */
const spoken = (word: string): string =>
  word.length > 2 && word === word.toUpperCase() ? word.charAt(0) + word.slice(1).toLowerCase() : word

/** The name by parts, in the order in which it is spoken, without titles; none when it is no person's. */
const nameParts = (fullName: string): ReadonlyArray<string> => {
  if (company.test(fullName)) return []
  const [before = "", after = ""] = fullName.split(",").map((part) => part.trim())
  // County records write the family name first.
  const inOrder = after === "" || suffix.test(after) ? before : `${after} ${before}`
  return inOrder.split(/\s+/).filter((part) => part !== "" && !honorific.test(part) && !suffix.test(part)).map(spoken)
}

const greeting = (fullName: string, tone: Tone): string => {
  const [first, ...others] = nameParts(fullName)
  if (first === undefined) return "Hello,"
  // An initial alone is no name to call somebody by.
  const called = /^\p{L}\.?$/u.test(first) || tone === "formal" ? [first, ...others].join(" ") : first
  return tone === "formal" ? `Dear ${called},` : tone === "direct" ? `${called},` : `Hi ${called},`
}

const nameOf = (place: Place): string => place.commonName ?? place.address

/** What it is, as a person would say it: the 12-story office building. */
const kindOf = ({ assetCategory, numFloors }: Place): string => {
  const kind = assetCategory?.toLowerCase() ?? "other"
  const stories = numFloors !== null && Number.isInteger(numFloors) && numFloors >= 3 ? `${numFloors}-story ` : ""
  switch (kind) {
    case "other":
    case "commercial general":
    case "government":
    case "hospitality":
    case "religious":
    case "education":
    case "healthcare":
      return `the ${stories}building`
    case "land":
      return "the site"
    case "multifamily":
    case "mixed use":
    case "self storage":
      return `the ${stories}${kind.replace(" ", "-")} property`
    default:
      return `the ${stories}${kind} building`
  }
}

const building = (place: Place): string => {
  const where = place.city === null ? "" : ` in ${place.city}`
  return place.commonName === null
    ? `${kindOf(place)} at ${place.address}${where}`
    : `${place.commonName}, ${kindOf(place)} at ${place.address}${where}`
}

/** People write a purpose over several lines, and sources break names. */
const spaced = (text: string): string => text.trim().replace(/\s+/g, " ")

/** A purpose as a part of a sentence: no capital at its start unless a name begins there, no full stop at its end. */
const asClause = (purpose: string): string => {
  const trimmed = spaced(purpose).replace(/[.!?\s]+$/, "")
  return /^[A-Z][a-z]/.test(trimmed) && !/^\S+\s[A-Z]/.test(trimmed)
    ? trimmed.charAt(0).toLowerCase() + trimmed.slice(1)
    : trimmed
}

/** Deeds that bring people together; they are answered with a day. */
const meeting =
  /^(?:arrange|ask|book|call|check|come|discuss|explore|hear|inspect|introduce|learn|look|meet|offer|pitch|present|propose|request|schedule|see|set|share|show|speak|start|talk|understand|visit|walk)\b/i

/** Deeds on the building; they are answered with whether they are wanted. */
const work =
  /^(?:bid|build|clean|cut|fix|handle|help|improve|install|landscape|lower|maintain|manage|paint|pave|plow|quote|reduce|refinish|remove|renew|renovate|repair|replace|reseal|restore|save|seal|secure|supply|take|test|upgrade)\b/i

/** One of these in the singular takes an article. */
const countable =
  /^(?:.*[\s-])?(?:agreement|assessment|audit|bid|call|check|contract|demo|estimate|inspection|meeting|offer|partnership|plan|program|project|proposal|quote|replacement|retrofit|review|survey|system|tour|upgrade|visit|walk-through|warranty)$/i

const determiner = /^(?:a|an|the|our|your|my|this|that|some|any|one|two|three|\d)\b/i

/** Letters that are spoken with a vowel first: an HVAC system. */
const spokenVowel = /^(?:[aeio]|[AEFHILMNORSX][A-Z]|u(?!ni|se))/

/** The topic as it stands after "about". */
const asTopic = (clause: string): string => {
  const [head = ""] = clause.split(/\s(?:for|of|in|on|at|with|to|by|and)\s/)
  if (determiner.test(clause) || /^[A-Z][a-z]/.test(clause) || !countable.test(head)) return clause
  return `${spokenVowel.test(clause) ? "an" : "a"} ${clause}`
}

/** What somebody begins with who says what they want to do: I'd like to, we want to, to. */
const intention = /^(?:(?:(?:i|we)(?:['’]d| would) (?:like|love)|(?:i|we) want) )?to /i

/** Begins a sentence of its own. */
const sentence = /^(?:i|we|you|it|this is|there (?:is|are)|do|does|are|is|can|could|would|who|what)\b/i

/** Several sentences; a short word before the dot may be an abbreviation. */
const several = /[a-z]{3,}[.!?]\s+\S/

/** As sentences: a capital at the start, a mark at the end. */
const asSentences = (purpose: string): string => {
  const trimmed = spaced(purpose)
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? "" : "."}`
}

type Purpose =
  | { readonly _tag: "None" }
  | { readonly _tag: "Meeting" | "Work" | "Topic" | "Said"; readonly words: string }

const purposeOf = (wish: string | null): Purpose => {
  const clause = wish === null ? "" : asClause(wish)
  const deed = clause.replace(intention, "")
  if (wish === null || deed === "") return { _tag: "None" }
  const said: Purpose = { _tag: "Said", words: asSentences(wish) }
  if (sentence.test(deed)) return said
  if (meeting.test(deed)) return { _tag: "Meeting", words: deed }
  if (work.test(deed)) return { _tag: "Work", words: deed }
  return several.test(clause) ? said : { _tag: "Topic", words: asTopic(clause) }
}

/** What the sender wants, after who they are. */
const want = (purpose: Purpose, role: RoleType | null): string => {
  const knows = partOf(role) === "knows"
  switch (purpose._tag) {
    case "None":
      return knows ? ", and I'm looking for the person who looks after it." : ", and I'd like to introduce us."
    case "Meeting":
      return `, and I'd like to ${purpose.words}.`
    case "Work":
      return `, and we could ${purpose.words}.`
    case "Topic":
      return knows
        ? `, and I'm looking for the person to talk to about ${purpose.words}.`
        : `, and I'd like to talk to you about ${purpose.words}.`
    case "Said":
      return knows ? `, and I'm looking for the person to talk to. ${purpose.words}` : `. ${purpose.words}`
  }
}

const question = (purpose: Purpose, role: RoleType | null, tone: Tone): string => {
  const short = tone === "direct"
  switch (partOf(role)) {
    case "knows":
      if (purpose._tag === "Meeting" || purpose._tag === "Work") {
        return short
          ? "Are you the right person for that, or who is?"
          : "Are you the right person for that, or could you tell me who is?"
      }
      return short ? "If that isn't you, who is it?" : "If that isn't you, could you tell me who it is?"
    case "runs":
      return short
        ? "Is that yours, or who decides on it?"
        : "Is that something you take care of, or is there someone else I should talk to?"
    case "decides":
      switch (purpose._tag) {
        case "Meeting":
          return short ? "Which day suits you, this week or next?" : "Would a day this week or next suit you?"
        case "Work":
          return short
            ? "Is that planned, or already covered?"
            : "Is that something you are planning, or is it already covered?"
        default:
          return short
            ? "Do you have ten minutes this week or next?"
            : "Would you have ten minutes for a call this week or next?"
      }
  }
}

const closings: Readonly<Record<Tone, string>> = { friendly: "Best", formal: "Kind regards", direct: "Thanks" }

/** Longer topics make no subject line. */
const longestTopic = 50

const subjectOf = ({ property, sender, wish }: DraftFacts): string => {
  const purpose = purposeOf(wish.purpose)
  const topic = purpose._tag === "Topic" && wish.purpose !== null && purpose.words.length <= longestTopic
    ? asClause(wish.purpose)
    : null
  const text = topic !== null
    ? property === null ? topic : `${topic} at ${nameOf(property)}`
    : property === null
    ? `A question from ${sender.company}`
    : `A question about ${nameOf(property)}`
  const line = spaced(text)
  const short = line.length <= 120 ? line : `${line.slice(0, 119)}…`
  return short.charAt(0).toUpperCase() + short.slice(1)
}

const message = ({ property, recipient, sender, wish }: DraftFacts, tone: Tone): string => {
  const wanted = want(purposeOf(wish.purpose), recipient.roleType)
  const about = property === null
    ? []
    : [tone === "direct" ? `This is about ${building(property)}.` : `I'm writing about ${building(property)}.`]
  return [...about, `I'm with ${sender.company}${wanted}`].join(" ")
}

/** The email. Pure. */
export const write = (facts: DraftFacts): Draft => {
  const { recipient, sender, wish } = facts
  const tone = toneOf(wish.tone)
  const signature = sender.name === null ? [sender.company] : [sender.name, sender.company]
  return {
    subject: subjectOf(facts),
    body: [
      greeting(recipient.fullName, tone),
      message(facts, tone),
      question(purposeOf(wish.purpose), recipient.roleType, tone),
      [`${closings[tone]},`, ...signature].join("\n")
    ].join("\n\n")
  }
}

export const layer: Layer.Layer<Drafter> = Layer.succeed(
  Drafter,
  Drafter.of({ draft: Effect.fn("Drafter.draft")((facts) => Effect.sync(() => write(facts))) })
)

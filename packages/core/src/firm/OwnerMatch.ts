/**
 * Whether an owner, as a county's record names it, is a firm: with what confidence, and why. Pure; nothing is looked up.
 *
 * The names say what may be: the same words (in another order, with another spacing), a word with a slip, a name that its source
 * cut off. What is known beside them raises or lowers that: the county, where bills are sent, the registered agent. Numbers and
 * single letters are never taken for slips, since they are what tells sister companies apart.
 *
 * docs/matching.md has the rules in words, and what they were measured at.
 */
import { distinctive, type FirmName, isFederal } from "./FirmName.ts"

/** From here on an owner is tied to the firm without being asked. */
export const upperThreshold = 0.95

/** From here on a person is asked; below nothing is said. */
export const lowerThreshold = 0.75

/** Somebody who owns, as far as is known. */
export interface Party {
  readonly name: FirmName
  /** FIPS codes of the counties where it owns; none: not known. */
  readonly counties: ReadonlyArray<string>
  /** Where it gets its mail, each as `mailingForm`. */
  readonly mailing: ReadonlyArray<string>
  /** Its registered agents, each as `agentForm`. */
  readonly agents: ReadonlyArray<string>
  /** The source cuts names off at this many characters, and this one is as long. */
  readonly isCut: boolean
}

/** Why two parties may be one, in the order in which it is told. */
export const EvidenceKind = [
  "same_name",
  "same_words",
  "same_letters",
  "form_missing",
  "form_differs",
  "business_word_missing",
  "place_word_missing",
  "one_slip",
  "name_cut_off",
  "same_mailing_address",
  "same_registered_agent",
  "same_county",
  "same_state",
  "other_state",
  "place_unknown",
  "common_name"
] as const
export type EvidenceKind = typeof EvidenceKind[number]

export interface OwnerMatch {
  /** 0 to 1, to two places. */
  readonly confidence: number
  readonly evidence: ReadonlyArray<EvidenceKind>
}

/** Words that companies add to their names and leave out again. */
const businessWords: ReadonlySet<string> = new Set([
  "GROUP",
  "HOLDINGS",
  "INTERNATIONAL",
  "ENTERPRISES",
  "COM",
  "TRUST"
])

/** An office tells whose it is, or leaves that out where everybody knows: `NEW YORK CITY DCAS`. */
const placeWords: ReadonlySet<string> = new Set(["CITY", "COUNTY", "STATE"])

/** Whether one letter too many, too few, exchanged or in the other's place makes one word of the other. */
const isSlip = (left: string, right: string): boolean => {
  if (Math.min(left.length, right.length) < 6 || /\d/.test(left + right)) return false
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  const [rest, other] = [left.slice(at), right.slice(at)]
  return rest.slice(1) === other || rest === other.slice(1) || rest.slice(1) === other.slice(1) ||
    rest[0] === other[1] && rest[1] === other[0] && rest.slice(2) === other.slice(2)
}

const shares = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.some((each) => right.includes(each))

const without = (words: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = [...others]
  return words.filter((word) => {
    const at = left.indexOf(word)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** The end of the words went to the front, as in `AUSTIN CITY OF`. */
const isTurned = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean =>
  left.some((_, at) => [...left.slice(at), ...left.slice(0, at)].join(" ") === right.join(" "))

interface Likeness {
  readonly confidence: number
  readonly because: EvidenceKind
}

/** How alike the words are; null: they are of two names. */
const wordsAlike = (left: Party, right: Party): Likeness | null => {
  const [one, other] = [left.name.words, right.name.words]
  if (one.join(" ") === other.join(" ")) return { confidence: 0.97, because: "same_name" }
  const [lacking, extra] = [without(one, other), without(other, one)]
  if (lacking.length === 0 && extra.length === 0) {
    return { confidence: isTurned(one, other) ? 0.96 : 0.9, because: "same_words" }
  }
  const [compact, otherCompact] = [one.join(""), other.join("")]
  if (compact === otherCompact) return { confidence: 0.96, because: "same_letters" }
  const [shorter, short, long] = compact.length < otherCompact.length
    ? [left, compact, otherCompact]
    : [right, otherCompact, compact]
  if (shorter.isCut && !isFederal(shorter.name) && short.length >= 12 && long.startsWith(short)) {
    return { confidence: 0.85, because: "name_cut_off" }
  }
  const [from] = lacking
  const [to] = extra
  if (lacking.length === 1 && extra.length === 1 && from !== undefined && to !== undefined && isSlip(from, to)) {
    return { confidence: 0.85, because: "one_slip" }
  }
  if (lacking.length > 0 && extra.length > 0) return null
  const added = [...lacking, ...extra]
  if (added.every((word) => businessWords.has(word))) return { confidence: 0.8, because: "business_word_missing" }
  const isOffice = added.length > 1 && added.some((word) => placeWords.has(word)) &&
    ![one, other].every((words) => words.some((word) => placeWords.has(word)))
  return isOffice && shares(left.counties, right.counties)
    ? { confidence: 0.8, because: "place_word_missing" }
    : null
}

const stateOf = (county: string): string => county.slice(0, 2)

type Place = "same_county" | "same_state" | "other_state" | "place_unknown"

const placeOf = (left: Party, right: Party): Place => {
  if (left.counties.length === 0 || right.counties.length === 0) return "place_unknown"
  if (shares(left.counties, right.counties)) return "same_county"
  return shares(left.counties.map(stateOf), right.counties.map(stateOf)) ? "same_state" : "other_state"
}

/** What the legal forms do to it. Within a state a register takes no second name that differs by its form alone. */
const formsAlike = (left: FirmName, right: FirmName, place: Place, likeness: Likeness): Likeness => {
  if (left.form === right.form) return likeness
  if (left.form !== null && right.form !== null) {
    return { confidence: Math.min(likeness.confidence, 0.78), because: "form_differs" }
  }
  const enough = place === "same_county" || place === "same_state" ? 1 : 2
  const telling = distinctive(left).length >= enough || left.kind === "public" || right.kind === "public"
  return { confidence: Math.min(likeness.confidence, telling ? 0.96 : 0.9), because: "form_missing" }
}

/** Forms that every state registers by itself, so that a name is taken in one state alone. */
const ofOneState: ReadonlySet<string> = new Set(["LLC", "LP", "LLP", "LLLP", "GP", "PLLC", "PC"])

/** The most that can be said from the place alone. A name is one company's in its state, and an office's in its place. */
const mostBy = (place: Place, { name }: Party): number => {
  if (isFederal(name) || place === "same_county") return 1
  const telling = distinctive(name).length
  const isOffice = name.kind === "public"
  if (place === "same_state") return telling === 0 && (isOffice || name.form === null) ? 0.8 : 1
  if (place === "other_state") return isOffice ? 0.6 : 0.9
  const isPlaced = /^\d/.test(name.words[0] ?? "")
  return isOffice || isPlaced || telling === 0 || telling === 1 && ofOneState.has(name.form ?? "") ? 0.9 : 1
}

/** How much of the doubt that is left remains when this is known too. */
const doubtLeft = { same_mailing_address: 0.3, same_registered_agent: 0.7 } as const

/** Null: nothing speaks for it. The order of the two does not matter. */
export const match = (left: Party, right: Party): OwnerMatch | null => {
  const { mark } = left.name
  if (mark !== null && right.name.mark !== null && mark !== right.name.mark) return null
  const alike = wordsAlike(left, right)
  if (alike === null) return null
  const place = placeOf(left, right)
  const formed = formsAlike(left.name, right.name, place, alike)
  const most = Math.min(mostBy(place, left), mostBy(place, right))
  const besides = [
    ...shares(left.mailing, right.mailing) ? ["same_mailing_address" as const] : [],
    ...shares(left.agents, right.agents) ? ["same_registered_agent" as const] : []
  ]
  // A register tells its namesakes apart: without the mark it is not known which one is meant.
  const named = mark === right.name.mark ? formed.confidence : Math.min(formed.confidence, 0.9)
  const doubt = besides.reduce((left, kind) => left * doubtLeft[kind], 1 - Math.min(named, most))
  const confidence = Math.round((1 - doubt) * 100) / 100
  if (confidence < lowerThreshold) return null
  return {
    confidence,
    evidence: [
      alike.because,
      ...formed.because === alike.because ? [] : [formed.because],
      ...besides,
      place,
      ...most < 1 ? ["common_name" as const] : []
    ]
  }
}

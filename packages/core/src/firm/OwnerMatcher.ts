/**
 * Matches the owners of counties with firms, county by county and page by page: whatever stops it, what is matched stays
 * matched, and the next run goes on with the counties that are left.
 */
import { Effect, Option } from "effect"
import type { StaleCounty } from "../coverage/StaleCounty.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import { wordsOf } from "../property/AddressMatch.ts"
import * as FirmName from "./FirmName.ts"
import { match, type Party, upperThreshold } from "./OwnerMatch.ts"
import {
  type FoundMatch,
  type KeptOwner,
  type MailingAddress,
  type NamedOwner,
  OwnerMatches,
  type Undecided
} from "./OwnerMatches.ts"

const namesAtOnce = 1000
const ownersAtOnce = 200
const rounds = 3

/** What a run did. */
export interface MatchCounts {
  readonly counties: number
  /** Names that were read, and those of companies and public bodies among them. */
  readonly names: number
  readonly owners: number
  /** Matches that were not proposed before. */
  readonly proposed: number
  readonly firms: number
  readonly tied: number
  readonly untied: number
}

export interface MatchProgress extends MatchCounts {
  readonly of: number
}

const nothing: MatchCounts = { counties: 0, names: 0, owners: 0, proposed: 0, firms: 0, tied: 0, untied: 0 }

const plus = (sum: MatchCounts, done: MatchCounts): MatchCounts => ({
  counties: sum.counties + done.counties,
  names: sum.names + done.names,
  owners: sum.owners + done.owners,
  proposed: sum.proposed + done.proposed,
  firms: sum.firms + done.firms,
  tied: sum.tied + done.tied,
  untied: sum.untied + done.untied
})

/** An address as mailing addresses are compared: its numbers count too, since a suite is somebody else's door. */
export const mailingForm = ({ line1, zip }: MailingAddress): string | null => {
  const line = (line1 ?? "").replace(/\bp\.?\s*o\.?\s*box\b/i, "pobox")
  const words = wordsOf(line)
  if (words.length < 2) return null
  return [...words, "#", ...line.match(/\d+/g) ?? [], "in", zip?.slice(0, 5) ?? ""].join(" ")
}

const mailingForms = (addresses: ReadonlyArray<MailingAddress>): ReadonlyArray<string> => [
  ...new Set(addresses.flatMap((address) => mailingForm(address) ?? []))
]

/** An agent's name as it is compared; null: it may be a private person, of whom nothing is kept. */
const agentForm = (name: string): string | null => {
  const parsed = FirmName.parse(name)
  return parsed === null || parsed.kind === "unknown" ? null : FirmName.keyOf(parsed)
}

/** Registered agents as they are compared, those alone that are clearly companies or public bodies. */
export const agentForms = (names: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(names.flatMap((name) => agentForm(name) ?? []))
]

/** What is kept of an owner; none: it may be a private person. */
const keptOf = (owner: NamedOwner, cutAt: number | null): ReadonlyArray<KeptOwner> => {
  const name = FirmName.parse(owner.name)
  if (name === null || name.kind === "unknown") return []
  // A blank at the cut is gone.
  const isCut = cutAt !== null && owner.name.length >= cutAt - 1
  return [{
    name: owner.name,
    key: FirmName.keyOf(name),
    blocks: FirmName.blocksOf(name),
    properties: owner.properties,
    mailing: mailingForms(owner.mailing),
    agents: agentForms(owner.agents),
    isFounding: !isCut && FirmName.isFounding(name),
    isCut
  }]
}

/** What an owner is found to be: one firm, or those about which a person is asked. */
export const matchesOf = (owner: Undecided): ReadonlyArray<FoundMatch> => {
  const name = FirmName.parse(owner.name)
  if (name === null) return []
  const { agents, isCut, mailing, ownerId } = owner
  const party: Party = { name, counties: [owner.countyFips], mailing, agents, isCut }
  const found = owner.firms.flatMap((firm) => {
    const named = FirmName.parse(firm.name)
    const matched = named === null ? null : match(party, {
      name: named,
      counties: firm.counties,
      mailing: mailingForms(firm.mailing),
      agents: agentForms(firm.agents),
      isCut: false
    })
    return matched === null ? [] : [{ ownerId, firmId: firm.firmId, ...matched }]
  })
  const sure = found.filter(({ confidence }) => confidence >= upperThreshold)
  const [only] = sure
  return only !== undefined && sure.length === 1
    ? [{ ...only, state: "tied" }]
    : found.map((each) => ({ ...each, state: "proposed" }))
}

export const make = Effect.gen(function*() {
  const matches = yield* OwnerMatches

  const readFirms = Effect.gen(function*() {
    while (true) {
      const firms = yield* matches.renamedFirms(namesAtOnce)
      if (firms.length === 0) return
      yield* matches.keepFirms(firms.map(({ firmId, name }) => {
        const parsed = FirmName.parse(name)
        return {
          firmId,
          name,
          key: parsed === null ? "" : FirmName.keyOf(parsed),
          blocks: parsed === null ? [] : FirmName.blocksOf(parsed)
        }
      }))
    }
  })

  const readOwners = Effect.fnUntraced(function*(countyFips: string) {
    const cutAt = Option.getOrNull(yield* matches.cutAt(countyFips))
    let [names, owners, after]: [number, number, string | null] = [0, 0, null]
    while (true) {
      const page: ReadonlyArray<NamedOwner & { readonly folded: string }> = yield* matches.names(
        countyFips,
        after,
        namesAtOnce
      )
      const kept = page.flatMap((owner) => keptOf(owner, cutAt))
      if (kept.length > 0) yield* matches.keepOwners(countyFips, kept)
      names += page.length
      owners += kept.length
      after = page.at(-1)?.folded ?? null
      if (page.length < namesAtOnce) return { names, owners }
    }
  })

  const compare = Effect.fnUntraced(function*(countyFips: string) {
    let [proposed, after]: [number, string | null] = [0, null]
    while (true) {
      const page: ReadonlyArray<Undecided> = yield* matches.undecided(countyFips, after, ownersAtOnce)
      if (page.length > 0) {
        proposed += yield* matches.keepMatches(page.map(({ ownerId }) => ownerId), page.flatMap(matchesOf))
      }
      after = page.at(-1)?.ownerId ?? null
      if (page.length < ownersAtOnce) return proposed
    }
  })

  const matchCounty = Effect.fnUntraced(function*(county: StaleCounty) {
    const { countyFips } = county
    const { names, owners } = yield* readOwners(countyFips)
    let proposed = yield* compare(countyFips)
    const firms = yield* matches.found(countyFips)
    let { tied, untied } = yield* matches.settle(countyFips)
    if (firms > 0) {
      // Other spellings are compared with the new firms, whose places are known by now.
      yield* readFirms
      proposed += yield* compare(countyFips)
      const more = yield* matches.settle(countyFips)
      tied += more.tied
      untied += more.untied
    }
    yield* matches.matched(county)
    return { counties: 1, names, owners, proposed, firms, tied, untied } satisfies MatchCounts
  })

  /** Matches what changed since it was matched, or all of it. */
  const run = Effect.fn("OwnerMatcher.run")(function*(request: {
    readonly all: boolean
    readonly only: ReadonlyArray<string> | null
    readonly onProgress?: ((progress: MatchProgress) => Effect.Effect<void>) | undefined
  }): Effect.fn.Return<MatchCounts, TemporarilyUnavailable> {
    const seen = new Set<string>()
    let sum = nothing
    // Firms that were founded by owners of several counties make those stale that were matched before.
    for (let round = 0; round < rounds; round++) {
      yield* readFirms
      const counties = yield* matches.counties({ ...request, all: request.all && round === 0 })
      const of = new Set([...seen, ...counties.map(({ countyFips }) => countyFips)]).size
      for (const county of counties) {
        const done = yield* matchCounty(county)
        sum = plus(sum, seen.has(county.countyFips) ? { ...done, counties: 0, names: 0, owners: 0 } : done)
        seen.add(county.countyFips)
        if (request.onProgress !== undefined) yield* request.onProgress({ ...sum, of })
      }
      if (counties.length === 0) break
    }
    return sum
  })

  return { run }
})

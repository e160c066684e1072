/**
 * The owners of an installation as county records name them, and the firms that they may be.
 *
 * Owners are kept by county and name, those alone that are clearly companies or public bodies: no private person is among them.
 * A match says that an owner is a firm. From `upperThreshold` on it is `tied` without being asked; what lies between is `proposed`
 * until a person accepts or rejects it. A tied or accepted match ties the firm to the properties of the owner, where nobody else
 * has tied it; rejecting it unties those again, and it never comes back.
 */
import { Context, type Effect, type Option, Schema } from "effect"
import type { StaleCounty } from "../coverage/StaleCounty.ts"
import type { TemporarilyUnavailable } from "../operation/TemporarilyUnavailable.ts"
import type { EvidenceKind, OwnerMatch } from "./OwnerMatch.ts"

/** How a match stands. */
export const MatchState = Schema.Literals(["tied", "proposed", "accepted", "rejected"])
/** How a match stands. */
export type MatchState = typeof MatchState.Type

/** Where bills are sent, as a record has it. */
export interface MailingAddress {
  readonly line1?: string | null
  readonly zip?: string | null
}

/** What the records of a county have of one name. */
export interface NamedOwner {
  readonly name: string
  readonly properties: number
  readonly mailing: ReadonlyArray<MailingAddress>
  readonly agents: ReadonlyArray<string>
}

/** A name as it is compared and found again. */
export interface NameForm {
  readonly name: string
  readonly key: string
  readonly blocks: ReadonlyArray<string>
}

export interface KeptOwner extends NameForm {
  readonly properties: number
  readonly mailing: ReadonlyArray<string>
  readonly agents: ReadonlyArray<string>
  readonly isFounding: boolean
  readonly isCut: boolean
}

/** An owner that is nobody's yet, with the firms that have a block in common with it and were not rejected. */
export interface Undecided {
  readonly ownerId: string
  readonly countyFips: string
  readonly name: string
  readonly mailing: ReadonlyArray<string>
  readonly agents: ReadonlyArray<string>
  readonly isCut: boolean
  readonly firms: ReadonlyArray<{
    readonly firmId: string
    readonly name: string
    readonly counties: ReadonlyArray<string>
    readonly mailing: ReadonlyArray<MailingAddress>
    readonly agents: ReadonlyArray<string>
  }>
}

/** What was found of an owner and a firm. */
export interface FoundMatch extends OwnerMatch {
  readonly ownerId: string
  readonly firmId: string
  readonly state: "tied" | "proposed"
}

/** A match as the operator sees it. */
export interface ListedMatch {
  readonly id: string
  readonly state: MatchState
  readonly confidence: number
  /** `founds_firm`: the firm was made of this owner and others of its name. */
  readonly evidence: ReadonlyArray<EvidenceKind | "founds_firm">
  readonly owner: { readonly name: string; readonly countyFips: string; readonly properties: number }
  readonly firm: { readonly id: string; readonly key: string; readonly name: string }
}

/** Properties that were tied to firms, and untied from them. */
export interface Settled {
  readonly tied: number
  readonly untied: number
}

/** Port: owners, and the firms that they may be. */
export class OwnerMatches extends Context.Service<OwnerMatches, {
  /** Runs the effect while nobody else matches; none: somebody does. */
  alone<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<Option.Option<A>, E | TemporarilyUnavailable, R>
  /** Runs the effect and undoes what it did. */
  undone<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | TemporarilyUnavailable, R>

  /** Firms that are new or have another name since their form was kept, at most so many. */
  renamedFirms(limit: number): Effect.Effect<
    ReadonlyArray<{ readonly firmId: string; readonly name: string }>,
    TemporarilyUnavailable
  >
  /** Keeps forms of firms; counties whose owners have a block in common with one are stale from now on. */
  keepFirms(
    firms: ReadonlyArray<NameForm & { readonly firmId: string }>
  ): Effect.Effect<void, TemporarilyUnavailable>

  /** Counties that changed since they were matched, or all; of these alone where some are named. */
  counties(request: { readonly all: boolean; readonly only: ReadonlyArray<string> | null }): Effect.Effect<
    ReadonlyArray<StaleCounty>,
    TemporarilyUnavailable
  >
  /** At how many characters the county's source cuts names off; none: it does not. */
  cutAt(countyFips: string): Effect.Effect<Option.Option<number>, TemporarilyUnavailable>
  /** The names of a county in their order, after this one. */
  names(countyFips: string, after: string | null, limit: number): Effect.Effect<
    ReadonlyArray<NamedOwner & { readonly folded: string }>,
    TemporarilyUnavailable
  >
  /** Keeps owners of a county; what is kept of the same name is replaced. */
  keepOwners(countyFips: string, owners: ReadonlyArray<KeptOwner>): Effect.Effect<void, TemporarilyUnavailable>
  /** Owners of a county that are nobody's, by their ids, after this one. */
  undecided(countyFips: string, after: string | null, limit: number): Effect.Effect<
    ReadonlyArray<Undecided>,
    TemporarilyUnavailable
  >
  /**
   * Keeps what was found of these owners instead of what was proposed for them; what a person decided stays. Answers how many are
   * proposed that were not before.
   */
  keepMatches(
    ownerIds: ReadonlyArray<string>,
    matches: ReadonlyArray<FoundMatch>
  ): Effect.Effect<number, TemporarilyUnavailable>
  /**
   * Makes firms of names that own two or more properties in one state (the federal government: anywhere), and of which an owner is
   * in this county, where nothing is proposed for any of them. Answers how many; other counties of such owners are stale from now
   * on.
   */
  found(countyFips: string): Effect.Effect<number, TemporarilyUnavailable>
  /** Ties and unties the properties of a county as the matches say. */
  settle(countyFips: string): Effect.Effect<Settled, TemporarilyUnavailable>
  /** The county is matched as it was then. */
  matched(county: StaleCounty): Effect.Effect<void, TemporarilyUnavailable>

  /** Matches of a state, the most confident first, after this one. */
  list(request: {
    readonly state: MatchState
    readonly countyFips: ReadonlyArray<string> | null
    readonly after: string | null
    readonly limit: number
  }): Effect.Effect<ReadonlyArray<ListedMatch>, TemporarilyUnavailable>
  /** Decides about a match, and ties or unties what that means; none: there is no such match. */
  decide(id: string, state: "accepted" | "rejected"): Effect.Effect<
    Option.Option<{ readonly match: ListedMatch; readonly settled: Settled }>,
    TemporarilyUnavailable
  >
}>()("@freehold/core/firm/OwnerMatches") {}

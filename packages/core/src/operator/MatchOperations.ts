/** What the operator decides about matches: which owners are which firms, and which two records are of one place. */
import { Schema } from "effect"
import { MatchState } from "../firm/OwnerMatches.ts"
import * as Operation from "../operation/Operation.ts"
import { CountyFips } from "../organization/Organization.ts"
import { PairState } from "../property/PlaceMatches.ts"
import { MatchDecision } from "./MatchDecision.ts"
import { access, Reason } from "./OperatorOperation.ts"

const MatchId = Schema.String.check(
  Schema.makeFilter((text: string) => /^\d{1,18}$/.test(text) || "Expected the number of a match")
)

export const matchesAPage = 50

const page = { county_fips: Schema.optionalKey(CountyFips), cursor: Schema.optionalKey(MatchId) }

const decided = { id: MatchId, decision: MatchDecision, reason: Reason }

const OwnerMatch = Schema.Struct({
  id: Schema.String,
  state: MatchState,
  /** 0 to 1. */
  confidence: Schema.Finite,
  /** In the words of `OwnerMatch`. */
  evidence: Schema.Array(Schema.String),
  owner: Schema.Struct({ name: Schema.String, county_fips: Schema.String, properties: Schema.Int }),
  firm: Schema.Struct({ id: Schema.String, key: Schema.String, name: Schema.String })
})

export const ListOwnerMatches = Operation.make("operator_list_owner_matches", {
  title: "Owners and firms",
  description: "Free. Owners of county records and the firms that they may be, the most confident first, with why.",
  input: Schema.Struct({ state: MatchState, ...page }),
  output: Schema.Struct({ items: Schema.Array(OwnerMatch), next_cursor: Schema.NullOr(Schema.String) }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

export const DecideOwnerMatch = Operation.make("operator_decide_owner_match", {
  title: "Is this owner that firm?",
  description: "Free. Accepted, the owner's properties are tied to the firm; rejected, they are untied, for good.",
  input: Schema.Struct(decided),
  output: Schema.Struct({
    ...OwnerMatch.fields,
    /** Properties that were tied to a firm by it, and untied. */
    tied: Schema.Int,
    untied: Schema.Int
  }),
  refusals: [],
  access,
  effect: "write",
  tool: false
})

const PairedRecord = Schema.Struct({
  id: Schema.String,
  key: Schema.String,
  source: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String)
})

const Pair = Schema.Struct({
  id: Schema.String,
  state: PairState,
  /** 0 to 1. */
  confidence: Schema.Finite,
  /** In the words of `SamePlace`. */
  evidence: Schema.Array(Schema.String),
  /** The one that would retire. */
  from: PairedRecord,
  into: PairedRecord
})

export const ListPlaceMatches = Operation.make("operator_list_place_matches", {
  title: "Records of one place",
  description: "Free. Two records that may be of one place, the most confident first, with why.",
  input: Schema.Struct({ state: PairState, ...page }),
  output: Schema.Struct({ items: Schema.Array(Pair), next_cursor: Schema.NullOr(Schema.String) }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

export const DecidePlaceMatch = Operation.make("operator_decide_place_match", {
  title: "Are these one place?",
  description:
    "Free. Accepted, the records are merged for all organizations, which nothing undoes; rejected, the pair never comes back.",
  input: Schema.Struct(decided),
  output: Schema.Struct({
    ...Pair.fields,
    /** How many of each kind, as `PropertyMerges` counts them; null: they stay two. */
    moved: Schema.NullOr(Schema.Record(Schema.String, Schema.Int))
  }),
  refusals: [],
  access,
  effect: "write",
  tool: false
})

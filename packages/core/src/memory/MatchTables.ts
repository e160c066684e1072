/** What the in-memory ports of matching keep, as a part of the one state. */
import type { OwnerTie, StoredFirmForm, StoredOwner, StoredOwnerMatch } from "./firm/StoredOwner.ts"
import type { StoredPair } from "./property/StoredPair.ts"

export interface MatchTables {
  /** By id. */
  readonly owners: Map<string, StoredOwner>
  /** By the id of the firm. */
  readonly firmForms: Map<string, StoredFirmForm>
  /** Of firms that were made of owners, by id: the key by which an import finds them. */
  readonly firmKeys: Map<string, string>
  /** By `<owner id> <firm id>`. */
  readonly ownerMatches: Map<string, StoredOwnerMatch>
  /** By `<property id> <firm id>`. */
  readonly ownerTies: Map<string, OwnerTie>
  /** By `<one id> <other id>`. */
  readonly placePairs: Map<string, StoredPair>
  /** By `<subject> <county>`: when the county had been refreshed when it was matched. */
  readonly matchedCounties: Map<string, string | null>
  /** The last number that was given, by what it was given to. */
  readonly matchNumbers: Map<string, number>
}

/** Nothing was matched yet. */
export const unmatched = (): MatchTables => ({
  owners: new Map(),
  firmForms: new Map(),
  firmKeys: new Map(),
  ownerMatches: new Map(),
  ownerTies: new Map(),
  placePairs: new Map(),
  matchedCounties: new Map(),
  matchNumbers: new Map()
})

/** Owners and what they may be, as memory keeps them. */
import type { FoundMatch, KeptOwner, ListedMatch, MatchState, NameForm } from "../../firm/OwnerMatches.ts"

export interface StoredOwner extends KeptOwner {
  readonly ownerId: string
  readonly countyFips: string
}

export interface StoredFirmForm extends NameForm {
  readonly firmId: string
}

export interface StoredOwnerMatch extends Omit<FoundMatch, "evidence" | "state">, Pick<ListedMatch, "id" | "evidence"> {
  readonly state: MatchState
}

/** A tie that a match has made, and may take back. */
export interface OwnerTie {
  readonly propertyId: string
  readonly firmId: string
  readonly ownerId: string
}

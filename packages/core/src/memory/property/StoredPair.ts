/** Two records that may be of one place, as memory keeps them. */
import type { FoundPair, PairState } from "../../property/PlaceMatches.ts"

export interface StoredPair extends FoundPair {
  readonly id: string
  readonly state: PairState
}

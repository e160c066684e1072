/** A county whose records are to be matched, by one kind of matching, as it is now. */
export interface StaleCounty {
  readonly countyFips: string
  /** When its records were last refreshed: once it is matched, it is stale again when this is another moment. */
  readonly refreshedAt: string | null
}

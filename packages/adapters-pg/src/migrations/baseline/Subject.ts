/** A part of the first schema: what it keeps, how that is found, and what keeps it in order, as statements. */
export interface Subject {
  readonly tables: ReadonlyArray<string>
  readonly indexes?: ReadonlyArray<string>
  readonly triggers?: ReadonlyArray<string>
}

/** How far back rows of a kind reach, since older ones were removed (`retention/RetentionPg.ts`). */
export const keptSince = (kind: "deliveries"): string =>
  `coalesce((SELECT kept_since FROM history_start WHERE kind = '${kind}'), '-infinity')`

/** A law as the auditor asks for it. */
export interface Law {
  /** The name under which it is reported. */
  readonly law: string
  readonly title: string
  /** Selects the violations: whose record it is (or null), which record, what is wrong with it. */
  readonly statement: string
}

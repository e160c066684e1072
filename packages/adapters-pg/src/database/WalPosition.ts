/** Where a write-ahead log stands, as a number that grows. */

/** The position that PostgreSQL writes as `16/B374D848`. */
export const parse = (text: string): bigint => {
  const [high = "0", low = "0"] = text.split("/")
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

/**
 * Up to where a standby has to be for everything that was committed so far and was answered. A commit that nobody waits for on
 * the disk is further on than what was flushed. Ours are counters and deliveries that were fanned out, which are never read
 * from a standby, and the batches of an import, which counts as done when it is settled.
 */
export const committed = `(CASE current_setting('synchronous_commit')
  WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END)::text`

/** What is kept of each delivery for the queues, which keep nothing: an attempt row, and a log row with what was sent. */
import type { Pool } from "pg"

export interface Attempt {
  readonly id: string
  readonly path: string
  readonly status: number
  readonly millis: number
  /** What was sent. */
  readonly data: string
}

export const createTables = `
  CREATE TABLE IF NOT EXISTS bench_attempt (
    id uuid NOT NULL, attempt integer NOT NULL, at timestamptz NOT NULL DEFAULT now(), status integer NOT NULL,
    duration_ms integer NOT NULL, PRIMARY KEY (id, attempt, at)
  );
  CREATE TABLE IF NOT EXISTS bench_log (
    id uuid PRIMARY KEY, endpoint text NOT NULL, state text NOT NULL, attempts integer NOT NULL, data text NOT NULL,
    finished_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX IF NOT EXISTS bench_log_of_endpoint ON bench_log (endpoint, finished_at DESC)`

/** In one statement. */
export const insert = async (pool: Pool, attempts: ReadonlyArray<Attempt>): Promise<void> => {
  await pool.query({
    name: "attempts",
    text: `WITH ended AS MATERIALIZED (
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[], $5::text[]) AS e(id, endpoint, status, millis, data)
      ), line AS (
        INSERT INTO bench_attempt (id, attempt, status, duration_ms) SELECT id, 1, status, millis FROM ended
      )
      INSERT INTO bench_log (id, endpoint, state, attempts, data) SELECT id, endpoint, 'delivered', 1, data FROM ended`,
    values: [
      attempts.map(({ id }) => id),
      attempts.map(({ path }) => path),
      attempts.map(({ status }) => status),
      attempts.map(({ millis }) => Math.round(millis)),
      attempts.map(({ data }) => data)
    ]
  })
}

/** Takes one at a time, and writes those that came while the last were written. */
export const collector = (pool: Pool) => {
  let waiting: Array<
    { readonly attempt: Attempt; readonly written: () => void; readonly failed: (cause: unknown) => void }
  > = []
  let writing = false
  const flush = async (): Promise<void> => {
    writing = true
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await insert(pool, batch.map(({ attempt }) => attempt))
        for (const { written } of batch) written()
      } catch (cause) {
        for (const { failed } of batch) failed(cause)
      }
    }
    writing = false
  }
  return (attempt: Attempt): Promise<void> =>
    new Promise((written, failed) => {
      waiting.push({ attempt, written, failed })
      if (!writing) void Promise.resolve().then(flush)
    })
}

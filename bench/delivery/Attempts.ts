/** Attempt rows for the queues that keep none: written many at a time, as soon as the last were. */
import type { Pool } from "pg"

export interface Attempt {
  readonly id: string
  readonly status: number
  readonly millis: number
}

export const createTable = `
  CREATE TABLE IF NOT EXISTS bench_attempt (
    id uuid NOT NULL, at timestamptz NOT NULL DEFAULT now(), status integer NOT NULL, duration_ms integer NOT NULL
  )`

/** In one statement. */
export const insert = async (pool: Pool, attempts: ReadonlyArray<Attempt>): Promise<void> => {
  await pool.query({
    name: "attempts",
    text: "INSERT INTO bench_attempt (id, status, duration_ms) SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[])",
    values: [
      attempts.map(({ id }) => id),
      attempts.map(({ status }) => status),
      attempts.map(({ millis }) => Math.round(millis))
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

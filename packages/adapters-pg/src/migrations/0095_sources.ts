/** The sources that records come from, their runs, and what each of them has. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Comment from "../database/Comment.ts"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE source (
    name text PRIMARY KEY,
    document jsonb NOT NULL,
    token_sealed bytea,
    paused boolean NOT NULL DEFAULT false,
    added_at timestamptz NOT NULL DEFAULT now(),
    due_at timestamptz,
    full_at timestamptz,
    mark jsonb,
    failures integer NOT NULL DEFAULT 0
  )`,
  ...Comment.onTable("source", "Where records come from by themselves: a portal, a file.", {
    document: "What the operator wrote about it; nothing in it is secret.",
    token_sealed: "What the portal is shown, sealed with the operator's key.",
    due_at: "When it is synced next; null: when it is asked for.",
    full_at: "When everything was last read.",
    mark: "What the portal is asked for changes since.",
    failures: "Syncs in a row that were put off."
  }),

  `CREATE TABLE source_run (
    source text NOT NULL REFERENCES source ON DELETE CASCADE,
    number integer NOT NULL,
    state text NOT NULL CHECK (state IN ('reading', 'asks', 'loading', 'done', 'failed', 'left')),
    whole boolean NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    page integer NOT NULL DEFAULT 0,
    position jsonb,
    mark jsonb,
    unseen text[] NOT NULL,
    read integer NOT NULL DEFAULT 0,
    inserted integer NOT NULL DEFAULT 0,
    changed integer NOT NULL DEFAULT 0,
    unchanged integer NOT NULL DEFAULT 0,
    rejected integer NOT NULL DEFAULT 0,
    retired integer NOT NULL DEFAULT 0,
    reason text,
    rejects jsonb NOT NULL DEFAULT '[]',
    PRIMARY KEY (source, number)
  )`,
  `CREATE UNIQUE INDEX source_run_open ON source_run (source) WHERE state IN ('reading', 'asks', 'loading')`,
  ...Comment.onTable("source_run", "The syncs of a source; the last hundred are kept.", {
    whole: "Everything is read, so that what is not among it has vanished.",
    page: "Steps taken; the next one names it, so that two processes never take the same.",
    position: "Behind the last page that was kept: where another process goes on.",
    mark: "Becomes the mark of the source when it is done.",
    unseen: "Columns of the map that no record had so far.",
    reason: "Why it asks, failed or waits.",
    rejects: "The first rows that could not be used."
  }),

  `CREATE TABLE source_row (
    source text NOT NULL REFERENCES source ON DELETE CASCADE,
    key text NOT NULL,
    digest text,
    body jsonb,
    as_of timestamptz,
    PRIMARY KEY (source, key)
  )`,
  `CREATE INDEX source_row_different ON source_row (source, key) WHERE body IS NOT NULL`,
  ...Comment.onTable("source_row", "Rows that an open run has read, kept aside until they are loaded.", {
    digest: "Of the row; null: it is faulty, and no more is known than that it is there.",
    body: "The row, where it differs from what was loaded before; null: it is the same, or loaded.",
    as_of: "As of when the source says this."
  }),

  `CREATE TABLE source_record (
    source text NOT NULL REFERENCES source ON DELETE CASCADE,
    key text NOT NULL,
    digest text NOT NULL,
    vanished_at timestamptz,
    PRIMARY KEY (source, key)
  )`,
  `CREATE INDEX source_record_key ON source_record (key)`,
  ...Comment.onTable("source_record", "The records that a source brought.", {
    digest: "Of the row that was loaded last.",
    vanished_at: "Since when the source does not have it any more; null: it has it."
  }),

  `CREATE TABLE source_county (
    source text NOT NULL REFERENCES source ON DELETE CASCADE,
    county_fips text NOT NULL,
    PRIMARY KEY (source, county_fips)
  )`,
  ...Comment.onTable("source_county", "The counties that a source brought properties of.")
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

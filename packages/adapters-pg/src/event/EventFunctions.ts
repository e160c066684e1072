/** The order of an organization's events, and who is woken by one. */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION event_order() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO event_clock AS c (org_id, last_at) VALUES (NEW.org_id, clock_timestamp())
    ON CONFLICT (org_id) DO UPDATE SET last_at = greatest(clock_timestamp(), c.last_at + interval '1 microsecond')
    RETURNING last_at INTO NEW.created_at;
    RETURN NEW;
  END $$`,
  Comment.onFunction(
    "event_order",
    `
    Trigger of event: gives created_at under the organization's row of event_clock, held until the commit, later
    than every one before it. Within an organization the order of created_at is the order of the commits, so that a
    reader who has seen an event has seen all before it.
  `
  ),

  `CREATE OR REPLACE FUNCTION event_wake() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('freehold_event', '');
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "event_wake",
    `
    Trigger: one notification a transaction, however many events or changes it records.
  `
  )
]

/** What happened, in an order of its own for each organization. */
import * as Comment from "../../database/Comment.ts"
import type { Subject } from "./Subject.ts"

export const events: Subject = {
  tables: [
    `CREATE TABLE event (
      org_id text NOT NULL REFERENCES organization,
      id uuid NOT NULL,
      type text NOT NULL,
      property_id uuid REFERENCES property,
      subject_type text,
      subject_id text,
      withdraws_event_id uuid,
      status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'fanned_out', 'skipped')),
      skip_reason text,
      by_agent boolean NOT NULL,
      test boolean NOT NULL DEFAULT false,
      partial boolean NOT NULL DEFAULT false,
      occurred_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      fanned_out_at timestamptz,
      change_id uuid REFERENCES property_change,
      withdrawal_reason text CHECK (withdrawal_reason IN ('source_correction', 'duplicate', 'suppressed')),
      PRIMARY KEY (org_id, id),
      CHECK ((status = 'skipped') = (skip_reason IS NOT NULL)),
      CHECK ((withdrawal_reason IS NOT NULL) = (withdraws_event_id IS NOT NULL))
    )`,
    ...Comment.onTable("event", "The record that something happened which an organization may be told of.", {
      withdraws_event_id: "The event that this one takes back.",
      status: "Pending: no delivery was made of it yet. Skipped: it is nobody's work.",
      by_agent: "By a key or a member's assistant.",
      partial: "The property was neither unlocked nor covered when this happened.",
      created_at: "Later than every one before it in the organization, in the order of the commits (event_order).",
      change_id: "The change that it is about; of a signal.withdrawn, the one that was taken back."
    }),

    `CREATE TABLE event_clock (
      org_id text PRIMARY KEY REFERENCES organization,
      last_at timestamptz NOT NULL
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
    ...Comment.onTable(
      "event_clock",
      "The last moment that an event of an organization was given; its row orders them (event_order)."
    )
  ],
  indexes: [
    `CREATE INDEX event_recorded ON event (org_id, type, created_at, id)`,
    `CREATE INDEX event_recent ON event (org_id, occurred_at DESC, id)`,
    `CREATE INDEX event_recent_of_type ON event (org_id, type, occurred_at DESC, id)`,
    `CREATE INDEX event_pending ON event (created_at) WHERE status = 'pending'`,
    `CREATE INDEX event_of_property ON event (property_id, org_id) WHERE property_id IS NOT NULL`,
    `CREATE UNIQUE INDEX event_of_change ON event (change_id, org_id, (type = 'signal.withdrawn'))
      WHERE change_id IS NOT NULL`
  ],
  triggers: [
    `CREATE TRIGGER event_order BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION event_order()`,
    // What is recorded as skipped is nobody's work.
    `CREATE TRIGGER event_wake AFTER INSERT ON event FOR EACH ROW WHEN (NEW.status = 'pending')
      EXECUTE FUNCTION event_wake()`
  ]
}

/** Endpoints, and the events on their way to them. What waits is in `delivery`, what has ended in `delivery_log`. */
import * as Comment from "../../database/Comment.ts"
import type { Subject } from "./Subject.ts"

export const deliveries: Subject = {
  tables: [
    `CREATE TABLE webhook_endpoint (
      org_id text NOT NULL REFERENCES organization,
      id uuid NOT NULL,
      url text NOT NULL,
      target_key text NOT NULL,
      label text,
      events text[] NOT NULL,
      include_evidence boolean NOT NULL DEFAULT false,
      active boolean NOT NULL DEFAULT true,
      disabled_reason text,
      created_via text NOT NULL CHECK (created_via IN ('api', 'manual', 'zapier')),
      secret_sealed bytea NOT NULL,
      previous_secret_sealed bytea,
      previous_secret_until timestamptz,
      consecutive_failures integer NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
      created_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (org_id, id),
      CHECK (active = (disabled_reason IS NULL))
    )`,
    ...Comment.onTable("webhook_endpoint", "An address to which an organization has events sent.", {
      target_key: "The address as it is compared: one active endpoint each.",
      events: "The types that it wants.",
      include_evidence: "Whether signals tell what they rest on.",
      secret_sealed: "What its requests are signed with, sealed by the operator's key.",
      previous_secret_until: "Until then requests are signed with the secret before the last rotation as well.",
      consecutive_failures: "Deliveries that failed for good since the last that arrived; at a limit it is disabled."
    }),

    `CREATE TABLE delivery (
      org_id text NOT NULL,
      id uuid NOT NULL,
      event_id uuid NOT NULL,
      endpoint_id uuid NOT NULL,
      event_type text NOT NULL,
      property_id uuid,
      test boolean NOT NULL,
      partial boolean NOT NULL,
      state text NOT NULL DEFAULT 'queued',
      attempts integer NOT NULL DEFAULT 0 CHECK (attempts BETWEEN 0 AND 5),
      claim integer NOT NULL DEFAULT 0,
      claimed_until timestamptz,
      due_at timestamptz NOT NULL DEFAULT now(),
      data text,
      created_at timestamptz NOT NULL DEFAULT now(),
      reason text,
      held_claim integer,
      held_records integer,
      resending boolean NOT NULL DEFAULT false,
      resends integer NOT NULL DEFAULT 0,
      delivered_at timestamptz,
      PRIMARY KEY (org_id, id),
      UNIQUE (org_id, event_id, endpoint_id),
      FOREIGN KEY (org_id, event_id) REFERENCES event,
      FOREIGN KEY (org_id, endpoint_id) REFERENCES webhook_endpoint
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
    ...Comment.onTable("delivery", "One event that waits to be sent to one endpoint, or is being sent.", {
      partial: "The property was locked when the event happened.",
      claim: "Moves on with every claim, so that an outcome of an earlier one counts for nothing.",
      claimed_until: "The end of the lease; null: nobody sends it now.",
      due_at: "When it may be claimed: of what is claimed, the end of the lease.",
      data:
        "The part of the body that stays the same over all attempts; null: not built yet, or forgotten since something in it was withheld.",
      reason: "Why it waits, where that was no attempt's fault.",
      held_claim: "Counts against limits as under way while this claim is held.",
      held_records: "How many records it would take of the allowance.",
      resending: "It ended before and is sent again for one attempt, which is not of the five.",
      resends: "How many attempts beyond the five there were.",
      delivered_at: "When it arrived before it was sent again."
    }),

    `CREATE TABLE delivery_log (
      org_id text NOT NULL,
      id uuid NOT NULL,
      event_id uuid NOT NULL,
      endpoint_id uuid NOT NULL,
      event_type text NOT NULL,
      property_id uuid,
      test boolean NOT NULL,
      partial boolean NOT NULL,
      state text NOT NULL,
      attempts integer NOT NULL,
      data text,
      created_at timestamptz NOT NULL,
      finished_at timestamptz NOT NULL,
      reason text,
      resends integer NOT NULL DEFAULT 0,
      PRIMARY KEY (org_id, id)
    )`,
    ...Comment.onTable("delivery_log", "A delivery that has ended.", {
      state: "How it ended.",
      data: "As it was sent, so that it can be sent again; null: forgotten since something in it was withheld.",
      reason: "Why it was cancelled, where that was no attempt's fault."
    }),

    `CREATE TABLE delivery_attempt (
      org_id text NOT NULL,
      delivery_id uuid NOT NULL,
      attempt integer NOT NULL,
      at timestamptz NOT NULL DEFAULT now(),
      status integer,
      error text,
      duration_ms integer NOT NULL,
      PRIMARY KEY (org_id, delivery_id, attempt, at)
    )`,
    ...Comment.onTable("delivery_attempt", "One attempt to send a delivery.", {
      status: "Of the answer; null: there was none.",
      error: "What went wrong, as a stable word."
    }),

    `CREATE TABLE delivery_booked (
      org_id text NOT NULL REFERENCES organization,
      delivery_id uuid NOT NULL,
      at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (org_id, delivery_id)
    )`,
    ...Comment.onTable("delivery_booked", "A delivery that was counted as an export, once."),

    `CREATE TABLE key_proof (
      only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
      sealed bytea NOT NULL
    )`,
    ...Comment.onTable(
      "key_proof",
      `A value that the operator's key sealed, by which every later start knows that it was given the same key. The first
      start that has a key writes it.`,
      { only_one: "One row at most." }
    )
  ],
  indexes: [
    // The operator names an endpoint without its organization.
    `CREATE INDEX webhook_endpoint_by_id ON webhook_endpoint (id)`,
    `CREATE UNIQUE INDEX webhook_endpoint_target ON webhook_endpoint (org_id, target_key) WHERE active`,
    `CREATE INDEX delivery_due ON delivery (due_at, id)`,
    `CREATE INDEX delivery_of_endpoint ON delivery (org_id, endpoint_id, due_at)`,
    `CREATE INDEX delivery_in_flight ON delivery (org_id, endpoint_id, claimed_until)
      WHERE claimed_until IS NOT NULL`,
    `CREATE INDEX delivery_under_way ON delivery (org_id) WHERE held_claim IS NOT NULL`,
    `CREATE INDEX delivery_postponed ON delivery (org_id) WHERE state = 'postponed_daily_limit'`,
    `CREATE INDEX delivery_log_of_endpoint ON delivery_log (org_id, endpoint_id, created_at DESC)`,
    `CREATE INDEX delivery_log_of_property ON delivery_log (property_id) WHERE data IS NOT NULL`,
    `CREATE INDEX delivery_log_of_event ON delivery_log (org_id, event_id, endpoint_id)`
  ]
}

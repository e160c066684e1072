/** Customers, who calls for them, and the answers that are kept for calls that are made again. */
import * as Comment from "../../database/Comment.ts"
import type { Subject } from "./Subject.ts"

export const organizations: Subject = {
  tables: [
    `CREATE TABLE organization (
      org_id text PRIMARY KEY CHECK (org_id ~ '^[A-Za-z0-9_-]{1,64}$'),
      profile jsonb NOT NULL,
      status text GENERATED ALWAYS AS (profile ->> 'status') STORED CHECK (status IN ('active', 'suspended', 'closed')),
      revision bigint NOT NULL DEFAULT 1,
      demonstration boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL DEFAULT now()
    )`,
    ...Comment.onTable("organization", "A customer: its plan, state, area, switches and limits.", {
      org_id: "The operator's own name of it.",
      profile: "Its settings, in the form of an apply document.",
      status: "As the profile says; what is closed keeps its history.",
      revision: "Moves on with every change of the profile, so that a host which knows it need not read it again.",
      demonstration: "Its data is made up; a database that holds others takes no demonstration."
    }),

    `CREATE TABLE member (
      org_id text NOT NULL REFERENCES organization,
      member_id uuid NOT NULL,
      email text NOT NULL,
      name text NOT NULL,
      role text NOT NULL CHECK (role IN ('admin', 'member', 'read_only')),
      seat boolean NOT NULL,
      status text NOT NULL CHECK (status IN ('active', 'removed')),
      territory jsonb,
      monthly_credit_limit integer CHECK (monthly_credit_limit >= 0),
      created_at timestamptz NOT NULL DEFAULT now(),
      issuer text,
      subject text,
      PRIMARY KEY (org_id, member_id),
      CHECK ((issuer IS NULL) = (subject IS NULL)),
      CHECK (status = 'active' OR subject IS NULL)
    )`,
    ...Comment.onTable("member", "A person of an organization.", {
      seat: "Whether the person has a seat of the plan.",
      territory: "The counties that the person sees, within the serviceable area; null: all of it.",
      monthly_credit_limit: "The most credits that the person may spend in a UTC month; null: no limit.",
      issuer: "Of the identity provider at which the person signed in first; null: has not yet.",
      subject: "Who the person is at that provider."
    }),

    `CREATE TABLE credential (
      org_id text NOT NULL REFERENCES organization,
      credential_id uuid NOT NULL,
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
      label text NOT NULL,
      secret_hash bytea NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
      scopes text[] NOT NULL,
      daily_limits jsonb NOT NULL DEFAULT '{}',
      created_at timestamptz NOT NULL DEFAULT now(),
      revoked_at timestamptz,
      member_id uuid,
      client_id text,
      PRIMARY KEY (org_id, credential_id),
      CHECK ((member_id IS NULL) = (client_id IS NULL)),
      FOREIGN KEY (org_id, member_id) REFERENCES member
    )`,
    ...Comment.onTable("credential", "A key of an organization, or the connection of a member and a client.", {
      name: "Of a key: what its requests are told apart by. Of a connection: the member's.",
      label: "What its owner calls it; of a connection, the client.",
      secret_hash:
        "Of the secret, which is kept nowhere. A connection has none: its hash is that of a text that no key has.",
      daily_limits: "The key's own layer of the daily limits, by kind.",
      revoked_at: "When it ended; null: it works.",
      client_id: "Of a connection: the client that the member uses."
    }),

    `CREATE TABLE idempotent_answer (
      org_id text NOT NULL,
      credential_id uuid NOT NULL,
      key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
      operation text NOT NULL,
      fingerprint text NOT NULL,
      answer_sealed bytea NOT NULL,
      expires_at timestamptz NOT NULL,
      must_replay boolean NOT NULL DEFAULT false,
      room_end bigint NOT NULL DEFAULT 0,
      PRIMARY KEY (org_id, credential_id, key),
      FOREIGN KEY (org_id, credential_id) REFERENCES credential
    )`,
    ...Comment.onTable(
      "idempotent_answer",
      "What was answered to a call under an Idempotency-Key, to be answered again.",
      {
        key: "As the caller chose it.",
        fingerprint: "Of the request, in hex: the same key with another request is refused.",
        answer_sealed: "The answer, sealed by the operator's key.",
        must_replay:
          "To a call that would charge again, so that it is kept until it expires; the others make room, oldest first.",
        room_end:
          "Where it ends when the answers of its credential stand in a row, those that must be replayed in one of their own."
      }
    )
  ],
  indexes: [
    `CREATE UNIQUE INDEX member_email ON member (org_id, lower(email))`,
    `CREATE UNIQUE INDEX member_subject ON member (issuer, subject, org_id) WHERE subject IS NOT NULL`,
    `CREATE INDEX member_address ON member (lower(email)) WHERE status = 'active'`,
    // The operator names a key without its organization.
    `CREATE INDEX credential_by_id ON credential (credential_id)`,
    `CREATE INDEX credential_of_organization ON credential (org_id, created_at)`,
    `CREATE UNIQUE INDEX credential_connection ON credential (org_id, member_id, client_id) WHERE member_id IS NOT NULL`,
    `CREATE INDEX idempotent_answer_expiry ON idempotent_answer (expires_at)`,
    `CREATE INDEX idempotent_answer_room ON idempotent_answer (org_id, credential_id, must_replay, room_end)`
  ]
}

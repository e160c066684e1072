/** What keeps notices, and hands out those that are to be sent as mails. */
import { mailLife } from "@freehold/core/notice/NoticeMails"
import { maximumConsecutiveFailures } from "@freehold/core/webhook/RetryPolicy"
import { Duration } from "effect"
import * as Comment from "../database/Comment.ts"

/** The tables of notices, each with what says whose they are. */
const tables = [["notice", "t.org_id"], ["installation_notice", "NULL::text"]] as const

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION notice_record(of_org text, of_id uuid, of_kind text, of_cause text, of_text text, at_time timestamptz)
  RETURNS boolean LANGUAGE plpgsql AS $$
  DECLARE
    of_day CONSTANT date := (at_time AT TIME ZONE 'UTC')::date;
  BEGIN
    IF of_org IS NULL THEN
      INSERT INTO installation_notice (notice_id, kind, cause, day, text, created_at, mail_due_at)
      VALUES (of_id, of_kind, of_cause, of_day, of_text, at_time, at_time)
      ON CONFLICT (kind, cause, day) DO NOTHING;
    ELSE
      INSERT INTO notice (org_id, notice_id, kind, cause, day, text, created_at, mail_due_at)
      VALUES (of_org, of_id, of_kind, of_cause, of_day, of_text, at_time, at_time)
      ON CONFLICT (org_id, kind, cause, day) DO NOTHING;
    END IF;
    RETURN FOUND;
  END $$`,
  Comment.onFunction(
    "notice_record",
    "Keeps a notice, of the installation where no organization is named; false: its cause was told on this day before."
  ),

  `CREATE OR REPLACE FUNCTION notice_endpoint_disabled() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM notice_record(NEW.org_id, uuid_of_now(), 'endpoint_disabled', NEW.id::text, format(
      'Webhooks to %s%s have stopped: %s.',
      substring(NEW.url FROM '^[^:/?#]+://(?:[^/?#@]*@)?([^/?#]+)'), ' (' || NEW.label || ')',
      CASE NEW.disabled_reason
        WHEN 'gone' THEN 'it answered 410 Gone'
        WHEN 'private_address' THEN 'its address is a private one'
        ELSE '${maximumConsecutiveFailures} deliveries in a row used up their attempts'
      END
    ), now());
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "notice_endpoint_disabled",
    "Of an endpoint that was disabled by itself: names its host alone, since an address may hold a secret. core DisabledNotice."
  ),

  `CREATE OR REPLACE FUNCTION notice_mail_claim(p_limit integer, p_until timestamptz, at_time timestamptz) RETURNS TABLE (
    org_id text, notice_id uuid, kind text, text text, created_at timestamptz, attempt integer, ended text[], admins text[]
  ) LANGUAGE sql AS $$
    WITH ${
    tables.map(([table, org]) =>
      `due_${table} AS MATERIALIZED (
      SELECT ${org} AS org_id, t.notice_id, t.mail_due_at FROM ${table} t
      WHERE t.mail_due_at <= at_time AND t.created_at > at_time - interval '${Duration.toSeconds(mailLife)} seconds'
      ORDER BY t.mail_due_at LIMIT p_limit FOR UPDATE SKIP LOCKED
    )`
    ).join(", ")
  }, chosen AS MATERIALIZED (
      SELECT d.org_id, d.notice_id FROM (${tables.map(([table]) => `SELECT * FROM due_${table}`).join(" UNION ALL ")}) d
      ORDER BY d.mail_due_at LIMIT p_limit
    )${
    tables.map(([table]) =>
      `, claimed_${table} AS (
      UPDATE ${table} t SET mail_attempts = t.mail_attempts + 1, mail_due_at = p_until
      FROM chosen c WHERE ${
        table === "notice" ? "t.org_id = c.org_id AND " : "c.org_id IS NULL AND "
      }t.notice_id = c.notice_id
      RETURNING c.org_id, t.notice_id, t.kind, t.text, t.created_at, t.mail_attempts, t.mail_ended
    )`
    ).join("")
  }
    SELECT m.org_id, m.notice_id, m.kind, m.text, m.created_at, m.mail_attempts, m.mail_ended, ARRAY(
      SELECT p.email FROM member p
      WHERE p.org_id = m.org_id AND p.role = 'admin' AND p.status = 'active' ORDER BY p.created_at, p.member_id
    )
    FROM (${tables.map(([table]) => `SELECT * FROM claimed_${table}`).join(" UNION ALL ")}) m
  $$`,
  Comment.onFunction(
    "notice_mail_claim",
    "Claims notices that are to be sent as mails, the longest due first, until a moment at which they are due again."
  )
]

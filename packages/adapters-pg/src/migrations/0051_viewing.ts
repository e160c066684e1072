/** Fair use in the app, and notices to admins and the operator. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE notice (
    org_id text NOT NULL REFERENCES organization ON DELETE CASCADE,
    notice_id uuid NOT NULL,
    kind text NOT NULL,
    cause text NOT NULL,
    day date NOT NULL,
    text text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, notice_id),
    UNIQUE (org_id, kind, cause, day)
  )`,
  `CREATE INDEX notice_age ON notice (org_id, created_at)`,
  `CREATE INDEX notice_newest ON notice (created_at)`,
  `COMMENT ON TABLE notice IS 'What admins and the operator were told without having asked; each cause once a UTC day, kept for 90 days'`,
  `COMMENT ON COLUMN notice.cause IS 'Whom or what it is about, in its kind'`,

  `CREATE TABLE page_viewer (
    org_id text NOT NULL,
    member_id uuid NOT NULL,
    paused_until timestamptz,
    PRIMARY KEY (org_id, member_id),
    FOREIGN KEY (org_id, member_id) REFERENCES member ON DELETE CASCADE
  )`,
  `COMMENT ON TABLE page_viewer IS 'Members who opened property pages in the app; its row is what concurrent openings wait for'`,
  `COMMENT ON COLUMN page_viewer.paused_until IS 'Pages stay closed until then; null: they never were, or it is over'`,

  `CREATE TABLE page_view (
    org_id text NOT NULL,
    member_id uuid NOT NULL,
    property_id uuid NOT NULL,
    opened_at timestamptz NOT NULL,
    PRIMARY KEY (org_id, member_id, property_id),
    FOREIGN KEY (org_id, member_id) REFERENCES page_viewer ON DELETE CASCADE
  )`,
  `CREATE INDEX page_view_age ON page_view (org_id, member_id, opened_at)`,
  `COMMENT ON TABLE page_view IS 'Property pages that a member opened within the longest window of fair use'`,
  `COMMENT ON COLUMN page_view.opened_at IS 'The last time'`,

  `CREATE FUNCTION page_view_open(
    of_org text, of_member uuid, of_property uuid, spans bigint[], caps integer[], pause bigint, now_ms bigint
  ) RETURNS TABLE (paused_until timestamptz, began boolean) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    moment CONSTANT timestamptz := from_millis(now_ms);
  BEGIN
    INSERT INTO page_viewer AS v (org_id, member_id) VALUES (of_org, of_member)
    ON CONFLICT (org_id, member_id) DO UPDATE SET org_id = v.org_id
    RETURNING v.paused_until INTO paused_until;
    began := false;
    IF paused_until > moment AND paused_until <= from_millis(now_ms + pause) THEN
      RETURN NEXT; RETURN;
    END IF;
    IF EXISTS (
      SELECT FROM unnest(spans, caps) AS w (span, cap)
      WHERE w.cap <= (
        SELECT count(*) FROM page_view p
        WHERE p.org_id = of_org AND p.member_id = of_member AND p.property_id <> of_property
          AND p.opened_at > from_millis(now_ms - w.span)
      )
    ) THEN
      paused_until := from_millis(now_ms + pause);
      began := true;
      UPDATE page_viewer v SET paused_until = page_view_open.paused_until
      WHERE v.org_id = of_org AND v.member_id = of_member;
      RETURN NEXT; RETURN;
    END IF;
    DELETE FROM page_view p
    WHERE p.org_id = of_org AND p.member_id = of_member
      AND p.opened_at <= from_millis(now_ms - (SELECT max(span) FROM unnest(spans) AS w (span)));
    INSERT INTO page_view AS p (org_id, member_id, property_id, opened_at)
    VALUES (of_org, of_member, of_property, moment)
    ON CONFLICT (org_id, member_id, property_id) DO UPDATE SET opened_at = excluded.opened_at;
    paused_until := NULL;
    RETURN NEXT;
  END $$`,
  `COMMENT ON FUNCTION page_view_open IS 'Opens a property page of a member, or answers the pause in force or begun by this very page; core PageViews.open'`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

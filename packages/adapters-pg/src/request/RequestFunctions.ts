/** What `OperatorRequestsPg` calls. */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION request_add(
    of_org text, new_id uuid, new_kind text, new_subject text, new_message text, counties text[], new_actor jsonb,
    new_request_id text, most integer, span interval, at timestamptz
  ) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    counted integer;
    oldest timestamptz;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('request ' || of_org || ' ' || new_kind, 0));
    SELECT count(*), min(recent.created_at) INTO counted, oldest FROM (
      SELECT r.created_at FROM operator_request r
      WHERE r.org_id = of_org AND r.kind = new_kind AND r.created_at > at - span AND r.created_at <= at + span
      ORDER BY r.created_at DESC LIMIT most
    ) recent;
    IF counted >= most THEN RETURN oldest + span; END IF;
    INSERT INTO operator_request (org_id, id, kind, subject, message, county_fips, actor, request_id, created_at)
    VALUES (of_org, new_id, new_kind, new_subject, new_message, counties, new_actor, new_request_id, at);
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "request_add",
    `
    Records a request unless there were too many within the span. Null: recorded; otherwise when the oldest of those
    that count leaves the window. One request of an organization and kind goes at a time, so that no more are taken
    than allowed. What was recorded further ahead than the span, by a clock that was set back, does not count.
  `
  ),
  `CREATE OR REPLACE FUNCTION coverage_request_add(
    of_org text, new_id uuid, counties text[], new_actor jsonb, new_request_id text, most integer, span interval, at timestamptz
  ) RETURNS TABLE (asked_before jsonb, next_at timestamptz) LANGUAGE plpgsql VOLATILE AS $$
  DECLARE
    others text[];
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('request ' || of_org || ' coverage', 0));
    SELECT coalesce(jsonb_agg(jsonb_build_object('countyFips', asked.county, 'id', asked.id, 'createdAt', to_iso(asked.created_at))
      ORDER BY asked.county), '[]') INTO asked_before
    FROM (
      SELECT DISTINCT ON (county) county, r.id, r.created_at
      FROM operator_request r CROSS JOIN LATERAL unnest(r.county_fips) AS county
      WHERE r.org_id = of_org AND r.kind = 'coverage' AND r.status = 'open' AND county = ANY(counties)
      ORDER BY county, r.created_at, r.id
    ) asked;
    SELECT array_agg(each.county ORDER BY each.place) INTO others
    FROM unnest(counties) WITH ORDINALITY AS each (county, place)
    WHERE NOT asked_before @> jsonb_build_array(jsonb_build_object('countyFips', each.county));
    IF others IS NOT NULL THEN
      next_at := request_add(of_org, new_id, 'coverage', NULL, NULL, others, new_actor, new_request_id, most, span, at);
    END IF;
    RETURN NEXT;
  END $$`,
  Comment.onFunction(
    "coverage_request_add",
    `
    Records a request for those of the counties that no open one of the organization names, as request_add does; where there are
    none, nothing. Answers the others, each with the first request that names it, in the order of their codes. As one goes at a
    time, a county that is asked for twice at once is recorded once.
  `
  )
]

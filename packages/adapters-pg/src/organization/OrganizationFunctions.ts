/** What `OrganizationsPg` calls. */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION organization_hold(held_org text) RETURNS SETOF jsonb LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('organization ' || held_org, 0));
    RETURN QUERY SELECT profile FROM organization WHERE org_id = held_org;
  END $$`,
  Comment.onFunction(
    "organization_hold",
    `
    Reads an organization's profile, and keeps others from administering it until the transaction ends; an id that
    nobody has is held as well.
  `
  )
]

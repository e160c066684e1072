/** What `OrganizationsPg` calls, and what follows from a change of the settings. */
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
  ),

  `CREATE OR REPLACE FUNCTION account_of_settings() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE credit_account SET revision = revision + 1 WHERE org_id = NEW.org_id;
    RETURN NULL;
  END $$`,
  Comment.onFunction(
    "account_of_settings",
    `
    Trigger of organization: moves the account's revision on when the settings change, so that a decision that was
    taken by the old ones, and is not written yet, is taken anew.
  `
  )
]

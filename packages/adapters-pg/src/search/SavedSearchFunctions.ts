/** What `SavedSearchesPg` calls. */
import * as Comment from "../database/Comment.ts"

/** In the order in which they are made: those that others stand on first. */
export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION saved_search_add(
    of_org text, new_id uuid, owner uuid, new_owner_name text, new_name text, new_key text, new_search jsonb, most integer,
    most_characters integer, at timestamptz
  ) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM FROM member m WHERE m.org_id = of_org AND m.member_id = owner FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM saved_search s WHERE s.org_id = of_org AND s.owner_id = owner AND s.name_key = new_key) THEN
      RETURN 'in_use';
    END IF;
    IF (
      SELECT count(*) >= most OR coalesce(sum(length(s.search::text)), 0) + length(new_search::text) > most_characters
      FROM saved_search s WHERE s.org_id = of_org AND s.owner_id = owner
    ) THEN
      RETURN 'too_many';
    END IF;
    INSERT INTO saved_search (org_id, id, owner_id, owner_name, name, name_key, search, created_at)
    VALUES (of_org, new_id, owner, new_owner_name, new_name, new_key, new_search, at);
    RETURN 'saved';
  END $$`,
  Comment.onFunction(
    "saved_search_add",
    `
    Saves a search; answers saved, in_use (the name) or too_many (searches, or characters of them). Lets one of a member's calls at a time through, so
    that the number of them is exact.
  `
  )
]

/** What `NotesPg` and `TasksPg` call to write: one of an organization goes at a time, so that the number of them is exact. */
import * as Comment from "../database/Comment.ts"

const said = (things: string, roomless: string): string => `
    Writes one of an organization's ${things}, and answers whether it was: not where there are as many as there may be${roomless}.
    To find that out walks an index as far as there are any. At 200,000 that takes some 20 ms, and up to 0.3 s where
    many of them changed since the last vacuum.
  `

export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION note_add(
    of_org text, new_id uuid, of_property uuid, new_content text, new_author text, new_author_id uuid, most integer,
    at timestamptz
  ) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('notes ' || of_org, 0));
    IF EXISTS (SELECT FROM note n WHERE n.org_id = of_org OFFSET most - 1 LIMIT 1) THEN RETURN false; END IF;
    INSERT INTO note (org_id, id, property_id, content, author, author_id, created_at)
    VALUES (of_org, new_id, of_property, new_content, new_author, new_author_id, at);
    RETURN true;
  END $$`,
  Comment.onFunction("note_add", said("notes", "")),

  `CREATE OR REPLACE FUNCTION task_add(
    of_org text, new_id uuid, of_property uuid, new_title text, new_description text, new_type text, new_due timestamptz,
    new_assignee uuid, new_assignee_name text, new_author uuid, most integer, at timestamptz
  ) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('tasks ' || of_org, 0));
    IF EXISTS (SELECT FROM task t WHERE t.org_id = of_org OFFSET most - 1 LIMIT 1) THEN
      DELETE FROM task t WHERE t.org_id = of_org AND t.id = (
        SELECT e.id FROM task e WHERE e.org_id = of_org AND e.status <> 'open' ORDER BY e.created_at, e.id LIMIT 1
      );
      IF NOT FOUND THEN RETURN false; END IF;
    END IF;
    INSERT INTO task (
      org_id, id, property_id, title, description, type, status, due_at, assignee_id, assignee_name, author_id, created_at
    ) VALUES (
      of_org, new_id, of_property, new_title, new_description, new_type, 'open', new_due, new_assignee, new_assignee_name,
      new_author, at
    );
    RETURN true;
  END $$`,
  Comment.onFunction("task_add", said("tasks", " and all are open: the oldest that has ended makes room"))
]

/** What the people of an organization keep: lists, notes, tasks, saved searches, and what they ask the operator for. */
import * as Comment from "../../database/Comment.ts"
import type { Subject } from "./Subject.ts"

export const workspace: Subject = {
  tables: [
    `CREATE TABLE list (
      org_id text NOT NULL REFERENCES organization,
      id uuid NOT NULL,
      list_name text NOT NULL CHECK (length(list_name) BETWEEN 1 AND 200),
      list_type text NOT NULL CHECK (list_type IN ('properties', 'contacts')),
      visibility text NOT NULL CONSTRAINT list_visibility CHECK (visibility IN ('private', 'team', 'shared')),
      owner_name text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      name_key text NOT NULL,
      owner_id uuid,
      shared_with uuid[] NOT NULL DEFAULT '{}',
      item_count integer NOT NULL DEFAULT 0 CHECK (item_count >= 0),
      PRIMARY KEY (org_id, id),
      FOREIGN KEY (org_id, owner_id) REFERENCES member
    )`,
    ...Comment.onTable("list", "Properties or contacts that an organization put together under a name.", {
      owner_name: "The owner's name as it was then.",
      name_key: "The name as it is compared; made by the core, so that it does not depend on the database's language.",
      owner_id: "Null: made with a key of the organization.",
      shared_with: "The members who see it, when it is shared.",
      item_count: "Kept by triggers, whoever changes the items."
    }),

    `CREATE TABLE list_item (
      org_id text NOT NULL,
      list_id uuid NOT NULL,
      item_id uuid NOT NULL,
      added_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (org_id, list_id, item_id),
      FOREIGN KEY (org_id, list_id) REFERENCES list
    )`,
    ...Comment.onTable("list_item", "A property or contact on a list."),

    `CREATE TABLE saved_search (
      org_id text NOT NULL REFERENCES organization,
      id uuid NOT NULL,
      owner_id uuid NOT NULL,
      owner_name text NOT NULL,
      name text NOT NULL,
      name_key text NOT NULL,
      search jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (org_id, id),
      FOREIGN KEY (org_id, owner_id) REFERENCES member
    )`,
    ...Comment.onTable("saved_search", "A property search that a member keeps under a name.", {
      name_key: "The name as it is compared, like that of a list.",
      search: "The arguments of the search, as they were sent."
    }),

    `CREATE TABLE note (
      org_id text NOT NULL REFERENCES organization,
      id uuid NOT NULL,
      property_id uuid NOT NULL REFERENCES property,
      content text NOT NULL,
      author text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      author_id uuid,
      PRIMARY KEY (org_id, id),
      FOREIGN KEY (org_id, author_id) REFERENCES member
    )`,
    ...Comment.onTable("note", "What a member wrote about a property.", {
      author: "The author's name as it was then.",
      author_id: "Null: written by none of the members."
    }),

    `CREATE TABLE task (
      org_id text NOT NULL REFERENCES organization,
      id uuid NOT NULL,
      property_id uuid NOT NULL REFERENCES property,
      title text NOT NULL,
      description text,
      type text NOT NULL,
      status text NOT NULL CHECK (status IN ('open', 'done', 'cancelled')),
      due_at timestamptz,
      assignee_name text,
      created_at timestamptz NOT NULL DEFAULT now(),
      completed_at timestamptz,
      author_id uuid,
      assignee_id uuid,
      PRIMARY KEY (org_id, id),
      FOREIGN KEY (org_id, author_id) REFERENCES member,
      FOREIGN KEY (org_id, assignee_id) REFERENCES member
    )`,
    ...Comment.onTable("task", "What is to be done about a property.", {
      assignee_name: "The name as it was then.",
      author_id: "Null: made by none of the members."
    }),

    `CREATE TABLE operator_request (
      org_id text NOT NULL REFERENCES organization,
      id uuid NOT NULL,
      kind text NOT NULL CHECK (kind IN ('support', 'coverage')),
      status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed')),
      subject text,
      message text,
      county_fips text[],
      actor jsonb NOT NULL,
      request_id text NOT NULL,
      created_at timestamptz NOT NULL,
      closed_at timestamptz,
      PRIMARY KEY (org_id, id),
      CHECK ((kind = 'support') = (subject IS NOT NULL AND message IS NOT NULL)),
      CHECK ((kind = 'coverage') = (county_fips IS NOT NULL)),
      CHECK ((status = 'closed') = (closed_at IS NOT NULL))
    )`,
    ...Comment.onTable(
      "operator_request",
      "What an organization asks the operator for: support, or coverage of further counties.",
      {
        county_fips: "The counties that are asked for.",
        actor: "Who asked.",
        request_id: "Of the call that asked."
      }
    )
  ],
  indexes: [
    `CREATE INDEX list_recent ON list (org_id, created_at DESC, id)`,
    `CREATE INDEX list_named ON list (org_id, list_type, name_key)`,
    `CREATE INDEX list_item_recent ON list_item (org_id, list_id, added_at DESC, item_id)`,
    `CREATE INDEX list_item_by_item ON list_item (item_id, org_id)`,
    `CREATE UNIQUE INDEX saved_search_name ON saved_search (org_id, owner_id, name_key)`,
    `CREATE INDEX saved_search_recent ON saved_search (org_id, created_at DESC, id)`,
    `CREATE INDEX note_of_property ON note (org_id, property_id, created_at DESC)`,
    `CREATE INDEX note_by_property ON note (property_id, org_id)`,
    `CREATE INDEX task_of_property ON task (org_id, property_id, created_at DESC)`,
    `CREATE INDEX task_recent ON task (org_id, created_at DESC, id)`,
    `CREATE INDEX task_by_property ON task (property_id, org_id)`,
    `CREATE INDEX operator_request_recent ON operator_request (org_id, kind, created_at DESC)`,
    // The operator names a request without its organization.
    `CREATE INDEX operator_request_by_id ON operator_request (id)`,
    `CREATE INDEX operator_request_open ON operator_request (created_at DESC, id) WHERE status = 'open'`
  ],
  triggers: [
    `CREATE TRIGGER list_item_added AFTER INSERT ON list_item
      REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION list_item_added()`,
    `CREATE TRIGGER list_item_removed AFTER DELETE ON list_item
      REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION list_item_removed()`,
    `CREATE TRIGGER item_of_survivor BEFORE INSERT ON list_item FOR EACH ROW EXECUTE FUNCTION item_of_survivor()`
  ]
}

/** Notices about the installation, and notices as mails. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as Comment from "../database/Comment.ts"
import * as NoticeFunctions from "../notice/NoticeFunctions.ts"

const mailColumns = {
  mail_due_at:
    "When the mail about it is to be sent, or, while it is being sent, when that is over; null: nothing is left to send.",
  mail_attempts: "Which attempt to send the mail was the last; fences off earlier ones.",
  mail_ended: "The addresses that took the mail, or refused it for good.",
  mail_fault: "Why some of it was not taken and is given up."
}

const columns = [
  "mail_due_at timestamptz",
  "mail_attempts integer NOT NULL DEFAULT 0",
  "mail_ended text[] NOT NULL DEFAULT '{}'",
  "mail_fault text"
]

const due = (table: string): string =>
  `CREATE INDEX ${table}_mail ON ${table} (mail_due_at) WHERE mail_due_at IS NOT NULL`

const statements: ReadonlyArray<string> = [
  `CREATE TABLE installation_notice (
    notice_id uuid PRIMARY KEY,
    kind text NOT NULL,
    cause text NOT NULL,
    day date NOT NULL,
    text text NOT NULL,
    created_at timestamptz NOT NULL,
    ${columns.join(", ")},
    UNIQUE (kind, cause, day)
  )`,
  `CREATE INDEX installation_notice_newest ON installation_notice (created_at)`,
  due("installation_notice"),
  ...Comment.onTable(
    "installation_notice",
    "What the operator was told about the installation; each cause once a UTC day, kept for 90 days.",
    { cause: "What it is about, in its kind.", ...mailColumns }
  ),

  `ALTER TABLE notice ${columns.map((column) => `ADD COLUMN ${column}`).join(", ")}`,
  due("notice"),
  ...Object.entries(mailColumns).map(([column, told]) => `COMMENT ON COLUMN notice.${column} IS '${told}'`),

  ...NoticeFunctions.functions,
  `CREATE TRIGGER webhook_endpoint_disabled AFTER UPDATE OF active ON webhook_endpoint FOR EACH ROW
    WHEN (OLD.active AND NOT NEW.active AND NEW.disabled_reason IN ('gone', 'private_address', 'failing'))
    EXECUTE FUNCTION notice_endpoint_disabled()`
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})

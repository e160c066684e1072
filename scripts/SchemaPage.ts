/**
 * The schema of a migrated database as a page to read, docs/schema.md: a picture of each subject, every table with the
 * comments that the database itself has, every function with its contract.
 *
 * Nothing is listed here by hand but which subject a table belongs to.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The subjects in the order of the page, each with its tables: those of the baseline's files, and what came since. */
export const subjects: ReadonlyArray<readonly [subject: string, tables: ReadonlyArray<string>]> = [
  ["organizations", ["organization", "member", "credential", "idempotent_answer", "notice", "administration_log"]],
  ["installation", [
    "import_total",
    "schema_break",
    "history_start",
    "operator_log",
    "installation_notice",
    "import_run",
    "import_part",
    "import_reject",
    "resting_index"
  ]],
  ["cells", [
    "cell",
    "cell_arrival",
    "cell_timeline",
    "organization_move",
    "moved_key",
    "organization_arrival",
    "organization_arrival_change",
    "organization_arrived",
    "organization_move_arrival"
  ]],
  ["app", [
    "sign_in_link",
    "app_session",
    "page_viewer",
    "page_view",
    "operator_link",
    "operator_session",
    "operator_view"
  ]],
  ["records", [
    "county",
    "county_extent",
    "map_cell",
    "map_cell_change",
    "property",
    "property_research",
    "firm",
    "property_firm",
    "firm_reach"
  ]],
  ["sources", ["source", "source_run", "source_row", "source_record", "source_county"]],
  ["matching", ["owner", "firm_form", "owner_match", "owner_tie", "place_match", "matched_county"]],
  ["people", [
    "contact",
    "property_contact",
    "contact_reach",
    "reach_tally",
    "reach_tally_change",
    "title_tally",
    "title_tally_change"
  ]],
  ["changes", ["property_change", "change_outbox", "change_subscription"]],
  ["credits", [
    "credit_account",
    "credit_grant",
    "credit_entry",
    "property_access",
    "contact_access",
    "own_access",
    "merged_charge",
    "export_usage"
  ]],
  ["limits", [
    "address_window",
    "credential_window",
    "organization_day",
    "daily_use",
    "contact_disclosed",
    "record_taken",
    "record_use"
  ]],
  ["pipeline", ["lead", "lead_stage_history", "merged_lead", "customer_account"]],
  ["workspace", ["list", "list_item", "saved_search", "note", "task", "operator_request"]],
  ["events", ["event", "event_clock"]],
  ["deliveries", [
    "webhook_endpoint",
    "delivery",
    "delivery_lane",
    "delivery_attempt",
    "delivery_log",
    "delivery_booked",
    "key_proof"
  ]],
  ["research", ["research_run", "research_item", "property_researching", "finder_cache"]],
  ["suppression", [
    "suppressed_contact",
    "suppressed_owner",
    "suppressed_property",
    "withheld_property_contact",
    "withheld_property_firm",
    "erased_person"
  ]]
]

interface Column {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly meaning: string | null
}

interface Table {
  readonly name: string
  readonly meaning: string | null
  readonly columns: ReadonlyArray<Column>
  /** Keys and checks, as PostgreSQL writes them. */
  readonly constraints: ReadonlyArray<string>
  /** Tables that it refers to. */
  readonly refersTo: ReadonlyArray<string>
}

interface SchemaFunction {
  readonly signature: string
  readonly contract: string | null
}

/** What the page tells of a schema. */
export interface SchemaFacts {
  readonly tables: ReadonlyArray<Table>
  readonly functions: ReadonlyArray<SchemaFunction>
}

/** Reads them from the catalogue of the database. */
export const read = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<Table>`
    SELECT c.relname AS name, obj_description(c.oid) AS meaning,
      (SELECT json_agg(json_build_object(
          'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'required', a.attnotnull,
          'meaning', col_description(c.oid, a.attnum)
        ) ORDER BY a.attnum)
        FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
      ARRAY(SELECT pg_get_constraintdef(o.oid) FROM pg_constraint o
        WHERE o.conrelid = c.oid AND o.contype <> 'n' AND o.contype <> 't'
        ORDER BY position(o.contype IN 'pufcx'), o.conname) AS constraints,
      ARRAY(SELECT DISTINCT o.confrelid::regclass::text FROM pg_constraint o
        WHERE o.conrelid = c.oid AND o.contype = 'f' AND o.confrelid <> c.oid ORDER BY 1) AS "refersTo"
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname <> 'freehold_migration'
    ORDER BY c.relname`
  const functions = yield* sql<SchemaFunction>`
    SELECT p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS signature,
      obj_description(p.oid) AS contract
    FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
    ORDER BY 1`
  return { tables, functions }
})

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const rows = (head: ReadonlyArray<string>, body: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n")

/** The tables of a subject, and those of others that they refer to. */
const picture = (tables: ReadonlyArray<Table>): string =>
  [
    "```mermaid",
    "erDiagram",
    ...tables.flatMap(({ name, refersTo }) =>
      refersTo.length === 0 ? [`  ${name}`] : refersTo.map((other) => `  ${other} ||--o{ ${name} : ""`)
    ),
    "```"
  ].join("\n")

const tableText = ({ columns, constraints, meaning, name }: Table): string =>
  [
    `### ${name}`,
    ...meaning === null ? [] : [meaning],
    rows(
      ["column", "type", "meaning"],
      columns.map((column) => [
        `\`${column.name}\``,
        `${column.type}${column.required ? "" : ", or null"}`,
        column.meaning ?? ""
      ])
    ),
    constraints.map((constraint) => `- \`${constraint}\``).join("\n")
  ].join("\n\n")

/** The page; fails with a table that is of no subject, and with one that a subject names and that is not there. */
export const page = ({ functions, tables }: SchemaFacts): string => {
  const found = new Map(tables.map((table) => [table.name, table]))
  const parts = subjects.map(([subject, names]) => {
    const own = names.map((name) => {
      const table = found.get(name)
      if (table === undefined) throw new Error(`no such table: ${name}, of ${subject}`)
      found.delete(name)
      return table
    })
    return [`## ${subject}`, picture(own), ...own.map(tableText)].join("\n\n")
  })
  if (found.size > 0) throw new Error(`of no subject in scripts/SchemaPage.ts: ${[...found.keys()].join(", ")}`)
  return [
    "# The schema",
    `Every table by subject, and every function with its contract. Made from a migrated database by \`pnpm schema\`: what is
said here stands in the database as comments, which psql shows too (\`\\d+ lead\`, \`\\df+ ledger_commit\`). How the tables are
made is in \`adapters-pg/src/migrations\`, the functions are beside the adapters that call them (\`adapters-pg/src/credit/LedgerFunctions.ts\`).`,
    ...parts,
    "## functions",
    functions.map(({ contract, signature }) => `- \`${signature}\`: ${contract ?? ""}`).join("\n")
  ].join("\n\n") + "\n"
}

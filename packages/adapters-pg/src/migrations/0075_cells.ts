/**
 * Cells: installations that receive the records from another one, which imports (`cell/CellFunctions`, docs/scaling.md).
 *
 * What organizations keep about a property that was merged moves by a function of its own, which a cell calls by itself.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { functions as cellFunctions } from "../cell/CellFunctions.ts"
import * as Comment from "../database/Comment.ts"
import { functions as mergeFunctions } from "../property/MergeFunctions.ts"
import { functions as personFunctions } from "../suppression/PersonFunctions.ts"

/** A trigger that fires for replicated rows alone. */
const arrival = (table: string, name: string, event: string, call: string, when?: string): ReadonlyArray<string> => [
  `CREATE TRIGGER ${name} AFTER ${event} ON ${table} FOR EACH ROW${
    when === undefined ? "" : ` WHEN (${when})`
  } EXECUTE FUNCTION ${call}`,
  `ALTER TABLE ${table} ENABLE REPLICA TRIGGER ${name}`
]

const statements: ReadonlyArray<string> = [
  `CREATE TABLE cell (
    name text PRIMARY KEY CHECK (name ~ '^[a-z0-9]{1,8}$'),
    migration integer NOT NULL,
    joined_at timestamptz NOT NULL DEFAULT now()
  )`,
  ...Comment.onTable("cell", "The cells of this importing installation.", {
    migration: "The last migration that the cell's database ran, as far as it told: the importing one's comes after it."
  }),
  `CREATE TABLE cell_arrival (
    place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('person', 'owner', 'property', 'merge')),
    subject text NOT NULL,
    into_id uuid,
    CHECK ((kind = 'merge') = (into_id IS NOT NULL))
  )`,
  ...Comment.onTable(
    "cell_arrival",
    "Suppressions and merges that arrived in this cell, and wait until the worker has settled what its organizations keep.",
    {
      subject: "The person or property, or the owner's name as it is compared; of a merge the property that retired.",
      into_id: "The survivor of a merge."
    }
  ),
  `CREATE INDEX cell_arrival_into ON cell_arrival (into_id)`,
  `CREATE TABLE property_researching (
    property_id uuid PRIMARY KEY REFERENCES property,
    cell text NOT NULL,
    job_id uuid NOT NULL,
    since timestamptz NOT NULL DEFAULT now()
  )`,
  ...Comment.onTable(
    "property_researching",
    "Properties that a cell is researching: one research of a property at a time, over all cells.",
    { job_id: "The item of the cell's run." }
  ),
  ...personFunctions,
  ...cellFunctions,
  ...mergeFunctions,
  ...arrival("property_change", "change_arrived", "INSERT", "change_arrived()"),
  ...arrival("suppressed_contact", "suppression_arrived", "INSERT", "suppression_arrived('person', 'contact_id')"),
  ...arrival("suppressed_owner", "suppression_arrived", "INSERT", "suppression_arrived('owner', 'name_key')"),
  ...arrival("suppressed_property", "suppression_arrived", "INSERT", "suppression_arrived('property', 'property_id')"),
  ...["withheld_property_contact", "withheld_property_firm"].flatMap((table) =>
    arrival(table, "withheld_arrived", "INSERT OR DELETE", "withheld_arrived('property_id')")
  ),
  ...arrival(
    "property_research",
    "withheld_arrived",
    "UPDATE",
    "withheld_arrived('property_id')",
    "OLD.withheld_beneficial_owner IS DISTINCT FROM NEW.withheld_beneficial_owner"
  ),
  ...arrival(
    "property",
    "withheld_arrived",
    "UPDATE",
    "withheld_arrived('id')",
    "OLD.owner_withheld IS DISTINCT FROM NEW.owner_withheld"
  ),
  ...arrival(
    "contact",
    "erasure_arrived",
    "UPDATE",
    "erasure_arrived()",
    "OLD.key <> NEW.key AND NEW.key = 'erased:' || NEW.id"
  ),
  ...arrival(
    "property",
    "merge_arrived",
    "UPDATE",
    "merge_arrived()",
    "OLD.retired_into IS DISTINCT FROM NEW.retired_into AND NEW.retired_into IS NOT NULL"
  )
]

export default Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
})

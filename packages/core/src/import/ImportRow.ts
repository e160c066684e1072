/**
 * The rows of an import: five kinds, each from one JSON object to the values that it sets. operator.md, "Import rows".
 *
 * A field that is absent keeps what is stored, an explicit null clears it. Every fault of a row is told, one per field;
 * a row with a fault has no effect. Fields that the kind does not know are faults.
 */
import { Result } from "effect"
import * as ChangeRow from "./ChangeRow.ts"
import * as ContactRow from "./ContactRow.ts"
import * as FirmRow from "./FirmRow.ts"
import type { ImportKind } from "./ImportKind.ts"
import * as PropertyRow from "./PropertyRow.ts"
import * as ResearchRow from "./ResearchRow.ts"
import { isObject, type Json, type Parsed, type RowContext } from "./RowReading.ts"
import type { RowShape } from "./RowShape.ts"

/** Rows of one kind. */
export type ImportBatch =
  | { readonly kind: "properties"; readonly rows: ReadonlyArray<PropertyRow.PropertyRow> }
  | { readonly kind: "firms"; readonly rows: ReadonlyArray<FirmRow.FirmRow> }
  | { readonly kind: "contacts"; readonly rows: ReadonlyArray<ContactRow.ContactRow> }
  | { readonly kind: "research"; readonly rows: ReadonlyArray<ResearchRow.ResearchRow> }
  | { readonly kind: "changes"; readonly rows: ReadonlyArray<ChangeRow.ChangeRow> }

/**
 * The keys of the records that a load of the batch decides about. Batches that have none in common may be loaded at once with
 * the outcome of one after the other; null: it has to be alone, since its rows may be about others too.
 */
export const recordsOf = (batch: ImportBatch): ReadonlySet<string> | null => {
  if (batch.kind !== "properties" && batch.kind !== "contacts") return null
  const keys = new Set<string>()
  for (const row of batch.rows) {
    if (row.idGiven || "retiredInto" in row && typeof row.retiredInto === "string") return null
    keys.add(row.key)
  }
  return keys
}

const whole =
  <R>(parse: (input: Json, context: RowContext) => Parsed<R>) => (input: unknown, context: RowContext): Parsed<R> =>
    isObject(input) ? parse(input, context) : Result.fail([{ field: null, reason: "is not a JSON object" }])

/** The parser of each kind: a JSON value to a row, or every fault in it. */
export const parsers = {
  properties: whole(PropertyRow.parse),
  firms: whole(FirmRow.parse),
  contacts: whole(ContactRow.parse),
  research: whole(ResearchRow.parse),
  changes: whole(ChangeRow.parse)
}

/** What rows of each kind may hold. */
export const shapes: Readonly<Record<ImportKind, RowShape>> = {
  properties: PropertyRow.shape,
  firms: FirmRow.shape,
  contacts: ContactRow.shape,
  research: ResearchRow.shape,
  changes: ChangeRow.shape
}

/** The properties, firms and people of a database as the files that `freehold import` reads: NDJSON, a row a line. */
import { PgClient } from "@effect/sql-pg"
import { columnOf } from "@freehold/adapters-pg/property/PropertyRowPg"
import { Effect, Stream } from "effect"
import { closeSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import { fields } from "../SampleRows.ts"

interface Line {
  readonly line: string
}

/** A JSON object without its nulls. */
const line = (values: Readonly<Record<string, string>>): string =>
  `json_strip_nulls(json_build_object(${
    Object.entries(values).map(([name, value]) => `'${name}', ${value}`).join(", ")
  }))::text AS line`

/** The ties of each firm or person, as an import has them. */
const ties = (table: string, of: string, said: Readonly<Record<string, string>>): string =>
  `LEFT JOIN (
    SELECT t.${of}, json_agg(json_build_object('propertyKey', p.key${
    Object.entries(said).map(([name, column]) => `, '${name}', t.${column}`).join("")
  })) AS properties
    FROM ${table} t JOIN property p ON p.id = t.property_id GROUP BY t.${of}
  ) AS tie ON tie.${of} = o.id`

const queries: Readonly<Record<string, string>> = {
  properties: `SELECT ${
    line(Object.fromEntries(fields.map((field) => [field, `o.${columnOf(field)}`])))
  } FROM property o WHERE o.retired_into IS NULL`,
  firms: `SELECT ${line({ key: "o.key", name: "o.name", properties: "tie.properties" })} FROM firm o ${
    ties("property_firm", "firm_id", { role: "role", attributionType: "attribution_type" })
  }`,
  contacts: `SELECT ${
    line({
      key: "o.key",
      fullName: "o.full_name",
      title: "o.title",
      roleType: "o.role_type",
      seniority: "o.seniority",
      employerName: "o.employer_name",
      email: "o.email",
      emailValidationStatus: "o.email_validation_status",
      phone: "o.phone",
      firmKey: "f.key",
      properties: "tie.properties"
    })
  } FROM contact o LEFT JOIN firm f ON f.id = o.firm_id ${
    ties("property_contact", "contact_id", { role: "role", relationshipStatus: "relationship_status" })
  }`
}

/** Writes `properties.ndjson` and the others into the folder; they are imported in this order. */
export const write = Effect.fn("ImportFiles.write")(function*(folder: string) {
  const sql = yield* PgClient.PgClient
  for (const [name, query] of Object.entries(queries)) {
    yield* Effect.acquireUseRelease(
      Effect.sync(() => openSync(join(folder, `${name}.ndjson`), "w")),
      (file) =>
        Stream.runForEachArray(
          sql.unsafe<Line>(query).stream,
          (lines) => Effect.sync(() => writeSync(file, lines.map(({ line }) => `${line}\n`).join("")))
        ),
      (file) => Effect.sync(() => closeSync(file))
    )
  }
})

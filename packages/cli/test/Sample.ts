/** A made-up customer with a few made-up records, in a database of its own. */
import { type Environment, run, runJson } from "./Freehold.ts"
import { freshDatabase } from "./FreshDatabase.ts"

export const orgId = "org_sample"

export const secret = `fhk_${"s".repeat(43)}`

export const document = {
  organizations: [{
    org_id: orgId,
    name: "Sample Roofing (made up)",
    plan: "enterprise",
    serviceable_area: { county_fips: ["53903"] },
    export_allowance: { max_exports_per_month: 10, max_rows_per_month: 100 },
    grants: [{ ref: "welcome", bucket: "included", amount: 100 }],
    keys: [{
      name: "sample",
      scopes: ["events:subscribe", "property:read", "data:read", "data:unlock", "mcp"],
      secret
    }],
    members: [{ email: "ana@sample.example", name: "Ana Sample", role: "admin" }]
  }]
}

/** One JSON object a line. */
export const ndjson = (rows: ReadonlyArray<unknown>): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("")

export const properties = [1, 2, 3].map((number) => ({
  key: `53903-SAMPLE${number}`,
  address: `${number} Nonesuch Avenue`,
  city: "Quillgate (made up)",
  state: "WA",
  zip: "00021",
  countyFips: "53903"
}))

export const research = properties.map(({ key }) => ({
  propertyKey: key,
  beneficialOwner: "Sample Holdings (made up)",
  researchedAt: "2026-06-01T00:00:00Z"
}))

/** A database with the customer and the records; `env` makes a command use it. */
export const sampleDatabase = async (): Promise<{ readonly env: Environment; readonly drop: () => Promise<void> }> => {
  const database = await freshDatabase()
  const env = {
    DATABASE_URL: database.url,
    FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    LOG_LEVEL: "error"
  }
  await runJson(["apply", "-"], env, JSON.stringify(document))
  for (const [kind, rows] of [["properties", properties], ["research", research]] as const) {
    const { code, stderr } = await run(["import", kind, "-"], env, ndjson(rows))
    if (code !== 0) throw new Error(stderr)
  }
  return { env, drop: database.drop }
}

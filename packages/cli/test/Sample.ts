/** A made-up customer with a few made-up records, in a database of its own. */
import { type Environment, run, runJson } from "./Freehold.ts"
import { furnished } from "./FurnishedDatabase.ts"

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

/** Of commands about such a database. */
export const environmentOf = (url: string) => ({
  DATABASE_URL: url,
  FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
  LOG_LEVEL: "error"
})

/** Brings the organizations of the document, and the records, into an empty database. */
export const load = async (url: string, organizations: object): Promise<void> => {
  const env = environmentOf(url)
  await runJson(["apply", "-"], env, JSON.stringify(organizations))
  for (const [kind, rows] of [["properties", properties], ["research", research]] as const) {
    const { code, stderr } = await run(["import", kind, "-"], env, ndjson(rows))
    if (code !== 0) throw new Error(stderr)
  }
}

/** A database with the customer and the records; `env` makes a command use it. */
export const sampleDatabase = async (): Promise<{ readonly env: Environment; readonly drop: () => Promise<void> }> => {
  const { drop, url } = await furnished({ name: "sample", fromNothing: true, furnish: (url) => load(url, document) })
  return { env: environmentOf(url), drop }
}

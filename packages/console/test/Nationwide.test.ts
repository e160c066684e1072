/** An organization of more counties and lists than the service tells at once: all of them are there to be chosen. */
import { countyFips, load } from "@freehold/adapters-pg/testing/SyntheticProperties"
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { runJson } from "../../cli/test/Freehold.ts"
import { migratedDatabase } from "../../cli/test/FreshDatabase.ts"
import { useApp } from "../testing/AppFixture.ts"

const counties = 400
/** Of the state that comes last, and the last of it. */
const last = countyFips(counties - 5)
const lists = 205

const organization = {
  org_id: "org_demo",
  name: "Everywhere (made up)",
  plan: "enterprise",
  serviceable_area: { whole_state_abbrs: ["TX", "CA", "FL", "NY", "IL"], county_fips: [] },
  members: [
    { email: "ada@demo.example", name: "Ada Sampleton", role: "admin" },
    { email: "ben@demo.example", name: "Ben Sampleton", role: "member", territory: { county_fips: [last] } }
  ]
}

const app = useApp(undefined, async (env) => {
  const database = await migratedDatabase()
  const url = Redacted.make(database.url)
  await Effect.runPromise(administer(url, () => load({ count: 4000, counties })))
  await runJson(
    ["apply", "-"],
    { ...env, DATABASE_URL: database.url },
    JSON.stringify({ organizations: [organization] })
  )
  await Effect.runPromise(administer(url, (sql) =>
    sql`
    INSERT INTO list (org_id, id, list_name, list_type, visibility, owner_name, name_key, created_at)
    SELECT 'org_demo', gen_random_uuid(), 'List ' || n, 'properties', 'team', 'Ada Sampleton', 'list ' || n,
      date_trunc('milliseconds', now()) - n * interval '1 minute'
    FROM generate_series(1, ${lists}::int) AS n`))
  return database
})

describe("a county among hundreds", () => {
  it("is found by its name, and called by it", async () => {
    const page = await app.signedIn(`/?countyFips=${last}`)
    const chip = page.getByRole("list", { name: "Filters" }).getByRole("button", {
      name: /^County: Sample \d+, [A-Z]{2}$/
    })
    const name = (await chip.textContent() ?? "").replace("County: ", "")
    await chip.click()
    await page.getByLabel("Find a value").fill(name)
    assert.isTrue(await page.getByRole("checkbox", { name }).isChecked())
    await page.getByRole("button", { name: "Close" }).click()

    await app.visit(page, "/admin/members")
    await page.getByRole("row", { name: /Ben/ }).getByText(name).waitFor()
  })

  it("is where somebody begins who sees no other", async () => {
    const page = await app.signedIn("/", { email: "ben@demo.example" })
    await page.waitForURL((url) => url.searchParams.get("countyFips") === last)
    await page.getByText(/^\d+ propert(y|ies)$/).waitFor()
  })
})

describe("a list among hundreds", () => {
  it("is there to be added to", async () => {
    const page = await app.signedIn(`/?countyFips=${last}`)
    const dialog = page.getByRole("dialog")
    await page.getByRole("checkbox", { name: /^Choose / }).nth(1).check()
    await page.getByRole("button", { name: "Add to list" }).click()
    await dialog.getByRole("combobox").selectOption({ label: `List ${lists} (0)` })
    await dialog.getByRole("button", { name: "Add 1" }).click()
    await page.getByText("1 added to the list, 0 were on it.").waitFor()
  })
})

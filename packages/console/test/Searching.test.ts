/** What a search keeps and lets go of while it is changed, and what it says when it finds nothing. */
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"

const app = useApp()

describe("what is chosen", () => {
  it("is of the rows that are shown: another search begins with none", async () => {
    const page = await app.signedIn("/?countyFips=53903")
    const table = page.getByRole("table", { name: "Properties found" })
    for (const row of [1, 2, 3]) await table.getByRole("checkbox").nth(row).check()
    const chosen = page.getByRole("region", { name: "Chosen properties" })
    await chosen.getByText("3 chosen").waitFor()
    await page.getByRole("button", { name: /^Office \d+$/ }).click()
    await page.waitForURL(/categories=Office/)
    await chosen.waitFor({ state: "detached" })
    await app.rest(page)
    assert.strictEqual(await table.getByRole("checkbox", { checked: true }).count(), 0)
  })

  it("stays below the pointer when what can be done with it comes above", async () => {
    const page = await app.signedIn("/?countyFips=53903")
    const second = page.getByRole("table").getByRole("checkbox").nth(1)
    const top = async () => (await second.boundingBox())?.y ?? Number.NaN
    const before = await top()
    await page.getByRole("table").getByRole("checkbox").first().check()
    await page.getByRole("region", { name: "Chosen properties" }).waitFor()
    assert.approximately(await top(), before, 2)
    await page.keyboard.press("Escape")
    await page.getByRole("region", { name: "Chosen properties" }).waitFor({ state: "detached" })
    assert.approximately(await top(), before, 2)
  })

  it("is of the people that are shown", async () => {
    const page = await app.signedIn("/people")
    await page.getByRole("checkbox").nth(1).check()
    const chosen = page.getByRole("region", { name: "Chosen people" })
    await chosen.getByText("1 chosen").waitFor()
    await page.getByLabel("Role").selectOption("property_manager")
    await page.waitForURL(/roleType=/)
    await chosen.waitFor({ state: "detached" })
  })
})

describe("words", () => {
  it("are looked for from two letters on, and until then the filters stand", async () => {
    const page = await app.signedIn("/?countyFips=53903")
    const total = await page.getByText(/^[\d,]+ properties$/).textContent()
    await page.getByRole("searchbox").pressSequentially("i")
    await page.waitForURL(/q=i/)
    await app.rest(page)
    assert.strictEqual(await page.getByRole("alert").count(), 0)
    assert.strictEqual(await page.getByText(/^[\d,]+ properties$/).textContent(), total)
    await page.getByRole("button", { name: "+ filter" }).waitFor()
    await page.getByRole("searchbox").pressSequentially("m")
    await page.getByText("Words look everywhere in your area.").waitFor()
  })

  it("that find nothing are told what would find something, and not of filters", async () => {
    const page = await app.signedIn("/?q=notional+zzyzx")
    const said = page.getByText("Nothing matches.")
    await said.filter({ hasText: "no property that you see has all of these words there" }).waitFor()
    assert.notInclude(await said.textContent() ?? "", "filter")
    await app.visit(page, "/?countyFips=53903&minBuildingSqft=99999999")
    await said.filter({ hasText: "Without “Building, at least” there are some." }).waitFor()
  })

  it("of an address that holds no filter are left out of the search", async () => {
    const page = await app.signedIn("/?countyFips=53903&near=5&within={}&minYearBuilt=2000&maxYearBuilt=1990")
    await page.getByText("Built until: it has to be at least “Built since” (2000).").waitFor()
    assert.strictEqual(await page.getByText(/NaN/).count(), 0)
  })
})

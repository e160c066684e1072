/** What a search keeps and lets go of while it is changed, and what it says when it finds nothing. */
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"

const app = useApp()

describe("a county", () => {
  it("is chosen for whoever comes or begins anew, and is not put back when it is taken away", async () => {
    const page = await app.signedIn("/")
    await page.waitForURL(/countyFips=/)
    await page.getByRole("searchbox", { name: /^Words/ }).fill("Imaginary")
    await page.waitForURL(/q=Imaginary/)
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Search", exact: true }).click()
    await page.waitForURL(/countyFips=/)
    await page.getByRole("button", { name: /^Remove: County/ }).click()
    await page.getByText("Enter words, or add a filter with a place: a county, a city or a zip code.").waitFor()
    await app.rest(page)
    assert.strictEqual(new URL(page.url()).search, "")
  })

  it("that the organization does not have can be asked for where a search of it finds nothing", async () => {
    const page = await app.signedIn("/?countyFips=53905")
    await page.getByText("Nothing matches.").getByRole("link", { name: "Ask for a county" }).click()
    await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor()
  })

  it("that was loaded just now is there by itself; until then an admin is told where to ask, and others whom", async () => {
    const page = await app.openPage()
    await page.clock.install()
    const counties = "**/console/app_list_counties"
    await page.route(counties, (route) => route.fulfill({ json: { data: { counties: [] } } }))
    await app.signIn(page)
    const nothing = page.getByText("None of your counties has properties yet.")
    await nothing.getByRole("link", { name: "Ask for a county" }).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.route("**/console/app_get_session", async (route) => {
      const answer = await route.fetch()
      const { data } = await answer.json()
      await route.fulfill({ json: { data: { ...data, member: { ...data.member, role: "member" } } } })
    })
    await app.visit(page, "/")
    await nothing.filter({ hasText: "Ask an admin of your organization for coverage." }).waitFor()
    await page.unroute(counties)
    await page.clock.runFor("00:05")
    await page.getByRole("table", { name: "Properties found" }).waitFor()
  })
})

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

  it("is none of the rows before while the people of another question are awaited", async () => {
    const page = await app.signedIn("/people")
    const answer = Promise.withResolvers<void>()
    await page.route("**/console/service_browse_contacts", async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.getByRole("combobox", { name: "Opened" }).selectOption("locked")
    await page.waitForURL(/revealedState=locked/)
    await page.locator("[inert] table").waitFor()
    await page.locator("[inert]").getByText("Choose all").waitFor()
    answer.resolve()
    await page.locator("[inert]").waitFor({ state: "detached" })
    await page.getByRole("checkbox", { name: /^Choose (?!all)/ }).first().check()
    await page.getByRole("region", { name: "Chosen people" }).getByText("1 chosen").waitFor()
  })

  it("is put somewhere by a dialog that cannot be left before it is done", async () => {
    const page = await app.signedIn("/?countyFips=53903&pipelineStatus=none")
    const dialog = page.getByRole("dialog")
    const isHeld = async (operation: string, press: () => Promise<void>) => {
      const answer = Promise.withResolvers<void>()
      const path = `**/console/${operation}`
      await page.route(path, async (route) => {
        await answer.promise
        await route.continue()
      })
      const asked = page.waitForRequest(path)
      await press()
      await asked
      await dialog.getByRole("button", { name: "Close", disabled: true }).waitFor()
      await page.keyboard.press("Escape")
      assert.strictEqual(await dialog.count(), 1, operation)
      answer.resolve()
      await dialog.waitFor({ state: "detached" })
      await page.unroute(path)
    }
    await page.getByRole("table").getByRole("checkbox").nth(1).check()
    await page.getByRole("button", { name: "Add to list" }).click()
    await dialog.getByLabel("Name of the new list").fill("One after the other (test)")
    await isHeld("service_add_to_list", () => dialog.getByRole("button", { name: "Add 1" }).click())
    await page.getByText("1 added to the list").waitFor()

    // The list has shown how it stood, and shows at once how it stands.
    await page.getByRole("link", { name: "Open the list" }).click()
    await page.getByRole("checkbox", { name: /^Choose (?!all)/ }).check()
    await app.rest(page)
    assert.strictEqual(await page.getByRole("table").getByText("lead", { exact: true }).count(), 0)
    await page.getByRole("button", { name: "Qualify" }).click()
    await dialog.getByLabel(/^Deal value/).fill("5000")
    await isHeld("service_qualify_lead", () => dialog.getByRole("button", { name: "Qualify" }).click())
    await page.getByText("1 new lead.").waitFor()
    await app.rest(page)
    await page.getByRole("table").getByText("lead", { exact: true }).waitFor()
  })
})

describe("people and firms", () => {
  it("that there are none of say so in words, and have no table", async () => {
    const page = await app.signedIn("/home")
    for (
      const [path, operation, rows, words, others] of [
        [
          "people",
          "service_browse_contacts",
          "contacts",
          "Nobody is known in your area yet.",
          "/people?titleText=zzyzx"
        ],
        [
          "firms",
          "service_browse_organizations",
          "organizations",
          "No firm is known in your area yet.",
          "/firms?q=zzyzx"
        ]
      ] as const
    ) {
      const asked = `**/console/${operation}`
      await page.route(asked, async (route) => {
        const response = await route.fetch()
        const { data } = await response.json()
        const none = { ...data, [rows]: [], total_matching: 0, has_more: false, next_cursor: null }
        await route.fulfill({ response, json: { data: none } })
      })
      await app.visit(page, `/${path}`)
      await page.getByText(words).waitFor()
      assert.strictEqual(await page.getByRole("table").count(), 0)
      await page.unroute(asked)
      await app.visit(page, others)
      await page.getByText("in your area is like that.").waitFor()
      assert.strictEqual(await page.getByRole("table").count(), 0)
    }
  })
})

describe("people", () => {
  it("found by a name that more have are said to be no more than the first", async () => {
    const page = await app.signedIn("/people?q=an")
    await page.getByText("50 people or more. Add more of the name to find the others").waitFor()
    assert.strictEqual(await page.getByRole("table", { name: "People found" }).getByRole("row").count(), 51)
  })

  it("of a firm are narrowed to it as long as it is shown, and as many as it says", async () => {
    const page = await app.signedIn("/firms")
    await page.getByRole("table").getByRole("link").first().click()
    const people = page.getByRole("region", { name: "People" })
    const role = people.getByRole("listitem").first()
    const count = Number(await role.locator("span").textContent())
    const name = await page.getByRole("heading", { level: 1 }).textContent() ?? ""
    await role.getByRole("link").click()
    const chip = page.getByRole("list", { name: "Filters" }).getByText(`Firm: ${name}`)
    await chip.waitFor()
    await page.getByText(`${count} ${count === 1 ? "person" : "people"}`, { exact: true }).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.getByLabel("Role").selectOption("Any")
    await page.waitForURL((url) => !url.search.includes("roleType"))
    await page.getByRole("button", { name: `Remove: Firm: ${name}` }).click()
    await page.waitForURL((url) => !url.search.includes("firm="))
    await chip.waitFor({ state: "detached" })
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

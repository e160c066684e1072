/** What members do every day: search by filters and by the map, open what they need, and keep it. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import type { Page, Response } from "playwright-core"
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"
import { ask } from "../testing/Ask.ts"
import { openLocked } from "../testing/LockedPeople.ts"

const app = useApp()

const lockedOffices = "/?countyFips=53903&categories=Office&researchState=locked&minContactCount=2"

/** The map shows its search. */
const mapped = (page: Page) => page.locator("[data-ready=yes]").waitFor()

const balance = async (page: Page): Promise<number> =>
  Number((await page.getByText(/^[\d,]+ credits$/).textContent())?.replace(/\D/g, ""))

describe("search", () => {
  it("narrows by filters of the service, sorts, shows more, and is the same again from its address", async () => {
    const page = await app.signedIn("/?countyFips=53901")
    const table = page.getByRole("table", { name: "Properties found" })
    await page.getByRole("button", { name: "Show more" }).click()
    await table.getByRole("row").nth(60).waitFor()

    await page.getByRole("button", { name: "+ filter" }).click()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.getByLabel("Find a filter").fill("stage")
    await page.getByRole("button", { name: "Stage of the lead" }).click()
    await page.getByLabel("Disqualified").check()
    await page.getByLabel("None", { exact: true }).check()
    await page.getByRole("button", { name: "Apply" }).click()
    await page.waitForURL(/pipelineStatus=disqualified&pipelineStatus=none/)

    await page.getByRole("button", { name: "+ filter" }).click()
    await page.getByRole("button", { name: "Building, at least" }).click()
    await page.getByRole("spinbutton", { name: "Building, at least, in sqft" }).fill("50000")
    await page.getByRole("button", { name: "Apply" }).click()
    await page.waitForURL(/minBuildingSqft=50000/)
    await page.getByLabel("Sort").selectOption("buildingSqft")
    await page.getByLabel("Order").selectOption("lowest first")
    await page.waitForURL(/sortOrder=asc/)
    const sqft = table.getByRole("row").nth(1).getByRole("cell").nth(3)
    await sqft.filter({ hasText: /^5\d,/ }).waitFor()
    const found = await page.getByText(/^[\d,]+ properties$/).textContent()

    await page.reload()
    await sqft.filter({ hasText: /^5\d,/ }).waitFor()
    assert.strictEqual(await page.getByText(/^[\d,]+ properties$/).textContent(), found)
    await page.getByRole("button", { name: "≥ 50,000 sqft", exact: true }).waitFor()
    await page.getByRole("button", { name: "Remove: ≥ 50,000 sqft" }).click()
    await page.waitForURL((url) => !url.search.includes("minBuildingSqft"))

    // Each choice is a step back, and words are one, however long they were typed.
    await page.getByRole("searchbox").pressSequentially("notional")
    await page.waitForURL(/q=notional&/)
    await page.goBack()
    await page.waitForURL((url) => !url.search.includes("q="))
    assert.strictEqual(await page.getByRole("searchbox").inputValue(), "")
    await page.goBack()
    await page.waitForURL(/minBuildingSqft=50000/)
    await page.getByRole("button", { name: "≥ 50,000 sqft", exact: true }).waitFor()
  })

  it("draws the search on a map that comes after the results, follows it, and takes an area from it", async () => {
    const page = await app.openPage({ map: true })
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(new URL(request.url()).pathname))
    await app.signIn(page, "/?countyFips=53903")
    await mapped(page)
    const order = ["/console/service_search_properties", "/assets/MapPane", "/assets/states"]
    const at = order.map((path) => asked.findIndex((each) => each.startsWith(path)))
    assert.isAtLeast(Math.min(...at), 0)
    assert.strictEqual(Math.min(...at), at[0])
    const total = await page.getByText(/^[\d,]+ properties$/).textContent()
    assert.strictEqual(
      `${Number(await page.locator("[data-places]").getAttribute("data-places")).toLocaleString("en-US")} properties`,
      total
    )

    await page.getByLabel("Search as I move").check()
    await page.waitForURL(/box=/)
    const wide = page.url()
    await page.getByRole("button", { name: "Zoom in" }).click()
    await page.waitForURL((url) => url.href !== wide && url.search.includes("box="))
    await page.getByText(/^[\d,]+ properties$/).filter({ hasNotText: total ?? "" }).waitFor()
    await page.getByLabel("Search as I move").uncheck()
    await page.waitForURL((url) => !url.search.includes("box="))

    const map = page.locator("[data-tool]")
    await page.getByRole("button", { name: "Draw" }).click()
    for (const position of [{ x: 100, y: 100 }, { x: 300, y: 100 }, { x: 200, y: 300 }]) await map.click({ position })
    await page.getByRole("button", { name: "Done" }).click()
    await page.waitForURL(/within=/)
    await page.getByText("Drawn area").waitFor()
    await page.getByRole("button", { name: "Clear", exact: true }).click()
    await page.waitForURL((url) => !url.search.includes("within="))

    await page.getByRole("button", { name: "Radius" }).click()
    await page.getByLabel("Radius").selectOption("3")
    await map.click({ position: { x: 200, y: 200 } })
    await page.waitForURL(/near=/)
    await page.getByText("Within 3 mi of a place").waitFor()
  })

  it("tells what lies where somebody clicks on the map, and nothing of who it is beforehand", async () => {
    const page = await app.openPage({ map: true })
    const drawn: Array<Promise<string>> = []
    const keep = (response: Response) => {
      if (response.url().endsWith("/console/app_map_points")) drawn.push(response.text())
    }
    page.on("response", keep)
    await app.signIn(page, "/?countyFips=53903")
    await mapped(page)
    page.off("response", keep)
    assert.isAbove(drawn.length, 0)
    for (const text of await Promise.all(drawn)) assert.notMatch(text, /"(id|key|address|owner)"/)
    const map = page.locator("[data-tool]")
    const box = await map.boundingBox()
    await map.click({ position: { x: (box?.width ?? 0) / 2, y: (box?.height ?? 0) / 2 } })
    const here = page.getByRole("complementary", { name: "Here" })
    await here.getByText(/here$|^Nothing lies here/).waitFor()
    await page.getByRole("button", { name: /^Office \d+$/ }).click()
    await here.waitFor({ state: "detached" })
  })

  it("puts the chosen ones onto a new list and into the pipeline, and saves the search", async () => {
    const page = await app.signedIn(lockedOffices)
    await page.getByRole("checkbox", { name: /^Choose / }).nth(1).check()
    await page.getByRole("checkbox", { name: /^Choose / }).nth(2).check()
    const chosen = page.getByRole("region", { name: "Chosen properties" })
    await chosen.getByText("2 chosen").waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await chosen.getByRole("button", { name: "Add to list" }).click()
    await page.getByLabel("Name of the new list").fill("Offices to call")
    await page.getByRole("button", { name: "Add 2" }).click()
    await chosen.getByText("2 added to the list, 0 were on it.").waitFor()
    await chosen.getByRole("button", { name: "Qualify" }).click()
    await page.getByLabel(/^Deal value/).fill("25000")
    await page.getByRole("dialog").getByRole("button", { name: "Qualify" }).click()
    await chosen.getByText("2 properties are in the pipeline, 2 new leads.").waitFor()
    await page.keyboard.press("Escape")
    await chosen.waitFor({ state: "detached" })

    await page.getByRole("button", { name: "Save search" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Locked offices")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Saved as “Locked offices”.").waitFor()
    await page.getByRole("button", { name: "Save search" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Locked offices")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("There is one of that name already.").waitFor()
  })

  it("says what was done of the chosen ones when one is refused, and goes on with the others", async () => {
    const page = await app.signedIn(`${lockedOffices}&pipelineStatus=none`, { expected: /status of 503/ })
    for (const nth of [5, 6, 7]) await page.getByRole("checkbox", { name: /^Choose / }).nth(nth).check()
    const chosen = page.getByRole("region", { name: "Chosen properties" })
    const dialog = page.getByRole("dialog")
    /** The service is busy when it is asked for the second time. */
    const isBusyAtSecond = async (operation: string) => {
      let asked = 0
      await page.route(`**/console/${operation}`, async (route) => {
        asked += 1
        if (asked !== 2) return await route.continue()
        return await route.fulfill({
          status: 503,
          json: { refusal: { code: "TEMPORARILY_UNAVAILABLE", message: "Busy." } }
        })
      })
    }

    await isBusyAtSecond("service_qualify_lead")
    await chosen.getByRole("button", { name: "Qualify" }).click()
    await dialog.getByLabel(/^Deal value/).fill("25000")
    await dialog.getByRole("button", { name: "Qualify" }).click()
    await dialog.getByText("1 of 3 was qualified. The service is busy.").waitFor()
    assert.strictEqual(await dialog.getByText("Nothing was done.").count(), 0)
    await dialog.getByRole("button", { name: "Qualify" }).click()
    await chosen.getByText("3 properties are in the pipeline, 3 new leads.").waitFor()

    await isBusyAtSecond("service_reveal_property")
    await chosen.getByRole("button", { name: "Unlock…" }).click()
    await dialog.getByRole("button", { name: "Unlock 3 for 30 credits" }).click()
    await dialog.getByText("1 of 3 was unlocked. The service is busy.").waitFor()
    await dialog.getByText(/^1 unlocked, 10 credits charged\. Receipt #\d+\.$/).waitFor()
    await dialog.getByRole("button", { name: "Unlock 2 for 20 credits" }).click()
    await chosen.getByText(/^3 unlocked, 30 credits charged\. Receipts #\d+, #\d+, #\d+\.$/).waitFor()
  })

  it("is a list alone where there is no WebGL 2, and says why", async () => {
    const page = await app.signedIn(lockedOffices, { map: false })
    await page.getByText(/^The map needs WebGL 2/).waitFor()
    await page.getByRole("table", { name: "Properties found" }).waitFor()
  })
})

describe("a property", () => {
  it("tells what is there, reveals one person, unlocks the others, and keeps notes and a lead", async () => {
    const page = await app.signedIn(`${lockedOffices}&pipelineStatus=none`)
    await openLocked(app, page)
    await page.getByText("There is research on who owns and manages it").waitFor()
    const before = await balance(page)

    const reveals = page.getByRole("button", { name: "Reveal for 5 credits" })
    const locked = await reveals.count()
    await reveals.first().click()
    await page.getByText(/^Revealed\. 5 credits charged/).waitFor()
    await reveals.nth(locked - 1).waitFor({ state: "detached" })
    assert.strictEqual(await balance(page), before - 5)

    await page.getByRole("button", { name: /^Unlock .+ for 10 credits$/ }).click()
    await page.getByText(`Unlocked. 10 credits charged, balance ${(before - 15).toLocaleString("en-US")}.`)
      .waitFor()
    await page.getByText("Open because you unlocked it.").waitFor()
    assert.strictEqual(await reveals.count(), 0)

    await page.getByLabel("New note").fill("The roof is old.")
    await page.getByRole("button", { name: "Add note" }).click()
    await page.getByRole("listitem").filter({ hasText: "The roof is old." }).waitFor()
    await page.getByRole("button", { name: "Qualify" }).click()
    await page.getByLabel(/^Deal value/).fill("9000")
    await page.getByRole("dialog").getByRole("button", { name: "Qualify" }).click()
    await page.getByText("1 property is in the pipeline, 1 new lead.").waitFor()
    const lead = page.getByRole("region", { name: "Lead" })
    await lead.getByText("$9,000").waitFor()
    assert.strictEqual(await lead.getByRole("button", { name: "Qualify" }).count(), 0)
    await lead.getByRole("button", { name: "History and owner" }).click()
    await page.getByRole("dialog").getByRole("listitem").filter({ hasText: "Qualified" }).waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click()

    // One that ended stays a lead, with its reason, and goes on from there as the table of moves has it.
    const moveTo = async (stage: string, reason?: string) => {
      const dialog = page.getByRole("dialog")
      await dialog.getByLabel("Stage").selectOption(stage)
      if (reason !== undefined) await dialog.getByLabel("Reason").selectOption(reason)
      await dialog.getByRole("button", { name: `Move to ${stage}` }).click()
      await lead.getByRole("status").getByText(`Moved to ${stage}.`).waitFor()
      await lead.getByRole("definition").filter({ hasText: stage }).waitFor()
    }
    await lead.getByRole("button", { name: "Move to…" }).click()
    await moveTo("Lost", "Price too high")
    await lead.getByText("Price too high").waitFor()
    assert.strictEqual(await lead.getByRole("button", { name: "Qualify" }).count(), 0)
    await lead.getByRole("button", { name: "Move to…" }).click()
    await moveTo("Active")
    await lead.getByText("Reason").waitFor({ state: "detached" })
    await lead.getByRole("button", { name: "Move to…" }).click()
    await moveTo("Disqualified", "Too small")
    await page.reload()
    await lead.getByText("Too small").waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await lead.getByRole("button", { name: "Qualify again" }).click()
    await moveTo("Qualified")

    const tasks = page.getByRole("region", { name: "Tasks" })
    await tasks.getByText("Nothing is to be done.").waitFor()
    await tasks.getByRole("button", { name: "Add a task" }).click()
    await page.getByLabel("What is to be done").fill("Ask about the roof")
    await page.getByRole("button", { name: "Save the task" }).click()
    await tasks.getByText("The task was saved.").waitFor()
    await tasks.getByRole("listitem").filter({ hasText: "Ask about the roof" }).waitFor()
    await tasks.getByRole("button", { name: "Done: Ask about the roof" }).click()
    await tasks.getByText("Nothing is to be done.").waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
  })

  it("is open at once after it was paid for, by whatever address its page was opened", async () => {
    const page = await app.signedIn("/")
    const { results: [first, second] } = await ask(page, "service_search_properties", {
      filters: { countyFips: ["53903"], researchState: ["locked"] },
      limit: 2
    })
    for (const address of [first.key, second.id.toUpperCase()]) {
      await page.goto(`/properties/${address}`)
      await page.getByRole("button", { name: /^Unlock .+ for 10 credits$/ }).click()
      await page.getByText(/^Unlocked\. 10 credits charged/).waitFor()
      await page.getByText("Open because you unlocked it.").waitFor()
    }
  })

  it("stays on screen with what was typed and told when it cannot be read anew for a while", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=locked")
    await page.getByRole("table").getByRole("link").first().click()
    await page.getByLabel("New note").fill("Half a sentence (test)")
    await page.route("**/console/app_open_property", (route) =>
      route.fulfill({
        status: 429,
        json: { refusal: { code: "VIEWING_PAUSED", message: "Paused.", until: "2026-12-01T10:30:00.000Z" } }
      }))
    await page.getByRole("button", { name: /^Unlock .+ for 10 credits$/ }).click()
    await page.getByText("Pages open again at 10:30 UTC.").waitFor()
    await page.getByText(/^Unlocked\. 10 credits charged/).waitFor()
    assert.strictEqual(await page.getByLabel("New note").inputValue(), "Half a sentence (test)")
    await page.getByRole("heading", { name: "Record" }).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])

    // What may not be seen any more is not shown any more.
    await page.unroute("**/console/app_open_property")
    await page.route(
      "**/console/app_open_property",
      (route) => route.fulfill({ status: 404, json: { refusal: { code: "NOT_FOUND", message: "There is none." } } })
    )
    await page.getByRole("button", { name: /^Unlock (all|the research)/ }).click()
    await page.getByText("There is no such record, or it is outside your area.").waitFor()
    assert.strictEqual(await page.getByRole("heading", { name: "Record" }).count(), 0)
  })

  it("from a source says whose data it is, as they want it shown, and under which terms", async () => {
    const page = await app.signedIn("/home")
    const source = {
      title: "Parcels (made up)",
      licence: "public domain",
      attribution: "Parcels: Sample County (made up)",
      vanishedAt: "2026-01-31T00:00:00.000Z"
    }
    await page.route("**/console/app_open_property", async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      await route.fulfill({ response, json: { data: { ...data, property: { ...data.property, source } } } })
    })
    await app.visit(page, "/properties/53903-DEMO00001")
    const record = page.getByRole("region", { name: "Record" })
    await record.getByText(
      "Parcels: Sample County (made up). Source: Parcels (made up). Licence: public domain. " +
        "The source has not had the record since Jan 31, 2026."
    ).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
  })

  it("is researched for its price, and says how that ended", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=none")
    await page.getByRole("table").getByRole("link").first().click()
    await page.getByText("Nothing was found out about it yet.").waitFor()
    await page.getByRole("button", { name: "Research for 10 credits" }).click()
    await page.getByText(/^Research: /).waitFor()
  })

  it("says of research that opened what was known and found nothing newer that this is so", async () => {
    const page = await app.signedIn("/properties/53903-DEMO00010")
    await page.getByText(/The unlock is included: where nothing newer is found, it opens what is known/).waitFor()
    const answer = Promise.withResolvers<void>()
    await page.route("**/console/app_open_property", async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.getByRole("button", { name: "Research for 10 credits" }).click()
    // Whether it is newer shows in what is read afterwards.
    await page.getByText(/^Research: Complete\. 10 credits charged, 0 given back\.$/).waitFor()
    answer.resolve()
    await page.getByText(
      /^Research: Complete\. 10 credits charged, 0 given back\. It brought nothing newer .* is open\.$/
    )
      .waitFor()
    await app.visit(page, "/research")
    await page.getByRole("link", { name: "Research of a property" }).first().click()
    await page.getByText("What was found, or was known and is open now, stands on the page of the property.").waitFor()
  })

  it("tells of its research that is under way to whoever comes to it, until it ends", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=none")
    await page.getByRole("table").getByRole("link").nth(1).click()
    const start = page.getByRole("button", { name: "Research for 10 credits" })
    await start.click()
    const ended = page.getByText(/^Research: .* charged, \d+ given back\. Nothing found/)
    await ended.waitFor()

    // As long as it lasts, which is no time in the demonstration.
    const unended = { finished_at: null, status: "running" }
    await page.route("**/console/service_list_research_runs", async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      const runs = data.runs.map((run: object) => ({ ...run, ...unended }))
      await route.fulfill({ response, json: { data: { ...data, runs } } })
    })
    await page.route("**/console/service_get_research_status", async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      await route.fulfill({ response, json: { data: { ...data, ...unended } } })
    })
    await page.reload()
    await page.getByText("Research: Running.").waitFor()
    assert.strictEqual(await start.count(), 0)
    await page.unroute("**/console/service_get_research_status")
    await ended.waitFor()
  })

  it("leads on to the record that it was merged into, and says until when pages are closed", async () => {
    const page = await app.signedIn(lockedOffices)
    await page.getByRole("table").getByRole("link").nth(1).waitFor()
    const [merged, survivor] = await page.getByRole("table").getByRole("link").evaluateAll((links) =>
      links.slice(0, 2).map((link) => link.getAttribute("href")?.split("/").at(-1) ?? "")
    )
    await page.route("**/console/app_open_property", async (route) => {
      if (route.request().postData()?.includes(merged ?? "none") === true) {
        await route.fulfill({
          status: 409,
          json: { refusal: { code: "PROPERTY_RETIRED", message: "Merged.", successorPropertyId: survivor } }
        })
      } else await route.continue()
    })
    await page.getByRole("table").getByRole("link").first().click()
    await page.waitForURL(new RegExp(`/properties/${survivor}$`))
    await page.getByRole("heading", { name: "Record" }).waitFor()

    await page.unroute("**/console/app_open_property")
    await page.route("**/console/app_open_property", (route) =>
      route.fulfill({
        status: 429,
        json: { refusal: { code: "VIEWING_PAUSED", message: "Paused.", until: "2026-12-01T10:30:00.000Z" } }
      }))
    await page.goto(`/properties/${merged}`)
    await page.getByText("Pages open again at 10:30 UTC.").waitFor()
    await page.getByText(String(merged)).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
  })
})

describe("people and firms", () => {
  it("are found by name and by what they do, and lead to each other and to their properties", async () => {
    const page = await app.signedIn("/people")
    await page.getByRole("table", { name: "People" }).waitFor()
    await page.getByLabel("Role").selectOption("property_manager")
    await page.waitForURL(/roleType=property_manager/)
    await page.getByRole("cell", { name: "Property manager" }).first().waitFor()
    await page.getByRole("table").getByRole("link").first().click()
    await page.getByRole("region", { name: "Properties" }).getByRole("listitem").first().waitFor()
    await page.goto("/people?q=heron")
    await page.getByRole("table", { name: "People found" }).getByRole("link").first().waitFor()

    await page.getByRole("link", { name: "Firms", exact: true }).click()
    const portfolios = page.getByRole("table", { name: "Firms" }).getByRole("cell", { name: /^\d+$/ })
    await portfolios.first().waitFor()
    const counts = (await portfolios.allTextContents()).map(Number)
    assert.deepStrictEqual(counts, counts.toSorted((left, right) => right - left))
    await page.getByRole("searchbox", { name: "Name" }).fill("heron")
    await page.waitForURL(/q=heron/)
    await page.getByLabel("Role").selectOption("owner")
    await page.waitForURL(/role=owner/)
    await page.getByRole("table", { name: "Firms" }).getByRole("link", { name: /heron/i }).first().waitFor()
    await page.getByRole("table").getByRole("link").first().click()
    await page.getByRole("heading", { name: "Properties" }).waitFor()
    await page.getByRole("region", { name: "Properties" }).getByRole("link").first().waitFor()
    await page.getByRole("region", { name: "People" }).getByRole("link").first().click()
    await page.waitForURL(/\/people\?firm=/)
    await page.getByRole("table", { name: "People" }).waitFor()
  })

  it("are found from anywhere by the keyboard alone", async () => {
    const page = await app.signedIn(lockedOffices)
    await page.getByRole("table").waitFor()
    await page.keyboard.press("Control+k")
    await page.locator("input:focus").waitFor()
    await page.keyboard.type("heron")
    await page.getByRole("list", { name: "Ways" }).getByRole("link", { name: /Firm$/ }).first().waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/properties\//)
    await page.keyboard.press("Control+k")
    await page.locator("input:focus").waitFor()
    await page.keyboard.type("firms")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Firms" }).waitFor()
    for (const [words, heading] of [["pipe", "Pipeline"], ["administration: log", "Log"]] as const) {
      await page.keyboard.press("Control+k")
      await page.locator("input:focus").waitFor()
      await page.keyboard.type(words)
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: heading }).waitFor()
    }

    // The menu under one's name goes away by itself.
    const name = page.getByRole("button", { name: "Ada Sampleton" })
    const sessions = page.getByRole("link", { name: "My sessions" })
    await name.click()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.keyboard.press("Escape")
    await sessions.waitFor({ state: "hidden" })
    await name.click()
    await page.getByRole("heading", { name: "Log" }).click()
    await sessions.waitFor({ state: "hidden" })
    await name.click()
    await sessions.click()
    await page.getByRole("heading", { name: "My sessions" }).waitFor()
    await sessions.waitFor({ state: "hidden" })
  })
})

describe("the session", () => {
  /** As another tab does that spent something: all that is shown is asked for anew. */
  const askAnew = (page: Page) =>
    page.evaluate(() => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
      new BroadcastChannel("freehold").postMessage({ kind: "spent" })
    })

  /** From now on the service says that of whoever is signed in. */
  const saying = (page: Page, credits: number, role = "admin") =>
    page.route("**/console/app_get_session", async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      await route.fulfill({ response, json: { data: { ...data, credits, member: { ...data.member, role } } } })
    })
  const shows = (page: Page, credits: number) => page.getByText(`${credits} credits`, { exact: true }).waitFor()

  it("is asked for again when the service is away, and what was typed stays meanwhile", async () => {
    const page = await app.openPage({ expected: /status of 503/ })
    await page.clock.install()
    await app.signIn(page, "/requests")
    await page.getByLabel("Subject").fill("Half a sentence (test)")
    const asked = () => page.waitForResponse("**/console/app_get_session")
    await page.route(
      "**/console/app_get_session",
      (route) =>
        route.fulfill({ status: 503, json: { refusal: { code: "TEMPORARILY_UNAVAILABLE", message: "Busy." } } })
    )
    const first = asked()
    await askAnew(page)
    await first
    for (let attempts = 1; attempts < 3; attempts++) {
      const next = asked()
      await page.clock.fastForward(5000)
      await next
    }
    await page.unroute("**/console/app_get_session")
    await saying(page, 777)
    const again = asked()
    await page.clock.fastForward(15_000)
    await again
    await shows(page, 777)
    assert.strictEqual(await page.getByLabel("Subject").inputValue(), "Half a sentence (test)")
  })

  it("has the balance of now when somebody comes back to the window, or a page is told another one", async () => {
    const page = await app.openPage()
    await page.clock.install()
    await app.signIn(page, "/requests")
    let asked = 0
    page.on("request", (request) => {
      if (request.url().endsWith("/app_get_session")) asked += 1
    })
    const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event("focus")))
    await saying(page, 777)
    // It was asked for just now.
    await comeBack()
    await page.clock.fastForward(15_000)
    await comeBack()
    await shows(page, 777)
    assert.strictEqual(asked, 1)

    await page.route("**/console/app_get_credits", async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      await route.fulfill({ response, json: { data: { ...data, total: 555 } } })
    })
    await page.getByRole("button", { name: "Ada Sampleton" }).click()
    await page.getByRole("link", { name: "Administration" }).click()
    await page.getByRole("link", { name: "Credits", exact: true }).click()
    await page.getByRole("heading", { name: "555 credits left" }).waitFor()
    await shows(page, 555)
  })

  it("offers nothing that its balance does not pay for, and says who can help", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=locked&minContactCount=4")
    await openLocked(app, page)
    const at = page.url()
    const unlock = page.getByRole("button", { name: /^Unlock .+ for 10 credits$/ })
    const missing = page.getByText(/^Balance 7: 3 credits are missing\./).first()

    await saying(page, 7)
    await page.goto(at)
    await missing.getByText("Ask whoever runs this service.").waitFor()
    await missing.getByRole("link", { name: "Ask for it" }).waitFor()
    assert.isTrue(await unlock.isDisabled())
    await page.getByText("Each: balance 7, then 2.").waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])

    await page.unroute("**/console/app_get_session")
    await saying(page, 7, "member")
    await page.goto(at)
    await missing.getByText("Ask an admin of your organization.").waitFor()

    await page.unroute("**/console/app_get_session")
    await saying(page, 3)
    await page.goto(at)
    await page.getByText("Each costs more than the balance of 3.").waitFor()
    assert.isTrue(await page.getByRole("button", { name: "Reveal for 5 credits" }).first().isDisabled())
    assert.strictEqual(await page.getByText(/then -/).count(), 0)
  })

  it("offers no more than is left of a member's own limit", async () => {
    const email = "lena@demo.example"
    const lena = { email, name: "Lena Sample", role: "member", seat: true, monthly_credit_limit: 12 }
    await app.apply({ members: [lena] })
    const search = "/?countyFips=53903&researchState=locked&minContactCount=4"
    const page = await app.signedIn(search, { email })
    const [first, second] = await page.getByRole("table").getByRole("link").evaluateAll((links) =>
      links.map((link) => link.getAttribute("href") ?? "")
    )
    await openLocked(app, page)
    const at = new URL(page.url()).pathname
    const unlock = page.getByRole("button", { name: /^Unlock .+ for 10 credits$/ })
    await page.getByText(/; left of your monthly limit 12, then 2\. Nothing is charged/).waitFor()
    await page.getByText(/^Each: balance .*; left of your monthly limit 12, then 7\.$/).waitFor()

    await app.visit(page, first === at ? second ?? "" : first ?? "")
    await unlock.click()
    await page.getByText(/^Unlocked\. 10 credits charged/).waitFor()
    // What was spent just now is known without a reload.
    const missing = page.getByText(/^Left of your monthly limit 2: 8 credits are missing\./).first()
    await missing.getByRole("link", { name: "Usage and limits" }).waitFor()
    await app.visit(page, at)
    await missing.waitFor()
    assert.isTrue(await unlock.isDisabled())
    await page.getByText("Each costs more than the 2 left of your monthly limit.").waitFor()
    assert.isTrue(await page.getByRole("button", { name: "Reveal for 5 credits" }).first().isDisabled())
    await app.visit(page, "/home")
    await page.getByText("You may spend 12 of them a UTC month: 2 are left.").waitFor()
  })
})

describe("two tabs", () => {
  const secondTab = async (page: Page) => {
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    return tab
  }
  const unlock = (tab: Page) => tab.getByRole("button", { name: /^Unlock .+ for 10 credits$/ })
  const opened = (tab: Page) => tab.getByText("Open because you unlocked it.")
  const shows = (tab: Page, credits: number) =>
    tab.getByText(`${credits.toLocaleString("en-US")} credits`, { exact: true }).waitFor()

  it("show what was bought in one of them, and pay once for what is clicked twice or in both at once", async () => {
    const page = await app.signedIn(`${lockedOffices}&pipelineStatus=none`)
    const [first, second] = await page.getByRole("table").getByRole("link").evaluateAll((links) =>
      links.slice(2, 4).map((link) => link.getAttribute("href") ?? "")
    )
    await page.goto(first ?? "")
    const other = await secondTab(page)
    await Promise.all([unlock(page).waitFor(), unlock(other).waitFor()])
    const before = await balance(page)
    await unlock(page).dblclick()
    await Promise.all([opened(page).waitFor(), opened(other).waitFor()])
    await Promise.all([shows(page, before - 10), shows(other, before - 10)])

    await page.goto(second ?? "")
    await other.goto(second ?? "")
    await Promise.all([unlock(page).waitFor(), unlock(other).waitFor()])
    // The first purchase is told to the other tab, whose button then goes: both have asked before either is let through.
    const isReveal = "**/console/service_reveal_property"
    const bothAsked = Promise.withResolvers<void>()
    let asked = 0
    await page.context().route(isReveal, async (route) => {
      asked += 1
      if (asked === 2) bothAsked.resolve()
      await bothAsked.promise
      await route.continue()
    })
    await Promise.all([unlock(page).click(), unlock(other).click()])
    await Promise.all([opened(page).waitFor(), opened(other).waitFor()])
    await Promise.all([page.reload(), other.reload()])
    await Promise.all([shows(page, before - 20), shows(other, before - 20)])
    await page.context().unroute(isReveal)
  })

  it("are signed out together", async () => {
    const page = await app.signedIn(lockedOffices)
    const other = await secondTab(page)
    await other.getByRole("table").waitFor()
    await page.getByText("Ada Sampleton").click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await other.getByText("Your session has ended.").waitFor()
  })
})

describe("fair use", () => {
  it("pauses pages at the 61st property in ten minutes; all else goes on, and it lifts by the clock", async () => {
    await app.apply({ members: [{ email: "fast@demo.example", name: "Fast Reader" }] })
    const page = await app.signedIn(lockedOffices, { email: "fast@demo.example" })
    const admin = await app.signedIn("/admin/log")
    const found = await ask(page, "service_search_properties", { filters: { countyFips: ["53901"] }, limit: 62 })
    const ids: ReadonlyArray<string> = found.results.map(({ id }: { readonly id: string }) => id)
    const [last, tooMany] = ids.slice(59)
    for (const id of ids.slice(0, 59)) await ask(page, "app_open_property", { id })
    await page.goto(`/properties/${last}`)
    await page.getByRole("heading", { name: "Record" }).waitFor()
    await page.reload()
    await page.getByRole("heading", { name: "Record" }).waitFor()

    await page.goto(`/properties/${tooMany}`)
    await page.getByText("You opened many property pages in a short time.").waitFor()
    await page.getByText(/^Pages open again at \d\d:\d\d UTC\.$/).waitFor()
    await page.getByRole("link", { name: "Freehold" }).click()
    await page.getByRole("table", { name: "Properties found" }).waitFor()
    await page.getByRole("link", { name: "Pipeline" }).click()
    await page.getByRole("region", { name: "Qualified", exact: true }).waitFor()
    await ask(page, "app_map_points", { filters: { countyFips: ["53901"] } })
    const { secret } = await ask(admin, "app_create_key", { name: "Fair use", scopes: ["data:read"] })
    const detail = await page.context().request.get(`/v1/properties/${tooMany}/detail`, {
      headers: { authorization: `Bearer ${secret}` }
    })
    assert.strictEqual(detail.status(), 200)
    await admin.goto(`/properties/${tooMany}`)
    await admin.getByRole("heading", { name: "Record" }).waitFor()
    const notices = await ask(admin, "app_list_notices", {})
    assert.include(JSON.stringify(notices), "Property pages of Fast Reader are paused until")

    // As if half an hour had gone by.
    await Effect.runPromise(
      administer(
        Redacted.make(app.env()["DATABASE_URL"] ?? ""),
        (sql) =>
          sql`
          WITH past AS (UPDATE page_view SET opened_at = opened_at - interval '31 minutes')
          UPDATE page_viewer SET paused_until = paused_until - interval '31 minutes'`
      )
    )
    await page.goto(`/properties/${tooMany}`)
    await page.getByRole("heading", { name: "Record" }).waitFor()
  })
})

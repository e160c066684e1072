/** What pages show when what they ask for cannot be read, and that it can be asked for again. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"
import { ask } from "../testing/Ask.ts"

const app = useApp()

const refuse = (page: Page, operation: string, refusal: { readonly code: string; readonly message: string }) =>
  page.route(`**/console/${operation}`, (route) => route.fulfill({ status: 503, json: { refusal } }))

const busy = { code: "TEMPORARILY_UNAVAILABLE", message: "Busy." }

describe("the pipeline", () => {
  it("that cannot be read has no sum, and is read again on demand", async () => {
    const page = await app.openPage({ expected: /503/ })
    await refuse(page, "app_get_board", busy)
    await app.signIn(page, "/pipeline")
    await page.getByText("The service is busy.").waitFor()
    assert.strictEqual(await page.getByText(/\d leads? ·/).count(), 0)
    await page.unroute("**/console/app_get_board")
    await page.getByRole("button", { name: "Try again" }).click()
    await page.getByRole("region", { name: "Qualified", exact: true }).waitFor()
    assert.strictEqual(await page.getByRole("alert").count(), 0)
    await page.waitForFunction(() => document.activeElement?.tagName === "H1")
  })

  it("that may not be seen any more goes", async () => {
    const page = await app.signedIn("/pipeline")
    const leads = page.getByRole("group")
    await leads.first().waitFor()
    await page.route(
      "**/console/app_get_board",
      (route) => route.fulfill({ status: 403, json: { refusal: { code: "FEATURE_GATED", message: "No." } } })
    )
    await leads.first().focus()
    await page.keyboard.press("Alt+ArrowRight")
    await page.getByText("Your organization's plan does not have this.").waitFor()
    await leads.first().waitFor({ state: "detached" })
    assert.strictEqual(await page.getByText(/\d leads? ·/).count(), 0)
  })

  it("asks for the reasons and the colleagues again that could not be read", async () => {
    const page = await app.openPage({ expected: /503/ })
    const lists = ["service_get_loss_reasons", "app_list_colleagues"]
    for (const operation of lists) await refuse(page, operation, busy)
    await app.signIn(page, "/pipeline")
    const card = page.getByRole("region", { name: "Active", exact: true }).getByRole("group").first()
    const dialog = page.getByRole("dialog")
    await card.getByRole("button", { name: /^Move / }).click()
    await dialog.getByLabel("Stage").selectOption("Lost")
    await dialog.getByText("The service is busy.").waitFor()
    await page.unroute("**/console/service_get_loss_reasons")
    await dialog.getByRole("button", { name: "Try again" }).click()
    await dialog.getByLabel("Reason").selectOption("Price too high")
    await dialog.getByRole("button", { name: "Close" }).click()

    await card.getByRole("button", { name: /^History and owner/ }).click()
    await dialog.getByText("The service is busy.").waitFor()
    await page.unroute("**/console/app_list_colleagues")
    await dialog.getByRole("button", { name: "Try again" }).click()
    await dialog.getByRole("combobox", { name: "Owner", disabled: false }).waitFor()
  })

  it("is worth what its leads are that may still be won, and those that were", async () => {
    const page = await app.signedIn("/pipeline")
    const sums = await page.getByRole("region").getByText(/^\d+ leads? · \$[\d,]+$/).allTextContents()
    const [count, worth] = [0, 1].map((part) =>
      // Qualified, attempted, active and won; the last two columns are those that ended.
      sums.slice(0, 4).reduce((sum, text) => sum + Number(text.split("·")[part]?.replace(/\D/g, "")), 0)
    )
    assert.lengthOf(sums, 6)
    assert.match(sums.slice(4).join(), /[1-9]/)
    await page.getByText(`${count} leads · $${worth?.toLocaleString("en-US")}, without those lost or disqualified`)
      .waitFor()
  })
})

describe("the values of a filter", () => {
  it("that cannot be read are read again on demand", async () => {
    const page = await app.openPage({ expected: /503/ })
    await refuse(page, "service_lookup", busy)
    await app.signIn(page, "/?countyFips=53903")
    await page.getByRole("button", { name: "+ filter" }).click()
    await page.getByRole("button", { name: "Roof cover" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText("The service is busy.").waitFor()
    await page.unroute("**/console/service_lookup")
    await dialog.getByRole("button", { name: "Try again" }).click()
    await dialog.getByRole("alert").waitFor({ state: "detached" })
    await dialog.getByText("One moment…").waitFor({ state: "detached" })
    assert.deepStrictEqual(await app.accessibility(page), [])
  })
})

describe("a sign-in link", () => {
  const refusal = { code: "rate_limited", message: "Too many requests: 1000 a minute. Retry after 9 seconds." }

  it("that cannot be looked at, or used, is looked at and used again", async () => {
    const page = await app.openPage()
    const doors = ["**/console/sign-in/look", "**/console/sign-in"]
    for (const door of doors) await page.route(door, (route) => route.fulfill({ status: 429, json: { refusal } }))
    await page.goto(await app.linkOf())
    await page.getByText(refusal.message).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.unroute("**/console/sign-in/look")
    await page.getByRole("button", { name: "Try again" }).click()

    const agree = page.getByRole("button", { name: "Sign in as Ada Sampleton" })
    await agree.click()
    await page.getByText(refusal.message).waitFor()
    await page.unroute("**/console/sign-in")
    await agree.click()
    await page.getByRole("heading", { name: "Search properties" }).waitFor()
  })
})

describe("a read that failed", () => {
  it("for good is not offered again", async () => {
    const page = await app.signedIn("/firms/00000000-0000-4000-8000-000000000999")
    await page.getByText("There is no such record").waitFor()
    for (const path of ["/people/nosuch", "/firms/nosuch"]) {
      await app.visit(page, path)
      assert.match(await page.getByRole("alert").textContent() ?? "", /^There is no such record[^:]*$/)
    }
    assert.strictEqual(await page.getByRole("button", { name: "Try again" }).count(), 0)
  })

  it("since the service was away is made again once it answers", async () => {
    const page = await app.openPage({ expected: /status of 503/ })
    await page.clock.install()
    await app.signIn(page, "/tasks")
    await page.route("**/console/*", (route) => route.fulfill({ status: 503, json: { refusal: busy } }))
    const asked = () => page.waitForResponse("**/console/app_get_session")
    const first = asked()
    await page.getByLabel("State").selectOption("Done")
    for (let attempt = 1; attempt < 3; attempt++) await page.clock.fastForward(5000)
    await page.getByText("The service is busy.").waitFor()
    await first
    for (let attempt = 1; attempt < 3; attempt++) {
      const next = asked()
      await page.clock.fastForward(5000)
      await next
    }
    await page.unroute("**/console/*")
    await page.clock.fastForward(15_000)
    await page.getByText(/^\d+ tasks?/).waitFor()
    assert.strictEqual(await page.getByRole("alert").count(), 0)
  })

  it("for want of a connection is made again when there is one", async () => {
    const page = await app.signedIn("/tasks", { expected: /ERR_INTERNET_DISCONNECTED/ })
    await page.context().setOffline(true)
    await page.getByLabel("State").selectOption("Done")
    await page.getByText("The server cannot be reached.").waitFor()
    await page.context().setOffline(false)
    await page.getByText(/^\d+ tasks?/).waitFor()
    assert.strictEqual(await page.getByRole("alert").count(), 0)
  })
})

describe("the values of a field", () => {
  it("that cannot be read are told of beside it, and read again on demand", async () => {
    const members = [{ email: "eve@demo.example", name: "Eve Elsewhere", role: "member" }]
    await app.apply({ members })
    const page = await app.openPage({ expected: /503/ })
    await refuse(page, "app_list_colleagues", busy)
    await refuse(page, "app_list_counties", busy)
    await app.signIn(page, "/tasks")
    await page.getByRole("button", { name: "Add a task" }).click()
    const dialog = page.getByRole("dialog")
    const [assignee, again] = [dialog.getByLabel("By whom"), dialog.getByRole("button", { name: "Try again" })]
    await again.waitFor()
    assert.strictEqual(await assignee.locator("option:checked").textContent(), "Ada Sampleton")
    await page.unroute("**/console/app_list_colleagues")
    await again.click()
    await assignee.getByRole("option", { name: "Eve Elsewhere" }).waitFor({ state: "attached" })
    await dialog.getByRole("button", { name: "Close" }).click()

    await app.visit(page, "/admin/members")
    const form = page.getByRole("region", { name: "New member" })
    await form.getByLabel("Everything that the organization sees").uncheck()
    await form.getByText("The service is busy.").waitFor()
    assert.isTrue(await form.getByLabel("Add a county").isDisabled())
    await page.unroute("**/console/app_list_counties")
    await form.getByRole("button", { name: "Try again" }).click()
    await form.getByLabel("Add a county").selectOption("Quillgate (demo), WA")
  })
})

describe("a map", () => {
  it("says that its places could not be read, though the results were, and reads them again on demand", async () => {
    const page = await app.openPage({ map: true, expected: /503/ })
    await refuse(page, "app_map_points", busy)
    await app.signIn(page, "/?countyFips=53903")
    await page.getByRole("table", { name: "Properties found" }).waitFor()
    const map = page.getByRole("region", { name: "Map of the results" })
    await map.getByText("The service is busy.").waitFor()
    await page.unroute("**/console/app_map_points")
    await map.getByRole("button", { name: "Try again" }).click()
    await map.getByRole("alert").waitFor({ state: "detached" })
    await map.locator("[data-ready=yes]").waitFor()
  })
})

describe("the outlines of a map", () => {
  it("that did not arrive are told of, and drawn once they are read again", async () => {
    const page = await app.openPage({ map: true, expected: /ERR_FAILED/ })
    const files = "**/assets/*-10m-*.json"
    await page.route(files, (route) => route.abort())
    await app.signIn(page, "/?countyFips=53903")
    const map = page.getByRole("region", { name: "Map of the results" })
    await map.getByText("The server cannot be reached.").waitFor()
    await page.unroute(files)
    const drawn = page.waitForResponse(files)
    await map.getByRole("button", { name: "Try again" }).click()
    await drawn
    await map.getByRole("alert").waitFor({ state: "detached" })
  })
})

describe("what may not be seen any more", () => {
  const about = "/properties/53903-DEMO00100"

  it("goes from every page that showed it, with why it does", async () => {
    const page = await app.openPage()
    await page.clock.install()
    await app.signIn(page)
    const { results: [found] } = await ask(page, "service_search_properties", { filters: { countyFips: ["53903"] } })
    const { list } = await ask(page, "service_create_list", { list_name: "Seen", list_type: "properties" })
    await ask(page, "service_add_to_list", { list_id: list.id, item_ids: [found.id] })
    const { property } = await ask(page, "app_open_property", { id: "53903-DEMO00100" })
    await ask(page, "service_add_note", { property_id: property.id, content: "Seen by us." })
    const due = { due: "2026-01-31", assignee_id: (await ask(page, "app_get_session", {})).member.member_id }
    const task = { title: "See it", description: null, type: "call", ...due }
    await ask(page, "app_add_task", { property_id: property.id, ...task })
    const { runs: [run] } = await ask(page, "service_list_research_runs", {})
    const { leads: [lead] } = await ask(page, "service_get_pipeline", {})
    const { changes: [changed] } = await ask(page, "service_get_changes", { kinds: ["manager_change"], days: 3650 })

    const rows = (name: string) => page.getByRole("table", { name })
    const lines = (name: string) => page.getByRole("region", { name }).getByRole("listitem").first()
    const pages = [
      [`/lists/${list.id}`, "app_get_list", page.getByRole("heading", { name: "Seen" })],
      [`/lists/${list.id}`, "service_get_list_items", rows("What is on the list")],
      ["/lists", "service_list_lists", rows("Lists")],
      ["/tasks", "app_list_tasks", rows("Tasks")],
      [about, "app_list_notes", page.getByText("Seen by us.")],
      [about, "app_list_tasks", page.getByText("See it")],
      [`/properties/${lead.property_id}`, "app_get_lead", page.getByRole("button", { name: "History and owner" })],
      [`/properties/${changed.subject.id}`, "service_get_changes", lines("Changes")],
      ["/searches", "service_list_saved_searches", page.getByText(/^\d+ saved search/)],
      ["/usage", "app_get_usage", page.getByRole("heading", { name: "My credits this month" })],
      ["/requests", "service_list_requests", page.getByText(/^(\d+ requests?|Nothing was asked yet\.)$/)],
      ["/research", "service_list_research_runs", rows("Runs of research")],
      [`/research/${run.run_id}`, "service_get_research_status", page.getByRole("heading", { name: "How it stands" })],
      ["/home", "app_list_tasks", page.getByText("See it")],
      ["/home", "app_get_board", page.getByText("All of them moved lately.")],
      ["/home", "service_get_changes", lines("Latest changes")],
      ["/changes?days=3650", "service_get_changes", rows("Changes")],
      ["/firms", "service_browse_organizations", rows("Firms")]
    ] as const
    for (const [path, operation, shown] of pages) {
      await app.visit(page, path)
      await shown.waitFor()
      const refusal = { code: "NO_ACTIVE_SEAT", message: "No seat." }
      await page.route(`**/console/${operation}`, (route) => route.fulfill({ status: 403, json: { refusal } }))
      await page.getByRole("navigation").getByRole("link", { name: "People" }).click()
      await page.getByRole("heading", { name: "People", level: 1 }).waitFor()
      await page.clock.fastForward(31_000)
      await page.goBack()
      await page.getByRole("alert").getByText("You have no seat in this organization.").first().waitFor()
      assert.strictEqual(await shown.count(), 0, `${path} ${operation}`)
      await page.unroute(`**/console/${operation}`)
    }
  })
})

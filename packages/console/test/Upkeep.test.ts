/** What members look after: lists, research, saved searches, changes, notes, usage and requests; and what they are refused. */
import type { Locator, Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { stepOf, words } from "../src/service/Refusals.ts"
import type { OrganizationUsage } from "../src/usage/Usage.ts"
import { useApp } from "../testing/AppFixture.ts"
import { ask } from "../testing/Ask.ts"

const app = useApp()

/** In light and in dark. */
const looksRight = async (page: Page): Promise<void> => assert.deepStrictEqual(await app.accessibility(page), [])

const balance = async (page: Page): Promise<number> =>
  Number((await page.getByText(/^[\d,]+ credits$/).textContent())?.replace(/\D/g, ""))

/** What the address asks for. */
const sorted = (page: Page): ReadonlyArray<string> => new URL(page.url()).search.slice(1).split("&").toSorted()

/** Of the made-up team: a person whom it wrote to. */
const personOf = async (page: Page): Promise<string> => {
  const { runs: [run] } = await ask(page, "service_list_research_runs", { action: "draft_email" })
  return run.subject_ids[0]
}

describe("lists", () => {
  it("are made, filled, renamed, shared, opened for a price that is told first, and deleted", async () => {
    const page = await app.signedIn("/lists")
    const dialog = page.getByRole("dialog")
    await page.getByRole("button", { name: "New list" }).click()
    await dialog.getByLabel("Name").fill("Roofs to look at")
    await dialog.getByRole("button", { name: "Make the list" }).click()
    await page.getByRole("heading", { name: "Roofs to look at" }).waitFor()
    await page.getByText("Nothing is on it yet.").waitFor()
    const address = page.url()

    await page.goto("/?countyFips=53903&researchState=locked&minContactCount=2")
    await page.getByRole("checkbox", { name: /^Choose / }).nth(1).check()
    await page.getByRole("checkbox", { name: /^Choose / }).nth(2).check()
    await page.getByRole("button", { name: "Add to list" }).click()
    await dialog.getByRole("combobox").selectOption({ label: "Roofs to look at (0)" })
    await dialog.getByRole("button", { name: "Add 2" }).click()
    await page.getByText("2 added to the list, 0 were on it.").waitFor()

    await page.goto(address)
    await page.getByRole("button", { name: "Rename" }).click()
    await dialog.getByLabel("Name").fill("Worth a visit (DEMO)")
    await dialog.getByRole("button", { name: "Rename" }).click()
    await page.getByRole("heading", { name: "Worth a visit (DEMO)" }).waitFor()
    await page.getByRole("button", { name: "Share" }).click()
    await dialog.getByLabel("All of the team").check()
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByText("There is one of that name already.").waitFor()
    await dialog.getByLabel("Some of the team").check()
    await dialog.getByRole("button", { name: "Save" }).click()
    await page.getByText("seen by its owner and some of the team").waitFor()

    const before = await balance(page)
    await page.getByRole("checkbox", { name: "Choose all that are shown" }).check()
    await looksRight(page)
    await page.getByRole("button", { name: "Unlock…" }).click()
    await dialog.getByText(`Balance ${before.toLocaleString("en-US")}`).waitFor()
    await dialog.getByRole("button", { name: "Unlock 2 for 20 credits" }).click()
    await page.getByText(/^2 unlocked, 20 credits charged\. Receipts #\d+, #\d+\.$/).waitFor()
    assert.strictEqual(await balance(page), before - 20)
    await page.getByRole("button", { name: "Unlock…" }).click()
    await dialog.getByText("There is nothing to be unlocked.").waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    await page.getByRole("button", { name: "Clear (Esc)" }).click()
    await page.getByRole("checkbox", { name: /^Choose / }).nth(1).check()
    await page.getByRole("button", { name: "Take off the list" }).click()
    await page.getByText("1 entry · 1 taken off the list.").waitFor()
    await page.getByRole("button", { name: "Delete the list" }).click()
    await page.getByText("It is gone for everybody").waitFor()
    await page.getByRole("button", { name: "Delete the list" }).click()
    await page.getByRole("table", { name: "Lists" }).waitFor()
    assert.strictEqual(await page.getByText("Worth a visit (DEMO)", { exact: true }).count(), 0)
    await page.goto(address)
    await page.getByText("There is no such list.").waitFor()
  })

  it("hold people too, who are chosen where they are found", async () => {
    const page = await app.signedIn("/people?revealedState=locked")
    const all = page.getByRole("checkbox", { name: "Choose all that are shown" })
    await all.check()
    await page.getByText("50 chosen").waitFor()
    await all.uncheck()
    await page.getByRole("checkbox", { name: /^Choose / }).nth(1).check()
    const chosen = page.getByRole("region", { name: "Chosen people" })
    await chosen.getByRole("button", { name: "Reveal…" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Reveal 1 for 5 credits" }).click()
    await chosen.getByText(/^1 revealed, 5 credits charged\. Receipt #\d+\.$/).waitFor()
    await chosen.getByRole("button", { name: "Add to list" }).click()
    await page.getByLabel("Name of the new list").fill("People to call")
    await page.getByRole("button", { name: "Add 1" }).click()
    await chosen.getByText("1 added to the list, 0 were on it.").waitFor()
    await chosen.getByRole("link", { name: "Open the list" }).click()
    await page.getByRole("heading", { name: "People to call" }).waitFor()
    await page.getByRole("table", { name: "What is on the list" }).getByText("open").waitFor()
  })
})

describe("a week of calls", () => {
  it("is a task about each property that is chosen, once each, though one of them was refused at first", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=locked", { expected: /status of 503/ })
    for (const nth of [1, 2, 3]) await page.getByRole("checkbox", { name: /^Choose / }).nth(nth).check()
    await page.getByRole("button", { name: "Add tasks…" }).click()
    const dialog = page.getByRole("dialog", { name: "Add a task about each of 3" })
    await looksRight(page)
    await dialog.getByLabel("What is to be done").fill("Call the manager (test)")
    await dialog.getByLabel("Due").fill("2026-01-31")
    let asked = 0
    await page.route("**/console/app_add_task", (route) =>
      ++asked === 2
        ? route.fulfill({ status: 503, json: { refusal: { code: "TEMPORARILY_UNAVAILABLE", message: "Busy." } } })
        : route.continue())
    await dialog.getByRole("button", { name: "Save 3 tasks" }).click()
    await dialog.getByText("1 of 3 was added.").waitFor()
    await dialog.getByRole("button", { name: "Save 3 tasks" }).click()
    const chosen = page.getByRole("region", { name: "Chosen properties" })
    await chosen.getByText("3 tasks were added.").waitFor()
    await looksRight(page)
    await chosen.getByRole("link", { name: "Tasks" }).click()
    await page.getByRole("table", { name: "Tasks" }).waitFor()
    const written = page.getByRole("row").filter({ hasText: "Call the manager (test)" })
    assert.strictEqual(await written.count(), 3)
    const about = await written.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href")))
    assert.lengthOf(new Set(about), 3)

    await app.visit(page, "/properties/53901-DEMO00002")
    const call = page.getByRole("link", { name: /^[\d-]{12}/ }).first()
    assert.match(await call.getAttribute("href") ?? "", /^tel:\d{10}(,\d+)?$/)
    const write = page.getByRole("link", { name: /@.*\.example$/ }).first()
    assert.strictEqual(await write.getAttribute("href"), `mailto:${await write.textContent()}`)
  })
})

describe("research", () => {
  it("of many tells its price first, and is followed to its end with what it gave back", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=none")
    await page.getByRole("checkbox", { name: /^Choose / }).nth(1).check()
    await page.getByRole("checkbox", { name: /^Choose / }).nth(2).check()
    await page.getByRole("button", { name: "Research…" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Research 2 for 20 credits" }).click()
    const told = page.getByText(/^Research of 2 properties began for 20 credits\. Receipts #\d+, #\d+\. Follow it$/)
    const receipts = (await told.textContent() ?? "").match(/#\d+/g) ?? []
    await told.getByRole("link", { name: "Follow it" }).click()
    await page.getByText("Ended").waitFor()
    for (const receipt of receipts) await page.getByRole("link", { name: receipt, exact: true }).waitFor()
    await page.getByRole("link", { name: "All research" }).click()
    const run = page.getByRole("row").filter({ hasText: "Research of a property" }).first()
    await run.getByText("and 1 more").waitFor()
    await run.getByRole("link", { name: "All 2" }).click()
    await page.getByText("20 credits").first().waitFor()
  })

  it("in depth is shown again for nothing, and a draft is copied from it", async () => {
    const page = await app.signedIn("/research?kind=draft_email")
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page.getByRole("row").nth(1).waitFor()
    assert.strictEqual(await page.getByRole("row").count(), 2)
    await page.goto(`/people/${await personOf(page)}`)
    await page.getByRole("button", { name: "Show it, free since it was done before" }).click()
    await page.getByRole("heading", { name: "Draft an email" }).waitFor()
    const before = await balance(page)
    await page.getByLabel("What you offer or ask for").fill("a look at the roof (test)")
    await page.getByLabel("Tone").selectOption("direct")
    await page.getByRole("button", { name: "Draft an email for 5 credits" }).click()
    await page.getByText(/^Drafted\. 5 credits charged, balance [\d,]+\./).waitFor()
    await page.getByRole("button", { name: "Copy the text" }).click()
    await page.getByText("The text was copied.").waitFor()
    assert.include(await page.evaluate(() => navigator.clipboard.readText()), "a look at the roof (test)")
    await page.getByText(`${(before - 5).toLocaleString("en-US")} credits`, { exact: true }).waitFor()
    await looksRight(page)
  })

  it("is drafted from once for one intention, by the button that names the price alone", async () => {
    const page = await app.signedIn("/research?kind=draft_email")
    await page.goto(`/people/${await personOf(page)}`)
    await page.getByRole("button", { name: "Show it, free since it was done before" }).click()
    let asked = 0
    await page.route("**/console/service_draft_email", async (route) => {
      asked += 1
      await route.continue()
    })
    const before = await balance(page)
    const left = (credits: number) =>
      page.getByText(`${(before - credits).toLocaleString("en-US")} credits`, { exact: true }).waitFor()
    const button = page.getByRole("button", { name: "Draft an email for 5 credits" })
    const receipts = page.getByText(/^Drafted\. 5 credits charged/)
    const press = async (clickCount: number) => {
      await button.scrollIntoViewIfNeeded()
      const box = await button.boundingBox() ?? assert.fail("there is no button")
      await page.mouse.move(box.x + 20, box.y + 10)
      await page.mouse.down({ clickCount })
      await page.mouse.up({ clickCount })
    }

    await page.getByLabel("What you offer or ask for").fill("one intention (test)")
    for (let times = 0; times < 3; times++) await page.keyboard.press("Enter")
    await press(1)
    await receipts.waitFor()
    // The second click of a double click comes when the first has been answered already.
    await press(2)
    // So does a key that is held down.
    await button.focus()
    for (let times = 0; times < 3; times++) await page.keyboard.down("Enter")
    await receipts.nth(1).waitFor()
    for (let times = 0; times < 3; times++) await page.keyboard.down("Enter")
    await page.keyboard.up("Enter")
    await left(10)
    assert.strictEqual(await receipts.count(), 2)

    await press(1)
    await receipts.nth(2).waitFor()
    await left(15)
    assert.strictEqual(asked, 3)
  })
})

describe("people", () => {
  it("who are open are listed by their names, and each filter is a step to go back", async () => {
    const page = await app.signedIn("/people")
    await page.getByRole("combobox", { name: "Opened" }).selectOption("revealed")
    const row = page.getByRole("table", { name: "People" }).getByRole("row").nth(1)
    await row.getByText("yes", { exact: true }).waitFor()
    const link = row.getByRole("link").first()
    const title = await row.locator("small").textContent()
    const name = await link.textContent() ?? ""
    assert.notStrictEqual(name, title)
    await link.click()
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor()
    await page.goBack()
    await row.waitFor()
    await page.goBack()
    await page.waitForURL(/\/people$/)
  })
})

describe("a person", () => {
  it("who asked not to be reached in some way is shown with that wish", async () => {
    const page = await app.signedIn("/research?kind=draft_email")
    await page.route("**/console/service_get_contact", async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      const asked = { phone: "206-555-0101", phoneExtension: "77", doNotContact: { email: true, phone: true } }
      await route.fulfill({ response, json: { ...rest, data: { ...data, ...asked } } })
    })
    await page.goto(`/people/${await personOf(page)}`)
    const reach = page.getByRole("region", { name: "Person", exact: true })
    await reach.getByText(/^\S+@\S+: do not email$/).waitFor()
    await reach.getByText(/^206-555-0101 ext\. 77.*: do not call$/).waitFor()
  })
})

describe("saved searches", () => {
  it("are opened as they were, counted, renamed and deleted", async () => {
    const page = await app.signedIn(
      "/?countyFips=53903&categories=Office&minBuildingSqft=50000&sortBy=city&sortOrder=desc"
    )
    const table = page.getByRole("table", { name: "Properties found" })
    await table.waitFor()
    const found = await page.getByText(/^[\d,]+ properties$/).textContent() ?? ""
    const asked = sorted(page)
    await page.getByRole("button", { name: "Save search" }).click()
    await page.getByLabel("Name", { exact: true }).fill("Large offices")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByText("Saved as “Large offices”.").waitFor()
    await page.getByRole("link", { name: "Saved searches" }).first().click()
    const row = page.getByRole("row").filter({ hasText: "Large offices" })
    await row.getByText("≥ 50,000 sqft").waitFor()
    await row.getByRole("button", { name: /^Count/ }).click()
    await row.getByText(found, { exact: true }).waitFor()
    await row.getByRole("button", { name: /^Rename/ }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("Largest offices")
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click()
    await page.getByRole("link", { name: "Largest offices" }).click()
    await table.waitFor()
    assert.deepStrictEqual(sorted(page), asked)
    await page.goBack()
    const renamed = page.getByRole("row").filter({ hasText: "Largest offices" })
    await renamed.getByRole("button", { name: "Delete" }).click()
    await renamed.getByRole("button", { name: "Delete" }).click()
    await renamed.waitFor({ state: "detached" })
  })
})

describe("changes and notes", () => {
  it("are filtered, say where each stands, and lead to what they are about, where notes are kept", async () => {
    const page = await app.signedIn("/changes")
    const rows = page.getByRole("table", { name: "Changes" }).getByRole("row")
    await rows.filter({ hasText: "lead" }).first().waitFor()
    await page.getByLabel("Kind").selectOption("The manager changed")
    await page.waitForURL(/kind=manager_change/)
    await rows.filter({ hasText: "The owner of record changed" }).first().waitFor({ state: "detached" })
    await page.getByLabel("When").selectOption("Ever")
    await page.waitForURL(/days=3650/)
    await rows.nth(1).getByRole("link").click()

    const notes = page.getByRole("region", { name: "Notes" })
    await notes.getByLabel("New note").fill("The roof is old (test)")
    await notes.getByRole("button", { name: "Add note" }).click()
    const note = notes.getByRole("listitem").first()
    await note.getByText("The roof is old (test)").waitFor()
    await note.getByRole("button", { name: "Edit" }).click()
    await note.getByLabel("The note").fill("The roof is new (test)")
    await note.getByRole("button", { name: "Save" }).click()
    await note.getByText("The roof is new (test)").waitFor()

    await page.getByRole("link", { name: "Pipeline" }).click()
    await page.getByRole("button", { name: /^History and owner of/ }).first().waitFor()
    for (const lead of await page.getByRole("button", { name: /^History and owner of/ }).all()) {
      await lead.click()
      const dialog = page.getByRole("dialog")
      await dialog.getByRole("region", { name: "Notes" }).getByLabel("New note").waitFor()
      await dialog.getByRole("listitem").first().waitFor()
      const theirs = dialog.getByRole("listitem").filter({ hasText: "The roof is new (test)" })
      if (await theirs.count() > 0) {
        await looksRight(page)
        await theirs.getByRole("button", { name: "Delete" }).click()
        await theirs.getByRole("button", { name: "Delete" }).click()
        await theirs.waitFor({ state: "detached" })
        return
      }
      await dialog.getByRole("button", { name: "Close" }).click()
    }
    assert.fail("no lead has the note")
  })
})

describe("usage, receipts and requests", () => {
  it("a receipt leads to its line of the ledger, and the levels of limits say what is left", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=locked")
    await page.getByRole("table").getByRole("link").first().click()
    await page.getByRole("button", { name: /^Unlock .+ for 10 credits$/ }).click()
    const told = page.getByText(/^Unlocked\. 10 credits charged, balance [\d,]+\. Receipt #\d+\.$/)
    const [, left, number] = /balance ([\d,]+)\. Receipt (#\d+)/.exec(await told.textContent() ?? "") ?? []
    await page.getByRole("link", { name: number ?? "", exact: true }).click()
    const line = page.locator("tr[aria-current]")
    await line.getByRole("rowheader", { name: number ?? "", exact: true }).waitFor()
    assert.deepStrictEqual(await line.getByRole("cell").allTextContents().then((cells) => cells.slice(-2)), [
      "-10",
      left
    ])

    await page.goto("/usage")
    await page.getByRole("table", { name: "Daily limits" }).waitFor()
    await page.getByRole("region", { name: "Requests of keys and assistants" }).getByText("of 50,000").waitFor()
    await page.getByRole("region", { name: "Records allowance" }).waitFor()
    await page.getByRole("table", { name: "What members spent this month" }).getByText("Ada Sampleton").waitFor()
  })

  it("usage says what each number counts, and tells no number of what is not counted", async () => {
    const page = await app.signedIn("/tasks")
    const told = async (change: (organization: OrganizationUsage) => Partial<OrganizationUsage>) => {
      await page.route("**/console/app_get_usage", async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        const organization = { ...body.data.organization, ...change(body.data.organization) }
        await route.fulfill({ response, json: { ...body, data: { ...body.data, organization } } })
      })
      await page.goto("/usage")
      await page.getByRole("region", { name: "Records allowance" }).waitFor()
      await page.unroute("**/console/app_get_usage")
      return (await page.locator("main").innerText()).replaceAll(/\s+/g, " ")
    }
    // Nothing is counted where there is no ceiling.
    const free = await told(({ records, requests }) => ({
      requests: { ...requests, per_day: null, used_today: 0 },
      records: { ...records, records_allowance: null, initial_load: null }
    }))
    assert.include(free, "All of them today not counted: there is no daily ceiling")
    assert.notInclude(free, "The day ends")
    assert.match(
      free,
      /Records allowance No records allowance is in force: records are not counted by the period\. Daily limits/
    )
    const limited = await told(({ records }) => ({
      records: {
        ...records,
        records_allowance: {
          value: 100,
          used: 3,
          remaining: 97,
          by_kind: { property: 5, contact: 1, organization: 1 }
        },
        initial_load: { value: 10, used: 4, remaining: 6, expires_at: null },
        overage: { ...records.overage, enabled: false }
      }
    }))
    assert.include(limited, "Taken in this period 3 of 100 without those of the first load")
    assert.include(limited, "By kind, with those of the first load Properties 5 People 1 Firms 1")
    assert.include(limited, "First load 4 of 10, 6 left")
    assert.match(limited, /The (month|contract’s period) ends/)
  })

  it("requests are made and listed as they stand", async () => {
    const page = await app.signedIn("/requests")
    await page.getByLabel("Subject").fill("A question (test)")
    await page.getByLabel("What is it about").fill("Made up.")
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByRole("row").filter({ hasText: "A question (test)" }).getByText("open").waitFor()
    await page.getByRole("button", { name: /^Thornwick \(demo\), WA: [\d,]+ properties$/ }).click()
    await page.getByRole("button", { name: "Ask for them" }).click()
    await page.getByRole("row").filter({ hasText: "Coverage" }).getByText("Ada Sampleton").waitFor()
    await page.getByRole("button", { name: /^Thornwick/ }).waitFor({ state: "detached" })
  })
})

describe("a double click", () => {
  it("makes one of what it is about", async () => {
    const page = await app.signedIn("/?countyFips=53903")
    /** How often it was asked for, when the first answer comes after the second click. */
    const askedBy = async (button: Locator, operation: string) => {
      const clicked = Promise.withResolvers<void>()
      let asked = 0
      await page.route(`**/console/${operation}`, async (route) => {
        asked += 1
        await clicked.promise
        await route.continue()
      })
      await button.dblclick()
      clicked.resolve()
      return () => asked
    }

    await page.getByRole("table").getByRole("link").first().click()
    const notes = page.getByRole("region", { name: "Notes" })
    await notes.getByLabel("New note").fill("Written once (test)")
    const ofNotes = await askedBy(notes.getByRole("button", { name: "Add note" }), "service_add_note")
    await notes.getByRole("listitem").filter({ hasText: "Written once (test)" }).first().waitFor()
    assert.strictEqual(ofNotes(), 1)

    await page.getByRole("button", { name: "Add a task" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("What is to be done").fill("Done once (test)")
    const ofTasks = await askedBy(dialog.getByRole("button", { name: "Save the task" }), "app_add_task")
    await page.getByText("The task was saved.").waitFor()
    assert.strictEqual(ofTasks(), 1)

    await page.goto("/requests")
    await page.getByLabel("Subject").fill("Asked once (test)")
    await page.getByLabel("What is it about").fill("Made up.")
    const ofRequests = await askedBy(page.getByRole("button", { name: "Send" }), "service_request_support")
    await page.getByText("It was sent.").waitFor()
    assert.strictEqual(ofRequests(), 1)

    await page.goto("/admin/keys")
    await page.getByLabel("Name, up to 120 characters").fill("Made once")
    await page.getByRole("region", { name: "New key" }).getByLabel("account:read").check()
    const ofKeys = await askedBy(page.getByRole("button", { name: "Make the key" }), "app_create_key")
    await page.getByText(/^fhk_/).waitFor()
    assert.strictEqual(ofKeys(), 1)
  })
})

describe("a refusal", () => {
  /** Has a form answered with each code in turn; what its page says then. */
  const toldOf = (page: Page, codes: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
    page.evaluate(async (codes) => {
      const real = window.fetch
      const seen = (wanted: boolean) =>
        new Promise<void>((resolve) => {
          const look = () => {
            if ((document.querySelector("[role=alert]") !== null) !== wanted) return
            observer.disconnect()
            resolve()
          }
          const observer = new MutationObserver(look)
          observer.observe(document.body, { childList: true, subtree: true })
          look()
        })
      const told: Array<string> = []
      const button = Array.from(document.querySelectorAll("button")).find(({ textContent }) => textContent === "Send")
      for (const code of codes) {
        const answer = Promise.withResolvers<Response>()
        window.fetch = (asked, ...how) =>
          String(asked).endsWith("/service_request_support") ? answer.promise : real(asked, ...how)
        button?.click()
        await seen(false)
        const refusal = { code, message: "In the server's own words.", retryAfterSeconds: 42 }
        answer.resolve(new Response(JSON.stringify({ refusal }), { status: 409 }))
        await seen(true)
        told.push(document.querySelector("[role=alert]")?.textContent ?? "")
      }
      return told
    }, codes)

  it("of every code has a sentence and a next step on the screen", async () => {
    const page = await app.signedIn("/requests")
    await page.getByLabel("Subject").fill("A question (test)")
    await page.getByLabel("What is it about").fill("Made up.")
    // Whoever is signed out, or sees as nobody else any more, is sent elsewhere.
    const codes = Object.entries(words).filter(([code]) => code !== "SIGN_IN_REQUIRED" && code !== "VIEW_ENDED")
    const told = await toldOf(page, [...codes.map(([code]) => code), "CODE_OF_A_NEWER_SERVER"])
    for (const [index, [code, each]] of codes.entries()) {
      const { nothing, sentence } = each
      const { next, way } = stepOf(each, true)
      assert.isAtLeast(sentence.length, 10, code)
      assert.isAtLeast(next.length, 10, code)
      assert.include(
        told[index],
        `${nothing === undefined ? sentence : `${sentence} ${nothing}`} ${next} It may be tried again in 42 seconds.`,
        code
      )
      assert.notInclude(told[index], code)
      if (way !== undefined) assert.include(told[index], way.label, code)
      // An admin asks no admin, but for whoever was one until now.
      if (code !== "ADMINS_ONLY" && code !== "ROLE_NOT_PERMITTED") {
        assert.notInclude(told[index], "Ask an admin of your organization", code)
      }
    }
    assert.include(told.at(-1), "In the server's own words. Try again in a moment.")
    assert.isAbove(codes.length, 70)
    await looksRight(page)
  })

  it("whose answer was lost leaves open whether it was charged, and shows what became of it", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=locked", { expected: /status of 502/ })
    await page.getByRole("table").getByRole("link").first().click()
    const unlock = page.getByRole("button", { name: /^Unlock .+ for 10 credits$/ })
    await unlock.waitFor()
    const before = await balance(page)
    await page.route("**/console/service_reveal_property", async (route) => {
      await route.fetch()
      await route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" })
    })
    await unlock.click()
    await page.getByText("No answer came: it is not known whether it was charged.").waitFor()
    await page.getByText("Open because you unlocked it.").waitFor()
    await page.getByText(`${(before - 10).toLocaleString("en-US")} credits`, { exact: true }).waitFor()
    assert.strictEqual(await page.getByText("Nothing was charged.").count(), 0)
    await looksRight(page)
  })

  it("that is a fault of the service says that nothing was charged", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=locked", { expected: /status of 500/ })
    await page.getByRole("table").getByRole("link").first().click()
    await page.route("**/console/service_reveal_property", (route) =>
      route.fulfill({
        status: 500,
        headers: { "service-request-id": "req_test" },
        json: { success: false, error: "Something went wrong on our side.", meta: { requestId: "req_test" } }
      }))
    await page.getByRole("button", { name: /^Unlock .+ for 10 credits$/ }).click()
    await page.getByText("Something went wrong on our side. Nothing was charged.").waitFor()
    await page.getByText("Tell whoever runs this service the request req_test.").waitFor()
  })

  it("of research that is under way leads to it; of a lost session to where one signs in", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=none")
    await page.getByRole("table").getByRole("link").first().click()
    const refused = (code: string) =>
      page.route(
        "**/console/service_research_property",
        (route) => route.fulfill({ status: 409, json: { refusal: { code, message: "Refused." } } })
      )
    await refused("ALREADY_RESEARCHING")
    await page.getByRole("button", { name: "Research for 10 credits" }).click()
    await page.getByText("It is being researched already. Nothing was charged.").waitFor()
    await page.getByRole("link", { name: "The runs under way" }).click()
    await page.getByRole("heading", { name: "Research", exact: true }).waitFor()
    await page.goBack()
    await refused("SIGN_IN_REQUIRED")
    await page.getByRole("button", { name: "Research for 10 credits" }).click()
    await page.waitForURL(/\/sign-in\?to=%2Fproperties/)
  })
})

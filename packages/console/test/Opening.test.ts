/** What opening people and properties says and costs, to whom it is offered, how many are opened at once, and where reading goes on afterwards. */
import type { Locator, Page } from "playwright-core"
import { assert, beforeAll, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"
import { ask } from "../testing/Ask.ts"
import { openLocked } from "../testing/LockedPeople.ts"

const app = useApp()

/** In a county that is not licensed; all of its people are at licensed properties too. */
const ofKnownPeople = "/properties/53903-DEMO00505"

const lockedOffices = "/?countyFips=53903&categories=Office&researchState=locked&minContactCount=2"

const reader = "reader@demo.example"

beforeAll(() => app.apply({ members: [{ email: reader, name: "Rea Reader", role: "read_only" }] }))

const balance = async (page: Page): Promise<string | null> => page.getByText(/^[\d,]+ credits$/).textContent()

/** The text of what has the focus, once something has it. */
const focused = async (page: Page): Promise<string> => {
  await page.waitForFunction(() => document.activeElement !== document.body)
  return page.evaluate(() => document.activeElement?.textContent ?? "")
}

describe("people", () => {
  it("who are open by another property of theirs are shown, and not offered for credits", async () => {
    const page = await app.signedIn(ofKnownPeople)
    const people = page.getByRole("region", { name: "People" })
    await page.getByText("The 6 people known here can be read without it.").waitFor()
    await page.getByRole("button", { name: "Unlock the research for 10 credits" }).waitFor()
    // Beside those to their numbers and addresses.
    const pages = people.locator("a[href^='/people/']")
    assert.strictEqual(await pages.count(), 6)
    assert.strictEqual(await people.getByRole("heading", { name: "Locked" }).count(), 0)
    assert.strictEqual(await people.getByText("Each: balance").count(), 0)
    assert.strictEqual(await page.getByRole("button", { name: /^Reveal/ }).count(), 0)
    const names = await pages.allTextContents()
    await pages.first().click()
    await page.getByRole("heading", { level: 1, name: names[0] ?? "" }).waitFor()
  })

  it("leave the locked ones when they are revealed, with the receipt at their place, from where reading goes on", async () => {
    const page = await app.signedIn(lockedOffices)
    await openLocked(app, page)
    const people = page.getByRole("region", { name: "People" })
    const locked = page.getByRole("button", { name: "Reveal for 5 credits" })
    const before = await locked.count()
    const known = await people.getByRole("listitem").count()
    await page.getByText(before === known ? `${known} people are known here` : `${before} of the ${known} people here`)
      .waitFor()
    await locked.first().focus()
    await page.keyboard.press("Enter")
    const receipt = people.getByRole("listitem").filter({ hasText: "Revealed. 5 credits charged" })
    await receipt.waitFor()
    await locked.nth(before - 1).waitFor({ state: "detached" })
    await app.rest(page)
    assert.match(await focused(page), /^Revealed\. 5 credits charged/)
    const name = await receipt.getByRole("link").first().textContent() ?? ""
    assert.deepStrictEqual(await app.accessibility(page), [])

    await page.reload()
    await people.getByRole("link", { name }).waitFor()
    assert.strictEqual(await locked.count(), before - 1)
    await page.getByText(
      `${before - 1} of the ${known} people here ${before === 2 ? "is" : "are"} locked: all of it opens together.`
    ).waitFor()
  })
})

describe("an unlock", () => {
  it("leaves the focus at its receipt", async () => {
    const page = await app.signedIn(lockedOffices)
    await page.getByRole("table").getByRole("link").last().click()
    await page.getByRole("button", { name: /^Unlock .+ for 10 credits$/ }).focus()
    await page.keyboard.press("Enter")
    await page.getByText("Open because you unlocked it.").waitFor()
    assert.match(await focused(page), /^Unlocked\. 10 credits charged/)
  })

  it("is seen in the search at once, by whoever goes back to it", async () => {
    const page = await app.signedIn(lockedOffices)
    const link = page.getByRole("table").getByRole("link").first()
    const name = await link.textContent() ?? ""
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) })
    await page.getByRole("row").filter({ hasText: "locked" }).first().waitFor()
    const rows = await row.count()
    await link.click()
    await page.getByRole("button", { name: /^Unlock .+ for 10 credits$/ }).click()
    await page.getByText("Open because you unlocked it.").waitFor()
    await page.goBack()
    await page.getByRole("table").waitFor()
    await app.rest(page)
    assert.strictEqual(await row.count(), rows - 1, "it is not locked any more")
  })

  it("has the changes of the property read anew, which kept its manager back", async () => {
    const page = await app.signedIn(lockedOffices)
    await page.getByRole("table").getByRole("link").first().click()
    const unlock = page.getByRole("button", { name: /^Unlock .+ for 10 credits$/ })
    await unlock.waitFor()
    await app.rest(page)
    const read = page.waitForRequest("**/console/service_get_changes")
    await unlock.click()
    await read
  })

  it("is the first of two ways, each of which says when it is right", async () => {
    const page = await app.signedIn(ofKnownPeople)
    const unlock = page.getByRole("button", { name: "Unlock the research for 10 credits" })
    const research = page.getByRole("button", { name: "Research for 10 credits", exact: true })
    await page.getByText("An unlock is right when you want to read at once what is known by now.").waitFor()
    await page.getByText("Right when what is known may be old").waitFor()
    const isPlain = (button: Locator) => button.evaluate((element) => element.classList.contains("plain"))
    assert.deepStrictEqual(await Promise.all([unlock, research].map(isPlain)), [false, true])
  })

  it("is not offered to whoever reads only, nor is keeping a search", async () => {
    const page = await app.signedIn(lockedOffices, { email: reader })
    await page.getByRole("link", { name: "Saved searches" }).waitFor()
    await page.getByRole("button", { name: "Share" }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Save search" }).count(), 0)
    const before = await balance(page)
    await page.getByRole("table").getByRole("link").first().click()
    await page.getByText("There is research on who owns and manages it").waitFor()
    await app.rest(page)
    assert.strictEqual(await page.getByRole("button", { name: /credits|Qualify|free/ }).count(), 0)
    assert.strictEqual(await page.getByText("Each: balance").count(), 0)
    assert.strictEqual(await balance(page), before)
  })
})

describe("several unlocks", () => {
  const reveal = "**/console/service_reveal_property"

  /** The dialog about the first of the locked properties that are shown. */
  const choose = async (page: Page, several: number) => {
    const boxes = page.getByRole("checkbox", { name: /^Choose (?!all)/ })
    for (let at = 0; at < several; at++) await boxes.nth(at).check()
    await page.getByRole("button", { name: "Unlock…" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: `Unlock ${several} for ${several * 10} credits` }).waitFor()
    return dialog
  }

  it("cannot be left while they go on, and are stopped after the one that is under way", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=locked")
    const dialog = await choose(page, 3)
    const answer = Promise.withResolvers<void>()
    await page.route(reveal, async (route) => {
      await answer.promise
      await route.continue()
    })
    const asked = page.waitForRequest(reveal)
    await dialog.getByRole("button", { name: /^Unlock 3/ }).click()
    await asked
    await dialog.getByRole("button", { name: "Close", disabled: true }).waitFor()
    await page.keyboard.press("Escape")
    await dialog.getByRole("button", { name: "Stop" }).click()
    await dialog.getByRole("button", { name: "Stopping after this one…" }).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    answer.resolve()
    await page.getByText("Stopped after 1 of 3. 1 unlocked, 10 credits charged.").waitFor()
    assert.strictEqual(await dialog.count(), 0)
  })

  it("of which one is closed by now are not said to be stopped when the others are done", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=locked")
    const dialog = await choose(page, 2)
    const refusal = { code: "NOT_RESEARCHED", message: "Nothing to unlock." }
    let refused: string | null = null
    await page.route(reveal, (route) => {
      if (refused !== null) return route.continue()
      refused = route.request().postDataJSON().id
      return route.fulfill({ status: 409, json: { refusal } })
    })
    await page.route("**/console/service_check_access", async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      const properties = data.properties.map((each: { readonly id: string }) =>
        each.id === refused ? { ...each, credits: null } : each
      )
      await route.fulfill({ response, json: { data: { ...data, properties } } })
    })
    await dialog.getByRole("button", { name: /^Unlock 2/ }).click()
    await dialog.getByRole("button", { name: "Unlock 1 for 10 credits" }).click()
    await page.getByText(/1 unlocked, 10 credits charged\./).waitFor()
    await app.rest(page)
    assert.strictEqual(await page.getByText(/Stopped after/).count(), 0)
  })

  it("are told to other tabs once, and a tab that nobody looks at asks when somebody does", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=locked")
    const other = await page.context().newPage()
    await app.visit(other, ofKnownPeople)
    await other.evaluate(() => {
      const heard: Array<string> = []
      new BroadcastChannel("freehold").addEventListener("message", ({ data }) => {
        heard.push(data.kind)
        document.documentElement.dataset["heard"] = heard.join()
      })
      Object.defineProperty(document, "visibilityState", { configurable: true, value: "hidden" })
    })
    const asked: Array<string> = []
    other.on("request", (request) => asked.push(request.url()))
    const dialog = await choose(page, 3)
    await dialog.getByRole("button", { name: /^Unlock 3/ }).click()
    await page.getByText("3 unlocked, 30 credits charged.").waitFor()
    // Whatever was told before it has come when this has.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
    await page.evaluate(() => new BroadcastChannel("freehold").postMessage({ kind: "operator", of: null }))
    await other.waitForFunction(() => document.documentElement.dataset["heard"]?.endsWith("operator"))
    assert.strictEqual(await other.evaluate(() => document.documentElement.dataset["heard"]), "spent,operator")
    assert.deepStrictEqual(asked, [])
    const read = other.waitForRequest("**/console/app_open_property")
    await other.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { configurable: true, value: "visible" })
      document.dispatchEvent(new Event("visibilitychange"))
    })
    await read
  })
})

describe("an approach", () => {
  /** To somebody who was researched deeply, of whom the service says what is given. */
  const approach = async (page: Page, given: object) => {
    const { runs: [run] } = await ask(page, "service_list_research_runs", { action: "deep_research_contact" })
    const price = "**/console/service_price_research"
    await page.unroute(price)
    await page.route(price, async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      const items = data.items.map((item: object) => ({ ...item, run_id: run.run_id, ...given }))
      await route.fulfill({ response, json: { data: { ...data, items } } })
    })
    await app.visit(page, `/people/${run.subject_ids[0]}`)
    return page.getByRole("region", { name: "How to approach them" })
  }

  it("that is refused says why, and follows the run that is under way", async () => {
    const page = await app.signedIn("/")
    for (
      const [refused, sentence] of [
        ["PROPERTY_UNLOCK_REQUIRED", "The property is locked."],
        ["OUT_OF_TERRITORY", "This is outside your territory."],
        ["DO_NOT_CONTACT", "This person must not be contacted that way."],
        ["A_NEWER_CODE", "It cannot be done: a newer code."]
      ]
    ) {
      const region = await approach(page, { refused, run_id: null })
      await region.getByText(sentence ?? "").waitFor()
      assert.strictEqual(await region.getByRole("button").count(), 0)
      assert.strictEqual(await region.getByRole("alert").count(), 0, "nobody asked for it")
    }
    const region = await approach(page, { refused: "ALREADY_RESEARCHING" })
    await region.getByRole("link", { name: "This research" }).waitFor()
    await region.getByRole("button", { name: /^Draft an email/ }).waitFor()
  })

  it("that wants a property open leads to that property", async () => {
    const page = await app.signedIn("/")
    const { results: [property] } = await ask(page, "service_search_properties", { query: "Imaginary" })
    const region = await approach(page, { refused: "PROPERTY_UNLOCK_REQUIRED", property_id: property.id })
    await region.getByRole("note").getByRole("link", { name: property.address }).click()
    await page.waitForURL(new RegExp(`/properties/${property.id}$`))
  })
})

/** What opening people and properties says and costs, to whom it is offered, and where reading goes on afterwards. */
import type { Page } from "playwright-core"
import { assert, beforeAll, describe, it } from "vitest"
import { runJson } from "../../cli/test/Freehold.ts"
import { useApp } from "../testing/AppFixture.ts"
import { openLocked } from "../testing/LockedPeople.ts"

const app = useApp()

/** In a county that is not licensed; all of its people are at licensed properties too. */
const ofKnownPeople = "/properties/53903-DEMO00505"

const lockedOffices = "/?countyFips=53903&categories=Office&researchState=locked&minContactCount=2"

const reader = "reader@demo.example"

beforeAll(async () => {
  const members = [{ email: reader, name: "Rea Reader", role: "read_only" }]
  await runJson(["apply", "-"], app.env(), JSON.stringify({ organizations: [{ org_id: "org_demo", members }] }))
})

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
    await page.getByText(`${before - 1} of the ${known} people here are locked: all of it opens together.`).waitFor()
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

/** A newcomer: from the link to an opened property, and out again. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"

const app = useApp()

/** The balance that the page shows. */
const creditsOf = async (page: Page): Promise<number> =>
  Number((await page.getByText(/^[\d,]+ credits$/).textContent())?.replace(/\D/g, ""))

describe("a first visit", () => {
  it("signs in by a link, finds a property, unlocks it once, and signs out", async () => {
    const page = await app.openPage({ map: true })
    const link = await app.linkOf()
    await page.goto(link)
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.getByRole("button", { name: "Sign in as Ada Sampleton" }).click()
    const table = page.getByRole("table", { name: "Properties found" })
    await table.waitFor()
    await page.locator("[data-ready=yes]").waitFor()

    await app.visit(page, "/?countyFips=53903&researchState=locked")
    await page.getByRole("button", { name: /^Office / }).click()
    await page.waitForURL(/categories=Office/)
    await table.getByRole("cell", { name: "Office" }).first().waitFor()
    await table.getByRole("link").first().click()
    const unlock = page.getByRole("button", { name: /^Unlock .+ for 10 credits$/ })
    await unlock.waitFor()
    const before = await creditsOf(page)
    await unlock.click()
    await page.getByText(/^Unlocked\. 10 credits charged/).waitFor()
    assert.strictEqual(await creditsOf(page), before - 10)
    assert.deepStrictEqual(await app.accessibility(page), [])

    await page.getByText("Ada Sampleton").click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByText("You are not signed in.").waitFor()
    await page.goto("/")
    await page.getByText("You are not signed in.").waitFor()

    await page.goto(link)
    await page.getByText(/^This sign-in link was used before/).waitFor()
    assert.strictEqual(await page.getByRole("button").count(), 0)
    await page.goto(await app.linkOf())
    await page.getByRole("button", { name: "Sign in as Ada Sampleton" }).waitFor()
  })

  it("keeps everybody out who is not signed in, and brings them back to where they were going", async () => {
    const page = await app.openPage()
    await page.goto("/properties/53903-DEMO00001")
    await page.getByText("You are not signed in.").waitFor()
    assert.strictEqual(new URL(page.url()).searchParams.get("to"), "/properties/53903-DEMO00001")
    assert.deepStrictEqual(await app.accessibility(page), [])
  })
})

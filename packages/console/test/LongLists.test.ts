/** Lists of more than one call of the service takes: read page by page, and done with as a whole. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"
import { ask } from "../testing/Ask.ts"

const app = useApp()

const pageSize = 200

/** A list of so many pages of properties; its address. */
const longList = async (page: Page, pages: number): Promise<string> => {
  const made = await ask(page, "service_create_list", { list_name: "Long", list_type: "properties" })
  for (let n = 0; n < pages; n++) {
    const found = await ask(page, "service_search_properties", {
      filters: { countyFips: ["53901", "53903"] },
      limit: pageSize,
      offset: n * pageSize
    })
    const item_ids = found.results.map(({ id }: { readonly id: string }) => id)
    await ask(page, "service_add_to_list", { list_id: made.list.id, item_ids })
  }
  return `/lists/${made.list.id}`
}

describe("a long list", () => {
  it("asks for the names of each page once, and all of it is added, priced and taken off together", async () => {
    const page = await app.signedIn()
    await app.visit(page, await longList(page, 3))
    const named: Array<number> = []
    page.on("request", (request) => {
      if (request.url().endsWith("/app_name_records")) named.push(request.postDataJSON().property_ids.length)
    })
    for (let shown = 200; shown <= 600; shown += 100) {
      await page.getByRole("button", { name: "Show more" }).click()
      await page.getByRole("row").nth(shown).waitFor()
      await app.rest(page)
    }
    assert.deepStrictEqual(named, [100, 100, 100, 100, 100])

    const dialog = page.getByRole("dialog")
    await page.getByRole("checkbox", { name: "Choose all that are shown" }).check()
    await page.getByRole("button", { name: "Add to list" }).click()
    await dialog.getByLabel("Name of the new list").fill("As long")
    await dialog.getByRole("button", { name: "Add 600" }).click()
    await page.getByText("600 added to the list, 0 were on it.").waitFor()
    await page.getByRole("button", { name: "Unlock…" }).click()
    await dialog.getByText("To be unlocked").waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    await page.getByRole("button", { name: "Take off the list" }).click()
    await page.getByText("0 entries · 600 taken off the list.").waitFor()
  })
})

describe("a long pipeline", () => {
  it("keeps the focus where more of it is shown, to its end", async () => {
    const page = await app.signedIn("/home")
    const { results } = await ask(page, "service_search_properties", {
      filters: { countyFips: ["53903"], pipelineStatus: ["none"] },
      limit: 110
    })
    for (const { id } of results) await ask(page, "service_qualify_lead", { property_id: id, deal_value: 5000 })
    await app.visit(page, "/pipeline")
    const column = page.getByRole("region", { name: "Qualified", exact: true })
    const more = column.getByRole("button", { name: /^Show more of / })
    await more.focus()
    await page.keyboard.press("Enter")
    await column.getByRole("listitem").nth(99).waitFor()
    await app.rest(page)
    assert.isTrue(await more.evaluate((button) => button === document.activeElement))
    await page.keyboard.press("Enter")
    await column.getByText("That is all.").waitFor()
    assert.isTrue(await column.getByText("That is all.").evaluate((end) => end === document.activeElement))
  })
})

describe("a page", () => {
  it("asks for what it shows as soon as its file is there", async () => {
    const page = await app.openPage()
    await page.clock.install()
    await app.signIn(page, "/home")
    // No timer ends from here on: whoever waited for one would wait for good.
    await page.clock.pauseAt(Date.now() + 60_000)
    const asked = page.waitForRequest("**/console/service_browse_organizations")
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Firms" }).click()
    await asked
  })
})

/** Where in the demonstration somebody is still to be revealed: many people are open by a licensed property of theirs. */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import type { App } from "./AppFixture.ts"

/** From the results of a search to the first property of which several people are locked. */
export const openLocked = async (app: App, page: Page): Promise<void> => {
  const links = page.getByRole("table", { name: "Properties found" }).getByRole("link")
  await links.first().waitFor()
  for (const path of await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""))) {
    await app.visit(page, path)
    if (await page.getByRole("button", { name: "Reveal for 5 credits" }).count() > 1) return
  }
  assert.fail("nobody is locked")
}

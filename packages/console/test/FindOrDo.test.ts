/** What Ctrl-K opens: it keeps every key from the first on, does what can be done everywhere, and finds whatever has a name. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"

const app = useApp()

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Find or do" })

const waysOf = (page: Page) => dialogOf(page).getByRole("list", { name: "Ways" }).getByRole("listitem")

describe("what is typed after Ctrl-K", () => {
  it("is kept from the first letter on, and done with Enter, though its file comes later", async () => {
    const page = await app.openPage()
    const file = Promise.withResolvers<void>()
    await page.route(/\/assets\/Command-.*\.js/, async (route) => {
      await file.promise
      await route.continue()
    })
    await app.signIn(page, "/home")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("sign out")
    await page.keyboard.press("Enter")
    assert.strictEqual(await dialogOf(page).getByRole("searchbox").inputValue(), "sign out")
    // What the dialog asks for meanwhile is refused, and says nothing of a session that had ended by itself.
    const gone = page.waitForResponse("**/console/sign-out")
    const refused = page.waitForResponse("**/console/app_list_organizations")
    await page.route("**/console/app_list_organizations", async (route) => {
      await gone
      await route.continue()
    })
    await page.route("**/sign-in?*", async (route) => {
      await refused
      await route.continue()
    })
    file.resolve()
    await page.getByText("You are not signed in.").waitFor()
    assert.notInclude(page.url(), "ended")
  })
})

describe("find or do", () => {
  it("signs out, at the second Enter too, and offers another organization to nobody who has one alone", async () => {
    const page = await app.signedIn("/home", { expected: /ERR_FAILED/ })
    await page.getByText("Ada Sampleton").click()
    await page.getByRole("link", { name: "My sessions" }).waitFor()
    await app.rest(page)
    assert.strictEqual(await page.getByRole("link", { name: "Change organization" }).count(), 0)
    await page.keyboard.press("Escape")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("organization")
    await app.rest(page)
    await waysOf(page).filter({ hasText: "Search for “organization”" }).waitFor()
    assert.strictEqual(await waysOf(page).filter({ hasText: "Change organization" }).count(), 0)
    await dialogOf(page).getByRole("searchbox").fill("sign out")
    await page.route("**/console/sign-out", (route) => route.abort(), { times: 1 })
    await page.keyboard.press("Enter")
    await dialogOf(page).getByRole("alert").getByText("The server cannot be reached.").waitFor()
    await page.keyboard.press("Enter")
    await page.getByText("You are not signed in.").waitFor()
  })

  it("finds a list by its name, and opens it before a search for the same words", async () => {
    const page = await app.signedIn("/home")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("worth a")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Worth a visit (demo)" }).waitFor()
  })

  it("opens the property of a key that is typed", async () => {
    const page = await app.signedIn("/home")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("53903-DEMO00001")
    await page.keyboard.press("Enter")
    await page.getByRole("main").getByText(/53903-DEMO00001$/).waitFor()
  })

  it("chooses somebody who was found, and not the search that finds no property of theirs", async () => {
    const page = await app.signedIn("/people")
    const employer = await page.getByRole("table").getByRole("row").nth(1).getByRole("cell").nth(3).textContent() ?? ""
    await page.keyboard.press("Control+k")
    await page.keyboard.type(employer)
    await waysOf(page).filter({ hasText: /Person|Firm/ }).first().waitFor()
    await app.rest(page)
    assert.match(await waysOf(page).first().textContent() ?? "", /Property|Person|Firm/)
    assert.match(await waysOf(page).last().textContent() ?? "", /^Search for /)
    assert.deepStrictEqual(await app.accessibility(page), [])
  })

  it("has its field where it was, however much is found", async () => {
    const page = await app.signedIn("/home")
    await page.keyboard.press("Control+k")
    const field = dialogOf(page).getByRole("searchbox")
    await waysOf(page).first().waitFor()
    const top = (await field.boundingBox())?.y ?? Number.NaN
    await page.keyboard.type("sign out")
    await waysOf(page).filter({ hasText: "Sign out Action" }).waitFor()
    assert.approximately((await field.boundingBox())?.y ?? 0, top, 1)
  })
})

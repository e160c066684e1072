/** What somebody typed and did not send: it outlives a session, and nobody else reads it. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"

const app = useApp()

const aProperty = "/properties/53903-DEMO00100"

/** The session of the page ends, as the next request learns. */
const endSession = (page: Page) => page.context().clearCookies()

describe("a note that is being written", () => {
  it("is there again after a session, a reload and a look at another page, and is gone once it was added", async () => {
    const page = await app.signedIn(aProperty)
    const note = page.getByLabel("New note")
    await note.fill("They will move in the spring.")
    await endSession(page)
    await page.getByRole("button", { name: "Add note" }).click()
    await page.getByText("Your session has ended.").waitFor()
    await app.signIn(page, aProperty)
    assert.strictEqual(await note.inputValue(), "They will move in the spring.")

    await page.reload()
    await page.getByRole("link", { name: "Tasks", exact: true }).click()
    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor()
    await page.goBack()
    await note.waitFor()
    assert.strictEqual(await note.inputValue(), "They will move in the spring.")

    await page.getByRole("button", { name: "Add note" }).click()
    await page.getByRole("listitem").getByText("They will move in the spring.").waitFor()
    assert.strictEqual(await note.inputValue(), "")

    await page.getByRole("button", { name: "Edit", exact: true }).first().click()
    await page.getByLabel("The note").fill("They will move in the summer.")
    await endSession(page)
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Your session has ended.").waitFor()
    await app.signIn(page, aProperty)
    assert.strictEqual(await page.getByLabel("The note").inputValue(), "They will move in the summer.")
    await page.getByRole("button", { name: "Leave it as it was" }).click()
    await app.visit(page, aProperty)
    await page.getByRole("listitem").getByText("They will move in the spring.").waitFor()
    assert.strictEqual(await page.getByLabel("The note").count(), 0)
  })

  it("stays with what is typed while the one before is on its way", async () => {
    const page = await app.signedIn(aProperty)
    const note = page.getByLabel("New note")
    const sent = Promise.withResolvers<void>()
    await page.route("**/console/service_add_note", async (route) => {
      await sent.promise
      await route.continue()
    })
    await note.fill("First.")
    await page.getByRole("button", { name: "Add note" }).click()
    await note.fill("Second, before the first has arrived.")
    sent.resolve()
    await page.getByRole("listitem").getByText("First.", { exact: true }).waitFor()
    assert.strictEqual(await note.inputValue(), "Second, before the first has arrived.")
  })

  it("is forgotten when its writer signs out, here or in another tab", async () => {
    const page = await app.signedIn(aProperty)
    const note = page.getByLabel("New note")
    await note.fill("Between us.")
    const other = await page.context().newPage()
    await other.goto("/home")
    await other.getByRole("button", { name: "Ada Sampleton" }).click()
    await other.getByRole("button", { name: "Sign out" }).click()
    await page.getByText("Your session has ended.").waitFor()
    await app.signIn(page, aProperty)
    assert.strictEqual(await note.inputValue(), "")
  })
})

describe("a task that is being written", () => {
  it("is there again when its dialog is opened after a session, and is forgotten with the dialog", async () => {
    const page = await app.signedIn(aProperty)
    const open = () => page.getByRole("button", { name: "Add a task" }).click()
    const title = page.getByLabel("What is to be done")
    await open()
    await title.fill("Ask about the roof")
    await endSession(page)
    await page.getByRole("button", { name: "Save the task" }).click()
    await page.getByText("Your session has ended.").waitFor()
    await app.signIn(page, aProperty)
    await open()
    assert.strictEqual(await title.inputValue(), "Ask about the roof")
    await page.keyboard.press("Escape")
    await open()
    assert.strictEqual(await title.inputValue(), "")
  })
})

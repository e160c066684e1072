/** What pages show when what they ask for cannot be read, and that it can be asked for again. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"

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

/** Where a day begins: what changed is named and led to, and nothing is said of leads that nobody has. */
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"

const app = useApp()

const newcomer = "new@demo.example"

describe("home", () => {
  it("names what each change is of, and leads to it", async () => {
    const page = await app.signedIn("/home")
    const changes = page.getByRole("region", { name: "Latest changes" }).getByRole("listitem")
    const count = await changes.count()
    assert.isAbove(count, 0)
    assert.strictEqual(await changes.getByRole("link").count(), count)
    const link = changes.filter({ hasText: /sale|owner of record/ }).first().getByRole("link")
    const name = await link.textContent() ?? ""
    assert.notInclude(["A sale was recorded", "The owner of record changed", "A property"], name)
    await link.click()
    await page.waitForURL(/\/properties\//)
    await page.getByText(name).first().waitFor()
  })

  it("leads to the person whom a change is of", async () => {
    const page = await app.openPage()
    await page.route("**/console/service_get_changes", async (route) => {
      const answer = await route.fetch()
      const { data } = await answer.json()
      const changes = data.changes.map((change: object) => ({
        ...change,
        kind: "contact_departure",
        subject: { type: "contact", id: "00000000-0000-4000-8000-000000000001" }
      }))
      await route.fulfill({ json: { data: { ...data, changes } } })
    })
    await app.signIn(page, "/home")
    const link = page.getByRole("region", { name: "Latest changes" }).getByRole("link").first()
    assert.strictEqual(await link.getAttribute("href"), "/people/00000000-0000-4000-8000-000000000001")
  })

  it("says nothing of changes to whom none are told", async () => {
    await app.apply({ features: { signals: false } })
    const page = await app.signedIn("/home")
    await page.getByRole("heading", { name: "Credits left" }).waitFor()
    assert.strictEqual(await page.getByRole("region", { name: "Latest changes" }).count(), 0)
    await app.apply({ features: { signals: true } })
  })

  it("tells leads that moved lately from none at all", async () => {
    await app.apply({ members: [{ email: newcomer, name: "Nell Newcomer" }] })
    const ofAda = await app.signedIn("/home")
    await ofAda.getByText("All of them moved lately.").waitFor()
    const page = await app.signedIn("/home", { email: newcomer })
    await page.getByText("No open lead is yours.").waitFor()
    assert.strictEqual(await page.getByText("All of them moved lately.").count(), 0)
  })
})

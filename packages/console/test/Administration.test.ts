/** An organization's admin looks after keys, members, credits and settings, and reads what was changed. */
import { readFile } from "node:fs/promises"
import { buffer } from "node:stream/consumers"
import type { Locator, Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"

const app = useApp()

/** It stands within the window. */
const inSight = async (place: Locator): Promise<void> => {
  const box = await place.boundingBox()
  const height = place.page().viewportSize()?.height ?? 0
  assert.isAtLeast(box?.y ?? -1, 0)
  assert.isAtMost((box?.y ?? Infinity) + (box?.height ?? 0), height)
}

describe("administration", () => {
  it("makes a key whose secret is shown once and whose scopes are chosen by hand, changes it, and revokes it", async () => {
    const page = await app.signedIn("/admin/keys", {
      expected: /status of 400/,
      permissions: ["clipboard-read", "clipboard-write"]
    })
    const form = page.getByRole("region", { name: "New key" })
    await form.getByLabel("Name, up to 120 characters").fill("Journey")
    assert.strictEqual(await form.getByRole("checkbox", { checked: true }).count(), 0)
    assert.strictEqual(await form.getByLabel("pipeline:transitions_full").count(), 0)
    // What is wrong is said at the end of a long form, and seen by whoever sent it from its beginning.
    await form.getByLabel("Name, up to 120 characters").press("Enter")
    await inSight(form.getByRole("alert"))
    await form.getByLabel("account:read").check()
    await form.getByRole("button", { name: "Make the key" }).click()
    const shown = form.getByText(/^fhk_[\w-]{43}$/)
    await inSight(shown)
    await page.locator("div:focus", { hasText: "is shown this once" }).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    const secret = (await shown.textContent()) ?? ""
    const account = () =>
      page.request.get(`${app.origin()}/v1/account`, { headers: { authorization: `Bearer ${secret}` } })
    assert.strictEqual((await account()).status(), 200)
    await form.getByRole("button", { name: "Copy it" }).click()
    await form.getByText("The secret was copied.").waitFor()
    assert.strictEqual(await page.evaluate(() => navigator.clipboard.readText()), secret)
    await form.getByRole("button", { name: "I have kept it" }).focus()
    await page.keyboard.press("Enter")
    await page.locator("h1:focus").waitFor()
    await shown.waitFor({ state: "detached" })
    await page.reload()
    const table = page.getByRole("table").filter({ hasText: "keys are active" })
    const row = table.getByRole("row").filter({ hasText: "Journey" })
    await row.getByText(/^\w{3} \d+, \d{4}, \d+:\d\d.[AP]M UTC$/).waitFor()
    assert.strictEqual(await page.getByText(secret).count(), 0)

    await row.getByRole("button", { name: "Change" }).click()
    const edit = page.getByRole("form", { name: /^Change Journey/ })
    await edit.getByLabel("Leads delivered").fill("3")
    await edit.getByRole("button", { name: "Save" }).click()
    await row.getByText("Leads delivered: 3 a day").waitFor()

    await row.getByRole("button", { name: "Revoke" }).click()
    await row.getByText("A program that uses it is refused at once, for good.").waitFor()
    await row.getByRole("button", { name: "Revoke" }).click()
    await row.getByText(/^Revoked/).waitFor()
    assert.strictEqual((await account()).status(), 401)
  })

  it("lets somebody in by a link, sees where they are signed in, signs them out, and removes them", async () => {
    const page = await app.signedIn("/admin/members")
    const form = page.getByRole("region", { name: "New member" })
    await form.getByLabel("Email address").fill("new@demo.example")
    await form.getByLabel("Name", { exact: true }).fill("Nora Newcomer")
    await form.getByLabel("Credits a month").fill("25")
    await form.getByLabel("Everything that the organization sees").uncheck()
    await form.getByLabel("Add a county").selectOption("Quillgate (demo), WA")
    await form.getByRole("button", { name: "Add", exact: true }).click()
    const row = page.getByRole("row").filter({ hasText: "Nora Newcomer" })
    await row.getByText("0 of 25").waitFor()
    await row.getByText("Quillgate (demo), WA").waitFor()
    assert.strictEqual(await form.getByLabel("Name", { exact: true }).inputValue(), "")
    // What is to be done next is at hand, and read from there on.
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith("Nora Newcomer is a member now."))
    await form.getByRole("button", { name: "Make a link" }).click()
    const link = (await form.getByText(/\/sign-in#/).textContent()) ?? ""
    assert.deepStrictEqual(await app.accessibility(page), [])

    const theirs = await app.openPage()
    await theirs.goto(link)
    await theirs.getByRole("button", { name: "Sign in as Nora Newcomer" }).click()
    await theirs.getByRole("link", { name: "Freehold" }).waitFor()
    assert.strictEqual(await theirs.getByRole("link", { name: "Administration" }).count(), 0)
    // A search begins in a county of the member's own, and no other is offered.
    await theirs.goto("/")
    await theirs.waitForURL(/\?countyFips=53903$/)
    await theirs.getByRole("table", { name: "Properties found" }).waitFor()
    await theirs.goto("/people")
    const counties = theirs.getByRole("combobox", { name: "County" }).getByRole("option")
    await counties.filter({ hasText: "Quillgate (demo), WA" }).waitFor({ state: "attached" })
    assert.deepStrictEqual(await counties.allTextContents(), ["Any", "Quillgate (demo), WA"])
    await theirs.goto("/admin/members")
    await theirs.getByText("Only admins can do this.").waitFor()

    await page.reload()
    await row.getByRole("button", { name: "Open Nora Newcomer" }).click()
    const about = page.getByRole("region", { name: "About Nora Newcomer" })
    await about.getByRole("button", { name: "Sign out everywhere" }).click()
    await about.getByText("Nowhere at the moment.").waitFor()
    await theirs.reload()
    await theirs.getByText("You are not signed in.").waitFor()

    await about.getByRole("button", { name: "Remove" }).click()
    await about.getByRole("button", { name: "Remove" }).click()
    await row.getByText("Removed").waitFor()
    await page.goto("/admin/log")
    const added = page.getByRole("row").filter({ hasText: "Member added" }).filter({ hasText: "Nora Newcomer" })
    await added.getByText("Territory: counties Quillgate (demo), WA").waitFor()
  })

  it("shows what is left, what was spent and each line of the ledger, and saves it as a file", async () => {
    const page = await app.signedIn("/admin/credits")
    const left = page.getByRole("heading", { name: /credits left$/ })
    const shown = await page.getByText(/^[\d,]+ credits$/).textContent()
    assert.strictEqual(await left.textContent(), `${shown} left`)
    await page.getByRole("img", { name: /^Credits spent a day/ }).waitFor()
    const ledger = page.getByRole("region", { name: "Table of the ledger" })
    await ledger.getByRole("row").nth(1).waitFor()
    await ledger.getByRole("link", { name: "Stefan Mockford" }).first().waitFor()
    await page.getByLabel("Kind").selectOption("grant")
    await ledger.getByRole("cell", { name: "Charge" }).first().waitFor({ state: "detached" })
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save these as CSV" }).click()
    ])
    const file = await buffer(await download.createReadStream())
    // Spreadsheets take letters with accents for others without it.
    assert.strictEqual(file.subarray(0, 3).toString("hex"), "efbbbf")
    const lines = file.subarray(3).toString().trim().split("\r\n")
    assert.match(lines[0] ?? "", /^entry,at,kind,action/)
    assert.isAtLeast(lines.length, 2)
    for (const line of lines.slice(1)) assert.match(line, /^\d+,[^,]+,grant,/)

    await app.visit(page, page.url())
    assert.strictEqual(await page.getByLabel("Kind").inputValue(), "grant")
    assert.strictEqual(await ledger.getByRole("cell", { name: "Charge" }).count(), 0)
  })

  it("adds an endpoint, tests it, rotates its secret, and disables and enables it", async () => {
    const page = await app.signedIn("/admin/webhooks")
    const form = page.getByRole("region", { name: "New endpoint" })
    await form.getByLabel("The owner of record changed").waitFor()
    assert.strictEqual(await form.getByLabel(/^Lead changed/).count(), 0, "it is sent to nobody")
    const receiver = page.getByRole("region", { name: "For whoever writes the receiver" })
    await receiver.getByText("A sample event").click()
    await receiver.getByLabel("Event").selectOption("signal.sale")
    await receiver.getByText("\"event_type\": \"signal.sale\"").waitFor()
    await receiver.getByText("Is it genuine?").click()
    const lines = await receiver.getByText("createHmac").last().textContent()
    assert.include(await readFile(new URL("../../../docs/webhooks.md", import.meta.url), "utf8"), lines ?? "nothing")
    await form.getByLabel("Address").fill("http://receiver.example/journey")
    await form.getByRole("button", { name: "Add" }).click()
    await form.getByText("Address: The URL must use https.").waitFor()
    await form.getByLabel("Address").fill("https://receiver.example/journey")
    await form.getByRole("button", { name: "Add" }).click()
    const first = await form.getByText(/^whsec_/).textContent()
    await page.getByRole("button", { name: "Open https://receiver.example/journey" }).click()
    const about = page.getByRole("region", { name: "About https://receiver.example/journey" })
    // A receiver that takes its time has the test meanwhile.
    await page.route("**/console/service_list_webhook_deliveries", async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      const deliveries = data.deliveries.map((each: object) => ({ ...each, state: "delivering" }))
      await route.fulfill({ response, json: { data: { ...data, deliveries } } })
    })
    await about.getByRole("button", { name: "Send a test" }).click()
    const deliveries = about.getByRole("region", { name: "Table of deliveries" })
    await deliveries.getByRole("rowheader", { name: "Test: Lead qualified" }).waitFor()
    await deliveries.getByRole("cell", { name: "Delivering" }).waitFor()
    await page.unroute("**/console/service_list_webhook_deliveries")
    await deliveries.getByRole("cell", { name: "Failed, tried again later" }).waitFor()
    await deliveries.getByRole("button", { name: "Attempts" }).click()
    await about.getByRole("button", { name: "Send once more" }).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])

    await about.getByRole("button", { name: "Rotate the secret" }).click()
    await about.getByRole("button", { name: "Rotate the secret" }).click()
    assert.notStrictEqual(await about.getByText(/^whsec_/).textContent(), first)
    await about.getByRole("button", { name: "Disable" }).click()
    await about.getByRole("button", { name: "Disable" }).click()
    await page.getByRole("cell", { name: "Disabled by an admin" }).waitFor()
    await about.getByRole("button", { name: "Enable" }).click()
    await page.getByRole("cell", { name: "Active", exact: true }).waitFor()
    assert.isTrue(await about.getByText("The test is on its way").isHidden())

    await about.getByRole("button", { name: "Remove" }).click()
    await about.getByText("For good: nothing is sent there any more").waitFor()
    await about.getByRole("button", { name: "Remove" }).click()
    await page.getByRole("cell", { name: "Removed", exact: true }).waitFor()
    assert.strictEqual(await about.getByRole("button", { name: /^(Enable|Remove)$/ }).count(), 0)
    await form.getByLabel("Address").fill("https://receiver.example/journey")
    await form.getByRole("button", { name: "Add" }).click()
    await form.getByText("It replaces the endpoint that had this address.").waitFor()
  })

  it("brings what opens below a table into sight, reads on there, and goes back to where it was opened", async () => {
    const page = await app.signedIn("/admin/members", { viewport: { width: 1280, height: 420 } })
    const opens = async (button: string, heading: string) => {
      await page.getByRole("button", { name: button }).first().focus()
      await page.keyboard.press("Enter")
      const opened = page.locator("h2:focus", { hasText: heading })
      await opened.waitFor()
      await inSight(opened)
    }
    await opens("Open Ada Sampleton", "Ada Sampleton")
    await page.getByRole("region", { name: "About Ada Sampleton" }).getByRole("button", { name: "Close" }).focus()
    await page.keyboard.press("Enter")
    await page.locator("button:focus", { hasText: "Open" }).waitFor()
    // Some browsers give no focus to a button that is clicked.
    const clicked = (button: Locator) => button.evaluate((element) => element instanceof HTMLElement && element.click())
    await page.locator("button:focus").evaluate((element) => element instanceof HTMLElement && element.blur())
    await clicked(page.getByRole("button", { name: "Open Ada Sampleton" }))
    await page.locator("h2:focus", { hasText: "Ada Sampleton" }).waitFor()
    await clicked(page.getByRole("region", { name: "About Ada Sampleton" }).getByRole("button", { name: "Close" }))
    await page.locator("h1:focus").waitFor()

    await app.visit(page, "/admin/keys")
    await opens("Change demonstration", "Change demonstration")
    // Saved, it closes too.
    await page.getByRole("form", { name: /^Change demonstration/ }).getByRole("button", { name: "Save" }).focus()
    await page.keyboard.press("Enter")
    await page.locator("button:focus", { hasText: "Change" }).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
  })

  it("opens a member as they are by now, and saves what was changed of them alone", async () => {
    const eve = { email: "eve@demo.example", name: "Eve Elsewhere", role: "member" }
    await app.apply({ members: [eve] })
    const page = await app.signedIn("/admin/members")
    const row = page.getByRole("row").filter({ hasText: eve.email })
    await row.getByRole("cell", { name: "Member", exact: true }).waitFor()
    await app.apply({ members: [{ ...eve, role: "read_only" }] })
    await row.getByRole("button", { name: "Open Eve Elsewhere" }).click()
    const about = page.getByRole("region", { name: /^About Eve/ })
    await about.getByText("Nowhere at the moment.").waitFor()
    assert.strictEqual(await about.getByLabel("Role").inputValue(), "read_only")

    const territory = { county_fips: ["53903"] }
    await app.apply({ members: [{ ...eve, role: "read_only", territory, monthly_credit_limit: 5 }] })
    await about.getByLabel("Name").fill("Eve Everywhere")
    await about.getByRole("button", { name: "Save" }).click()
    await row.getByText("Eve Everywhere").waitFor()
    await row.getByText("Quillgate (demo), WA").waitFor()
    await row.getByText("0 of 5").waitFor()
    await row.getByRole("cell", { name: "Reads only" }).waitFor()

    // What was saved is what the next change is one of.
    await app.apply({
      members: [{ ...eve, name: "Eve Anywhere", role: "read_only", territory, monthly_credit_limit: 5 }]
    })
    await about.getByLabel("Role").selectOption("Member")
    await about.getByRole("button", { name: "Save" }).click()
    await row.getByRole("cell", { name: "Member", exact: true }).waitFor()
    await row.getByText("Eve Anywhere").waitFor()
    await app.apply({ members: [{ ...eve, status: "removed" }] })
  })

  it("sets limits, switches and reasons, and reads in the log who did it", async () => {
    const page = await app.signedIn("/admin/settings")
    const limits = page.getByRole("region", { name: "Your own daily limits" })
    // What binds without one of its own is shown in its place.
    const moves = limits.getByLabel("Lead moves by keys and assistants")
    assert.match(await moves.getAttribute("placeholder") ?? "", /^\d+$/)
    await limits.getByLabel("Leads delivered").fill("12")
    await limits.getByRole("button", { name: "Save" }).click()
    await limits.getByText("Saved.").waitFor()
    const reasons = page.getByRole("region", { name: "Reasons for lost leads" })
    await reasons.getByLabel("Reason, as people read it").fill("No parking")
    await reasons.getByLabel("Code, which begins with org_").fill("org_no_parking")
    await reasons.getByRole("button", { name: "Save" }).click()
    await reasons.getByRole("rowheader", { name: "No parking" }).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.getByRole("link", { name: "Log" }).click()
    const row = page.getByRole("row").filter({ hasText: "Settings changed" }).last()
    await row.getByText("Ada Sampleton").waitFor()
    await row.getByText("Leads delivered 12").waitFor()
  })

  it("leaves what somebody else set of a key, an endpoint and the organization meanwhile", async () => {
    const page = await app.signedIn("/admin/settings")
    const other = await app.signedIn("/admin/settings")
    const save = async (of: Page, region: string, label: string, value: string | boolean) => {
      const form = of.getByRole("region", { name: region })
      const field = form.getByLabel(label)
      await (typeof value === "string" ? field.fill(value) : field.setChecked(value))
      await form.getByRole("button", { name: "Save" }).click()
      await form.getByText("Saved.").waitFor()
    }
    const [limits, switches] = ["Your own daily limits", "Keys and assistants"]
    await save(other, switches, "Keys and assistants may change the pipeline", false)
    await save(page, switches, "Every member may connect", false)
    await save(other, limits, "Leads delivered", "4")
    await save(page, limits, "Records taken", "900")

    const add = async (of: Page, reason: string) => {
      const form = of.getByRole("region", { name: "Reasons for lost leads" })
      await form.getByLabel("Reason, as people read it").fill(reason)
      await form.getByLabel("Code, which begins with org_").fill(`org_${reason.toLowerCase()}`)
      await form.getByRole("button", { name: "Save" }).click()
      await form.getByRole("rowheader", { name: reason }).waitFor()
    }
    await add(other, "Noise")
    await add(page, "Light")
    await other.getByRole("button", { name: "Delete Noise" }).click()
    await other.getByRole("rowheader", { name: "Noise" }).waitFor({ state: "detached" })
    await app.visit(page, "/admin/settings")
    await page.getByRole("rowheader", { name: "Light" }).waitFor()
    const shown = (label: string) => page.getByLabel(label)
    assert.isFalse(await shown("Keys and assistants may change the pipeline").isChecked())
    assert.isFalse(await shown("Every member may connect").isChecked())
    assert.strictEqual(await shown("Leads delivered").inputValue(), "4")
    assert.strictEqual(await shown("Records taken").inputValue(), "900")
    await save(page, switches, "Keys and assistants may change the pipeline", true)

    await Promise.all([page, other].map((each) => app.visit(each, "/admin/keys")))
    const edit = async (of: Page) => {
      await of.getByRole("button", { name: "Change demonstration" }).click()
      return of.getByRole("form", { name: /^Change demonstration/ })
    }
    const [mine, theirs] = [await edit(page), await edit(other)]
    await theirs.getByLabel("notes:read").uncheck()
    await theirs.getByLabel("People revealed").fill("7")
    await theirs.getByRole("button", { name: "Save" }).click()
    await theirs.waitFor({ state: "detached" })
    await mine.getByLabel("Leads delivered").fill("3")
    await mine.getByRole("button", { name: "Save" }).click()
    const key = page.getByRole("row").filter({ hasText: "demonstration" })
    await key.getByText("People revealed: 7 a day; Leads delivered: 3 a day").waitFor()
    assert.notInclude(await key.textContent() ?? "", "notes:read")

    await app.visit(page, "/admin/webhooks")
    const url = "https://receiver.example/together"
    await page.getByLabel("Address").fill(url)
    await page.getByRole("button", { name: "Add" }).click()
    await page.getByText(/^whsec_/).waitFor()
    await app.visit(other, "/admin/webhooks")
    const open = async (of: Page) => {
      await of.getByRole("button", { name: `Open ${url}` }).click()
      await of.getByText("Label and events").click()
      return of.getByRole("region", { name: `About ${url}` }).locator("form")
    }
    const [ours, others] = [await open(page), await open(other)]
    await others.getByLabel("A sale was recorded").check()
    await others.getByRole("button", { name: "Save" }).click()
    await others.getByText("Saved.").waitFor()
    await ours.getByLabel("Label").fill("Together")
    await ours.getByRole("button", { name: "Save" }).click()
    const endpoint = page.getByRole("row").filter({ hasText: url })
    await endpoint.getByText("Together").waitFor()
    await endpoint.getByText("A sale was recorded").waitFor()
  })
})

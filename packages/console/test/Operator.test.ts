/** The operator looks after organizations, records and the installation, and sees the app as a member. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import type { Download, Locator, Page } from "playwright-core"
import { afterAll, assert, describe, it } from "vitest"
import { demoKey } from "../../cli/test/DemonstrationDatabase.ts"
import { run, runJson } from "../../cli/test/Freehold.ts"
import { flawsInEveryMode } from "../testing/Accessibility.ts"
import { type PageOptions, useApp } from "../testing/AppFixture.ts"
import { operatorSecret } from "../testing/SignInSecret.ts"

/** A receiver of webhooks, which is away until it is mended. */
const receiver = { url: "", isMended: false, close: () => {} }

const app = useApp(async () => {
  const server = createServer((request, response) => {
    request.resume()
    if (receiver.isMended) response.writeHead(204).end()
    else response.writeHead(503).end("being mended")
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port")
  receiver.url = `http://127.0.0.1:${address.port}/journey`
  receiver.close = () => server.close()
  return { settings: { FREEHOLD_WEBHOOK_TARGETS: "any", FREEHOLD_WEBHOOK_RETRY_DELAYS: "100 millis" } }
})

afterAll(() => receiver.close())

const signedIn = async (path = "/operator", options: PageOptions = {}): Promise<Page> => {
  const page = await app.openPage(options)
  const answer = await page.context().request.post("/console/operator/sign-in", {
    headers: { origin: app.origin() },
    data: { link: await operatorSecret("Sam Sample", app.env()) }
  })
  assert.isTrue(answer.ok(), await answer.text())
  await app.visit(page, path)
  return page
}

/** The balance that a grant begins from, as its dialog says once it knows. */
const balanceOf = async (page: Page): Promise<number> => {
  await page.getByRole("button", { name: "Give credits" }).click()
  const told = page.getByRole("dialog").getByText(/^Balance of .*: [\d,]+, then/)
  const [, balance = ""] = /: ([\d,]+), then/.exec(await told.textContent() ?? "") ?? []
  await page.keyboard.press("Escape")
  return Number(balance.replaceAll(",", ""))
}

const contentOf = async (download: Download): Promise<string> => text(await download.createReadStream())

const looksRight = async (page: Page): Promise<void> => {
  await app.rest(page)
  assert.deepStrictEqual(await app.accessibility(page), [])
}

/** Fills the reason in, and does what the dialog or form says. */
const confirm = async (page: Page, within: ReturnType<Page["getByRole"]>, button: RegExp): Promise<void> => {
  const isDialog = await within.evaluate((element) => element instanceof HTMLDialogElement)
  await within.getByLabel("Reason, for the log").fill("a made-up reason")
  await within.getByRole("button", { name: button }).click()
  if (isDialog) await within.waitFor({ state: "detached" })
  await app.rest(page)
}

const organization = "/operator/organizations/org_demo"

/** Loads made-up rows by the command. */
const load = (kind: string, rows: ReadonlyArray<object>): Promise<unknown> =>
  runJson(["import", kind, "-"], app.env(), rows.map((row) => `${JSON.stringify(row)}\n`).join(""))

describe("the operator's area", () => {
  it("is entered by the link of the command, once, and left for good", async () => {
    const { stdout } = await run(["operator", "link", "--name", "Tess Sample"], app.env())
    const [link = ""] = /http\S+/.exec(stdout) ?? []
    const page = await app.openPage()
    await page.goto(`${app.origin()}${new URL(link).pathname}${new URL(link).hash}`)
    await page.getByRole("button", { name: "Sign in as Tess Sample" }).waitFor()
    await looksRight(page)
    await page.getByRole("button", { name: "Sign in as Tess Sample" }).click()
    await page.getByRole("heading", { name: "Organizations", exact: true }).waitFor()
    await page.getByText("Tess Sample").click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByText("freehold operator link").waitFor()
    await page.goto("/operator")
    await page.getByText("freehold operator link").waitFor()
  })

  it("finds an organization, makes others by a form and by a document, and shows the difference before", async () => {
    const page = await signedIn()
    await page.getByRole("searchbox", { name: "A part of the name or id" }).fill("no such")
    await page.getByText("None fits.").waitFor()
    await page.getByRole("searchbox", { name: "A part of the name or id" }).fill("DEMO")
    await page.getByRole("row").filter({ hasText: "org_demo" }).waitFor()
    await looksRight(page)
    // The filter stands in the address, and is there again for whoever comes back.
    await page.getByLabel("State").selectOption("Active")
    await page.getByRole("row").filter({ hasText: "org_demo" }).getByRole("link").click()
    await page.getByRole("heading", { name: "Members", exact: true }).waitFor()
    await page.goBack()
    await page.waitForURL(/\?q=DEMO&status=active$/)
    assert.strictEqual(await page.getByRole("searchbox", { name: "A part of the name or id" }).inputValue(), "DEMO")
    await page.getByRole("row").filter({ hasText: "org_demo" }).waitFor()
    const difference = page.getByRole("form", { name: "The difference" })
    const look = page.getByRole("button", { name: "Show the difference" })
    await page.getByLabel("Name", { exact: true }).fill("Form (made up)")
    await page.getByLabel("Id, which stays as it is").fill("org form")
    await page.getByLabel("Counties, by five digits").fill("53901, 53903")
    await page.getByLabel("First admin").fill("Frida Form")
    await page.getByLabel("Their email address").fill("frida@form.example")
    await look.click()
    await page.getByText(/^Id: it has to be 1 to 64 letters/).waitFor()
    await page.getByLabel("Id, which stays as it is").fill("org_form")
    await look.click()
    await difference.getByText("Serviceable area, counties: Larkmoor (demo), WA (53901), Quillgate (demo), WA (53903)")
      .waitFor()
    await difference.getByText(/^Member frida@form\.example: new: .*name Frida Form/).waitFor()
    await difference.getByText("As it is written").click()
    await difference.getByText("serviceable_area.county_fips: 53901 53903").waitFor()
    await difference.getByText("name: Form (made up)", { exact: true }).waitFor()
    await looksRight(page)
    await page.getByLabel("Counties, by five digits").fill("53901, 99999")
    await look.click()
    await difference.getByText("Warning: 99999 in the serviceable area, and in no state").waitFor()
    await page.getByLabel("Counties, by five digits").fill("53901, 53903")
    await page.getByLabel("Name", { exact: true }).fill("Form Company (made up)")
    await difference.waitFor({ state: "detached" })
    await look.click()
    await confirm(page, difference, /^Apply to org_form$/)
    assert.strictEqual(await page.getByLabel("Id, which stays as it is").inputValue(), "", "it was made")
    const link = page.getByText("freehold member link --org org_form --email frida@form.example")
    await link.waitFor()
    await looksRight(page)
    for (
      const [label, value] of [["Name", "Form"], ["First admin", "Frida Form"], ["Their email address", "f@f.example"]]
    ) {
      await page.getByLabel(label ?? "", { exact: true }).fill(value ?? "")
    }
    await page.getByLabel("Id, which stays as it is").fill("org_form")
    await look.click()
    await page.getByText("There is an organization org_form already.").waitFor()
    assert.strictEqual(await difference.count(), 0)
    await looksRight(page)
    await page.getByRole("status").getByRole("link", { name: "org_form" }).click()
    await page.getByRole("heading", { level: 1, name: "Form Company (made up)" }).waitFor()
    await page.getByText("There is nothing to spend.").waitFor()
    await page.getByRole("button", { name: "See as Frida Form" }).waitFor()
    await link.waitFor()
    await page.getByText("0 (none included)").waitFor()
    await looksRight(page)
    await page.getByRole("link", { name: "Log" }).click()
    const applied = page.getByRole("row").filter({ hasText: "org_form" }).filter({ hasText: "Organization applied" })
    await applied.getByText("Serviceable area, counties: Larkmoor (demo), WA (53901), Quillgate (demo), WA (53903)")
      .waitFor()
    await applied.getByText(/^Member frida@form\.example: new: .*name Frida Form/).waitFor()
    await applied.getByText("As it was written down").click()
    await applied.getByText(/"outcome": "created"/).waitFor()
    await looksRight(page)

    await app.visit(page, "/operator/organizations/org_nobody")
    await page.getByRole("heading", { level: 1, name: "There is no organization org_nobody" }).waitFor()
    await page.getByRole("link", { name: "All organizations" }).click()
    await page.getByText("By its document").click()
    const byDocument = page.getByRole("group")
    const document = byDocument.getByRole("textbox", { name: /^Document/ })
    const lookAtDocument = byDocument.getByRole("button", { name: "Show the difference" })
    await document.fill("{ org_id: 1 }")
    await lookAtDocument.click()
    await page.getByText(/^document: Expected JSON: .*position 2/).waitFor()
    await document.fill("{ \"org_id\": \"org_journey\", \"plam\": \"team\" }")
    await lookAtDocument.click()
    await page.getByText("plam: Unknown key").waitFor()
    const journey = { org_id: "org_journey", name: "Journey (made up)", keys: [{ name: "ci" }] }
    await document.fill(JSON.stringify({ organizations: [journey] }))
    await page.getByText("By its document").click()
    await document.waitFor({ state: "hidden" })
    await page.getByText("By its document").click()
    await lookAtDocument.click()
    await difference.getByText("It makes the organization.").waitFor()
    await difference.getByText("Name: Journey (made up)", { exact: true }).waitFor()
    await looksRight(page)
    await confirm(page, difference, /^Apply to org_journey$/)
    const secret = page.getByText(/^fhk_[\w-]{43}$/)
    await secret.waitFor()
    await page.getByText("By its document").click()
    await secret.waitFor({ state: "hidden" })
    await page.getByText("By its document").click()
    await document.fill("{}")
    await secret.waitFor()
    await looksRight(page)
    await page.getByRole("button", { name: "I have kept it" }).click()
    await secret.waitFor({ state: "detached" })
  })

  it("shows organizations page by page, and opens one, with the focus where reading goes on", async () => {
    const organizations = Array.from({ length: 60 }, (_, index) => ({ org_id: `org_many_${index}` }))
    await runJson(["apply", "-"], app.env(), JSON.stringify({ organizations }))
    const page = await signedIn()
    await page.getByRole("button", { name: "Show more" }).focus()
    await page.keyboard.press("Enter")
    await page.locator("p:focus", { hasText: "That is all." }).waitFor()
    await page.getByRole("link", { name: "org_many_9", exact: true }).click()
    await page.getByRole("heading", { name: "Members", exact: true }).waitFor()
    await page.locator("h1:focus", { hasText: "org_many_9" }).waitFor()
  })

  it("is used by whoever types, so that what is typed at length is not lost", async () => {
    const page = await signedIn()
    await page.clock.install()
    await page.clock.fastForward("05:00")
    const asked = page.waitForRequest("**/operator_get_session")
    await page.getByLabel("First admin").pressSequentially("F")
    await asked
  })

  it("says that a session has ended, and comes back to where it was; all tabs are left together", async () => {
    const page = await signedIn("/operator/matches")
    const link = async () => `/operator/sign-in#${await operatorSecret("Tess Sample", app.env())}`
    assert.strictEqual((await run(["operator", "sessions", "--revoke-all"], app.env())).code, 0)
    await page.getByLabel("State").selectOption("Rejected")
    await page.getByText("Your session has ended.").waitFor()
    await looksRight(page)
    await page.goto(await link())
    await page.getByRole("button", { name: "Sign in as Tess Sample" }).click()
    await page.getByRole("heading", { level: 1, name: "Matches" }).waitFor()
    await app.visit(page, "/operator/sign-in")
    await page.getByText("You are signed in as Tess Sample.").waitFor()
    await page.getByRole("link", { name: "Go on" }).click()
    await page.getByRole("heading", { level: 1, name: "Organizations" }).waitFor()

    const other = await page.context().newPage()
    await other.goto("/operator/health")
    await other.getByRole("heading", { level: 1, name: "Health" }).waitFor()
    await page.getByRole("button", { name: "Tess Sample" }).click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await other.getByText("Your session has ended.").waitFor()
    await page.goto(await link())
    await page.getByRole("button", { name: "Sign in as Tess Sample" }).click()
    await other.getByRole("heading", { level: 1, name: "Health" }).waitFor()
  })

  it("gives credits, gives a charge back, suspends and resumes, each with a reason that the log has", async () => {
    const page = await signedIn(organization)
    await page.getByRole("heading", { level: 1 }).waitFor()
    await looksRight(page)
    await page.getByRole("button", { name: "Give credits" }).click()
    const grant = page.getByRole("dialog", { name: "Give credits" })
    await grant.getByLabel("Credits", { exact: true }).fill("70")
    await grant.getByText(/, then /).waitFor()
    await grant.getByLabel("Reference, such as the invoice").fill("journey-1")
    await looksRight(page)
    await confirm(page, grant, /^Give 70 credits$/)
    const ledger = page.getByRole("region", { name: "Table of the ledger" })
    await ledger.getByRole("row").filter({ hasText: "journey-1" }).waitFor()
    await page.getByRole("button", { name: "Give credits" }).click()
    await grant.getByLabel("Reference, such as the invoice").fill("journey-1")
    await grant.getByLabel("Reason, for the log").fill("twice, by mistake")
    await grant.getByRole("button", { name: /^Give 100 credits$/ }).click()
    await grant.getByText("Nothing was given: credits were given for this reference before.").waitFor()
    await page.keyboard.press("Escape")
    await grant.waitFor({ state: "detached" })
    await page.locator("button:focus", { hasText: "Give credits" }).waitFor()

    // Given in another tab meanwhile; and what is under way is not left as if nothing were done.
    const grants = "**/console/operator/operator_grant_credits"
    const before = await balanceOf(page)
    const elsewhere = await page.context().request.post("/console/operator/operator_grant_credits", {
      headers: { origin: app.origin() },
      data: { org_id: "org_demo", amount: 5, bucket: "purchased", ref: "journey-2", reason: "elsewhere" }
    })
    assert.isTrue(elsewhere.ok())
    assert.strictEqual(await balanceOf(page), before + 5)
    const held = Promise.withResolvers<void>()
    await page.route(grants, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.getByRole("button", { name: "Give credits" }).click()
    await grant.getByLabel("Reference, such as the invoice").fill("journey-3")
    await grant.getByLabel("Reason, for the log").fill("a made-up reason")
    await grant.getByRole("button", { name: /^Give 100 credits$/ }).click()
    await grant.getByRole("button", { name: "Keep it as it is", disabled: true }).waitFor()
    await grant.getByRole("button", { name: "Close", disabled: true }).waitFor()
    for (let times = 0; times < 3; times++) await page.keyboard.press("Escape")
    assert.isTrue(await grant.isVisible())
    held.resolve()
    await grant.waitFor({ state: "detached" })
    await page.unroute(grants)

    const charge = ledger.getByRole("row").filter({ has: page.getByRole("button", { name: /^Give back entry \d+$/ }) })
      .first()
    const entry = await charge.getByRole("rowheader").textContent()
    await charge.getByRole("button", { name: `Give back entry ${entry}` }).click()
    await confirm(page, page.getByRole("dialog", { name: `Give back entry ${entry}` }), /credits back$/)
    await ledger.getByRole("row").filter({ has: page.getByRole("rowheader", { name: entry ?? "", exact: true }) })
      .getByText("Given back").waitFor()
    await page.locator("h1:focus").waitFor()

    const member = await app.signedIn("/home")
    await page.getByRole("button", { name: "Suspend" }).click()
    await confirm(page, page.getByRole("dialog", { name: "Suspend this organization" }), /^Suspend/)
    await page.getByRole("button", { name: "Resume" }).waitFor()
    await page.locator("h1:focus").waitFor()
    await member.reload()
    await member.getByText("The organization is suspended.").waitFor()
    assert.strictEqual(await page.getByRole("button", { name: /^See as/ }).count(), 0, "where its members see nothing")
    const document = page.getByRole("textbox", { name: /^Document/ })
    assert.include(await document.inputValue(), "\"status\": \"suspended\"")
    await page.getByRole("button", { name: "Resume" }).click()
    await confirm(page, page.getByRole("dialog", { name: "Resume this organization" }), /^Resume/)
    await page.getByRole("button", { name: "Suspend" }).waitFor()
    await member.reload()
    await member.getByRole("heading", { level: 1 }).waitFor()
    const { stdout } = await run(["log", "--org", "org_demo", "--limit", "1"], app.env())
    assert.match(stdout, /Sam Sample +org\.resumed +org_demo +org_demo +a made-up reason/)
    const command = ["--as", "Tess Sample", "--reason", "a command's reason"]
    for (const change of ["suspend", "resume"]) {
      assert.strictEqual((await run(["org", change, "org_demo", ...command], app.env())).code, 0)
    }

    await page.getByRole("link", { name: "Log" }).click()
    await page.getByRole("row").filter({ hasText: "Tess Sample" }).filter({ hasText: "a command's reason" }).first()
      .waitFor()
    for (const what of ["Organization resumed", "Organization suspended", "Credits refunded", "Credits granted"]) {
      const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: what }) })
      await row.filter({ hasText: "a made-up reason" }).filter({ hasText: "Sam Sample" }).first().waitFor()
    }
    const granted = page.getByRole("row").filter({ hasText: "Credits granted" }).first()
    await granted.getByText(/^Credits: [\d,]+, now [\d,]+$/).waitFor()
    await looksRight(page)
  })

  it("sees the app as a member, under a banner, where nothing can be done, and comes back", async () => {
    const page = await signedIn(organization)
    await page.getByRole("button", { name: "See as Ada Sampleton" }).click()
    await confirm(page, page.getByRole("dialog", { name: "See as Ada Sampleton" }), /^See as Ada Sampleton$/)
    const banner = page.getByRole("region", { name: "You see this as somebody else" })
    await banner.getByText(/see the app as Ada Sampleton of/).waitFor()
    await page.getByRole("table", { name: "Properties found" }).waitFor()
    await page.goto("/admin/keys")
    const form = page.getByRole("region", { name: "New key" })
    await form.getByLabel("Name, up to 120 characters").fill("Not theirs")
    await form.getByRole("button", { name: "Make the key" }).click()
    await page.getByText("You see this as the member, and change nothing.").waitFor()
    await looksRight(page)
    await page.getByRole("link", { name: "Log" }).click()
    await page.getByRole("row").filter({ hasText: "Member seen as" }).first().waitFor()
    await page.getByRole("button", { name: "Ada Sampleton" }).click()
    await page.getByRole("link", { name: "My sessions" }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Sign out" }).count(), 0, "it is the member's to do")
    await page.keyboard.press("Escape")
    await banner.getByRole("button", { name: "End" }).click()
    await page.getByRole("heading", { name: "Members", exact: true }).waitFor()
    await page.goto("/")
    await page.getByText("You are not signed in.").waitFor()

    await app.visit(page, organization)
    await page.getByRole("button", { name: "See as Ada Sampleton" }).click()
    await confirm(page, page.getByRole("dialog", { name: "See as Ada Sampleton" }), /^See as Ada Sampleton$/)
    await banner.waitFor()
    assert.strictEqual((await run(["org", "suspend", "org_demo"], app.env())).code, 0)
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "Organizations" }).waitFor()
    assert.strictEqual((await run(["org", "resume", "org_demo"], app.env())).code, 0)
  })

  it("tries a file with its map, then loads it, and gives the rejected rows back", async () => {
    const page = await signedIn("/operator/imports")
    const csv = "Number,Name\n1,Sample Holdings (made up)\n2,\n3,Made-up Partners\n"
    const map = { format: "csv", key: "journey:{Number}", fields: { name: "Name" } }
    const form = page.getByRole("region", { name: "New import" }).locator("form")
    await form.getByLabel("What the rows are").selectOption("firms")
    await form.getByLabel(/^File/).setInputFiles({ name: "firms.csv", mimeType: "text/csv", buffer: Buffer.from(csv) })
    await form.getByLabel("Reason, for the log").fill("a made-up reason")
    await form.getByRole("button", { name: "Upload and import" }).click()
    await form.getByText("map: A CSV file needs a map").waitFor()
    await form.getByText("freehold import fields firms").waitFor()
    await form.getByLabel("What the rows are").selectOption("properties")
    await form.getByRole("button", { name: "Upload and import" }).click()
    await form.getByText("freehold source try firms.csv --county FIPS").waitFor()
    await form.getByLabel("What the rows are").selectOption("firms")
    const buffer = Buffer.from(JSON.stringify(map))
    await form.getByLabel(/^Map/).setInputFiles({ name: "map.json", mimeType: "application/json", buffer })
    await form.getByRole("button", { name: "Upload and import" }).click()
    const tried = page.getByRole("region", { name: "firms.csv, dry run" })
    await tried.getByText("Ended.").waitFor()
    await tried.getByText("Sample Holdings (made up)").waitFor()
    await tried.getByText("It was a dry run: nothing was loaded.").waitFor()
    const rejected = tried.getByRole("region", { name: "Table of rejected rows" }).getByRole("row").nth(1)
    assert.strictEqual(await rejected.getByRole("rowheader").textContent(), "3")
    await rejected.getByRole("cell", { name: "name", exact: true }).waitFor()
    // What is taken back is told of all the same.
    const save = { name: "Save the rejected rows with their reasons" }
    const [told] = await Promise.all([page.waitForEvent("download"), tried.getByRole("button", save).click()])
    assert.include(await contentOf(told), "\"line\":3")
    await looksRight(page)

    await form.getByLabel(/^Dry run/).uncheck()
    await form.getByLabel(/^File/).setInputFiles({ name: "none.csv", mimeType: "text/csv", buffer: Buffer.from("") })
    await form.getByRole("button", { name: "Upload and import" }).click()
    await form.getByText("file: Expected a file with rows; this one is empty").waitFor()
    await form.getByLabel(/^File/).setInputFiles({ name: "firms.csv", mimeType: "text/csv", buffer: Buffer.from(csv) })
    await form.getByLabel(/^Strict/).check()
    await form.getByRole("button", { name: "Upload and import" }).click()
    const loaded = page.getByRole("region", { name: "firms.csv", exact: true })
    await loaded.getByText("Nothing was loaded, since rows were rejected.").waitFor()
    await form.getByLabel(/^Strict/).uncheck()
    await form.getByRole("button", { name: "Upload and import" }).click()
    await loaded.getByText("Ended.", { exact: true }).waitFor()
    const counts = loaded.getByRole("region", { name: "Table of counts" }).getByRole("cell")
    assert.deepStrictEqual(await counts.allTextContents(), ["3", "2", "0", "0", "1"])
    const [download] = await Promise.all([page.waitForEvent("download"), loaded.getByRole("button", save).click()])
    const lines = (await contentOf(download)).trim().split("\n")
    assert.lengthOf(lines, 1)
    assert.include(lines[0] ?? "", "\"line\":3")
    const history = page.getByRole("region", { name: "Table of imports" })
    assert.strictEqual(await history.getByRole("row").count(), 4)

    const lots = ["46113", "46113", "46102"].map((countyFips, n) =>
      `${JSON.stringify({ key: `lot:${n}`, countyFips })}\n`
    )
    await form.getByLabel("What the rows are").selectOption("properties")
    await form.getByLabel(/^Map/).setInputFiles([])
    await form.getByLabel(/^Dry run/).check()
    const ndjson = { mimeType: "application/x-ndjson", buffer: Buffer.from(lots.join("")) }
    await form.getByLabel(/^File/).setInputFiles({ name: "lots.ndjson", ...ndjson })
    await form.getByRole("button", { name: "Upload and import" }).click()
    await page.getByRole("region", { name: "lots.ndjson, dry run" })
      .getByText("Rows of former counties: 46113 (2 rows; now 46102). Rows keep the code that they come with").waitFor()
    await history.getByRole("button", { name: "firms.csv" }).last().click()
    await page.locator("h2:focus", { hasText: "firms.csv, dry run" }).waitFor()
    assert.strictEqual(await history.locator("tr[aria-current]").count(), 1)
    await looksRight(page)
  })

  it("says which file is loaded while another one is refused, and follows it in a list that fits", async () => {
    const page = await signedIn("/operator/log", { viewport: { width: 1440, height: 900 } })
    const name = "2016_Building_Energy_Benchmarking_of_a_made_up_city.csv"
    const running = {
      id: "00000000-0000-4000-8000-000000000001",
      kind: "properties",
      name,
      strict: false,
      dryRun: true,
      by: "Sam Sample",
      state: "running",
      read: 3_000_000,
      inserted: 2_999_000,
      updated: 1000,
      unchanged: 0,
      rejected: 1000,
      bytes: 9,
      bytesRead: 5,
      note: null,
      fault: null,
      begunAt: "2026-11-30T16:15:00.000Z",
      endedAt: null
    }
    let state = "running"
    await page.route(
      "**/operator_list_imports",
      (route) => route.fulfill({ json: { data: { items: [{ ...running, state }] } } })
    )
    await page.route(
      "**/operator_begin_import",
      (route) => route.fulfill({ status: 409, json: { refusal: { code: "IMPORT_RUNNING", message: "No.", name } } })
    )
    await page.clock.install()
    await page.getByRole("link", { name: "Imports" }).click()
    const history = page.getByRole("region", { name: "Table of imports" })
    await history.getByText("Trying").waitFor()
    const file = { name: "lots.ndjson", mimeType: "application/x-ndjson", buffer: Buffer.from("{}\n") }
    await page.getByLabel(/^File/).setInputFiles(file)
    await page.getByLabel("Reason, for the log").fill("a made-up reason")
    await page.getByRole("button", { name: "Upload and import" }).click()
    await page.getByRole("alert").getByText(`${name} is being loaded, and one file at a time is. Nothing was done.`)
      .waitFor()
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await looksRight(page)
      const beyond = await history.evaluate((table) =>
        [...table.querySelectorAll("button, td")].filter((each) =>
          each.getBoundingClientRect().right > table.getBoundingClientRect().right + 1
        ).length
      )
      assert.strictEqual(beyond, 0, `${width} px`)
    }
    state = "ended"
    await page.clock.runFor("00:02")
    await history.getByText("Ended").waitFor()
  })

  it("tells how the installation stands, and which laws hold", async () => {
    const page = await signedIn("/operator/health")
    await page.getByRole("row").filter({ hasText: "PostgreSQL" }).first().waitFor()
    await page.getByRole("rowheader", { name: "Deliveries", exact: true }).waitFor()
    await page.getByRole("button", { name: "Run the audit" }).click()
    await page.getByText(/^All \d+ laws hold\.$/).waitFor()
    await looksRight(page)
  })

  it("answers what a customer asks for", async () => {
    const member = await app.signedIn("/home")
    const asked = await member.evaluate(async () =>
      (await fetch("/console/service_request_support", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ subject: "A journey's question", message: "Is anybody there?" })
      })).status
    )
    assert.strictEqual(asked, 200)
    const page = await signedIn("/operator/health")
    const told = page.getByRole("region", { name: "Told lately" }).getByRole("listitem").first()
    await told.filter({ hasText: "A journey's question" }).waitFor()
    await looksRight(page)
    await told.getByRole("link", { name: "org_demo" }).click()
    await page.getByRole("heading", { level: 1 }).waitFor()
    await app.visit(page, "/operator/requests")
    await page.getByRole("button", { name: /^Answer A journey's question/ }).click()
    const dialog = page.getByRole("dialog", { name: "Answer" })
    await dialog.getByLabel(/^Answer, for the organization/).fill("Somebody is.\nAsk for Sam.")
    await looksRight(page)
    await confirm(page, dialog, /^Close the request$/)
    await page.getByText("None.").waitFor()
    await page.locator("h1:focus").waitFor()
    await page.getByLabel("State").selectOption("closed")
    await page.getByText("Somebody is.").waitFor()
    await looksRight(page)
    await app.visit(member, "/requests")
    const read = member.getByRole("row").filter({ hasText: "A journey's question" })
    assert.match(await read.innerText(), /Is anybody there\?[^]*Answer: Somebody is\.\nAsk for Sam\./)
    assert.deepStrictEqual(await app.accessibility(member), [])
  })

  it("stops listing an owner and lists them again; shows what a merge moves before it merges", async () => {
    const page = await signedIn("/operator/records")
    const region = page.getByRole("region", { name: "Who asked not to be listed" })
    await region.getByLabel("Who").selectOption("owner")
    await region.getByLabel("Id, key or name").fill(", ;")
    await region.getByLabel("Reason, for the log").fill("a made-up reason")
    await region.getByRole("button", { name: "Stop listing" }).click()
    await region.getByText("Id, key or name: it has to be a name with a letter or a digit.").waitFor()
    await region.getByLabel("Id, key or name").fill("Nobody Of That Name LLC")
    await region.getByRole("alert").waitFor({ state: "detached" })
    await confirm(page, region.locator("form"), /^Stop listing$/)
    const row = region.getByRole("row").filter({ hasText: "Nobody Of That Name LLC" })
    await row.waitFor()
    await looksRight(page)
    await row.getByRole("button").click()
    await confirm(page, page.getByRole("dialog", { name: "List again" }), /^List again$/)
    await region.getByText("Nobody so far.").waitFor()
    await page.locator("h1:focus").waitFor()

    await page.getByLabel("Retire this one (id or key)").fill(" 53903-DEMO00007 ")
    await page.getByLabel("In favour of this one").fill("53903-DEMO00008")
    await page.getByRole("button", { name: "Show what would move" }).click()
    const moves = page.getByRole("form", { name: "What would move" })
    await moves.waitFor()
    await page.getByLabel("In favour of this one").fill("53903-DEMO00009")
    await moves.waitFor({ state: "detached" })
    await page.getByLabel("In favour of this one").fill("53903-DEMO00008")
    await page.getByRole("button", { name: "Show what would move" }).click()
    await moves.getByRole("row").filter({ hasText: "Contacts" }).waitFor()
    await looksRight(page)
    await confirm(page, moves, /^Merge them$/)
    await page.getByText("53903-DEMO00007 was merged into 53903-DEMO00008.").waitFor()
  })

  it("decides which owners are which firms, several at once, and takes it back", async () => {
    await load("firms", [
      { key: "journey:harbor", name: "Madeup Harbor Holdings, LLC" },
      { key: "journey:orchard", name: "Nonesuch Orchard Partners LP" }
    ])
    await load("properties", [
      { key: "journey:1", countyFips: "53903", recordOwner: "MADEUP HARBRO HOLDINGS LLC" },
      { key: "journey:2", countyFips: "53903", recordOwner: "NONESUCH ORCHRAD PARTNERS LP" }
    ])
    await runJson(["firm", "match", "--county", "53903"], app.env())
    const page = await signedIn("/operator/matches")
    const table = page.getByRole("region", { name: "Table of owners and firms" })
    const row = (text: string) => table.getByRole("row").filter({ hasText: text })
    await row("MADEUP HARBRO").filter({ hasText: "Madeup Harbor Holdings, LLC" }).filter({ hasText: "One slip" })
      .waitFor()
    await looksRight(page)
    const choose = (name: RegExp | string) => page.getByRole("checkbox", { name }).check()
    await choose("Choose all that are shown")
    await page.getByRole("button", { name: "They are the same (2)" }).click()
    const same = page.getByRole("dialog", { name: "They are the same" })
    await same.getByText("MADEUP HARBRO HOLDINGS LLC and Madeup Harbor Holdings, LLC").waitFor()
    await looksRight(page)
    await confirm(page, same, /^They are the same \(2\)$/)
    await page.locator("h1:focus").waitFor()
    await page.getByText("Decided about 2 matches.").waitFor()
    assert.strictEqual(await row("MADEUP HARBRO").count(), 0)

    await page.getByLabel("State").selectOption("Accepted")
    await choose(/^Choose NONESUCH ORCHRAD/)
    await page.getByRole("button", { name: "Undo: they are not (1)" }).click()
    await confirm(page, page.getByRole("dialog", { name: "Undo: they are not" }), /^Undo: they are not \(1\)$/)
    await page.getByLabel("State").selectOption("Rejected")
    await row("NONESUCH ORCHRAD").waitFor()
    await page.getByLabel("County, by its five digits").fill("5390")
    await page.getByText("A county has five digits. All counties are shown.").waitFor()
    await row("NONESUCH ORCHRAD").waitFor()
    await page.getByLabel("County, by its five digits").fill("53901")
    await page.getByText("None of this county.").waitFor()
    await page.waitForURL(/\?state=rejected&county=53901$/)
    const { stdout } = await run(["log", "--limit", "3"], app.env())
    assert.match(stdout, /Sam Sample +match\.rejected .*NONESUCH ORCHRAD PARTNERS LP/)
  })

  it("merges two records of one place, and keeps two others apart", async () => {
    const address = (key: string, address: string, more: object = {}) => ({
      key,
      countyFips: "53903",
      address,
      zip: "00099",
      ...more
    })
    await load("properties", [
      address("energy:1", "1110 Third Avenue", { commonName: "Nonesuch Building" }),
      address("assessor:1", "1110 3RD AVE", { recordOwner: "PERSON, MADE UP" }),
      address("energy:2", "820 Nonesuch Street"),
      address("assessor:2", "820 NONESUCH ST")
    ])
    await runJson(["property", "match", "--county", "53903"], app.env())
    const page = await signedIn("/operator/matches")
    await page.getByLabel("What").selectOption("Records of one place")
    const table = page.getByRole("region", { name: "Table of records of one place" })
    const row = (text: string) => table.getByRole("row").filter({ hasText: text })
    await row("Nonesuch Building, 1110 Third Avenue").filter({ hasText: "assessor:1" }).waitFor()
    await looksRight(page)
    await page.getByRole("checkbox", { name: "Choose energy:1 and assessor:1" }).check()
    await page.getByRole("button", { name: "Merge (1)" }).click()
    await confirm(page, page.getByRole("dialog", { name: "Merge" }), /^Merge \(1\)$/)
    await row("Nonesuch Building").waitFor({ state: "detached" })
    await page.getByRole("checkbox", { name: /^Choose .*:2 and .*:2$/ }).check()
    await page.getByRole("button", { name: "Keep apart (1)" }).click()
    await confirm(page, page.getByRole("dialog", { name: "Keep apart" }), /^Keep apart \(1\)$/)
    await page.getByLabel("State").selectOption("Merged")
    await row("energy:1").waitFor()
    assert.strictEqual(await page.getByRole("checkbox").count(), 0, "which nothing takes back")
    await looksRight(page)
    await page.getByLabel("State").selectOption("Kept apart")
    await row("820 Nonesuch Street").waitFor()
    const merged = await runJson(["log", "--limit", "2"], app.env())
    assert.match(JSON.stringify(merged), /match\.rejected.*property\.merged/)
  })

  it("finds an endpoint in trouble, reads why, sends again what was given up, and enables one", async () => {
    const made = await fetch(`${app.origin()}/v1/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${await demoKey()}`, "content-type": "application/json" },
      body: JSON.stringify({ url: receiver.url, events: ["lead.qualified", "signal.sale"] })
    })
    assert.isTrue(made.ok, await made.text())
    const page = await signedIn("/operator/health")
    // Of many endpoints the first that are looked at may be well; the others are asked for by themselves.
    const asked: Array<string> = []
    await page.route("**/operator_list_endpoints", (route) => {
      asked.push(route.request().postData() ?? "")
      const data = { items: [], next_cursor: "00000000-0000-4000-8000-000000000000" }
      return asked.length === 1 ? route.fulfill({ json: { success: true, data } }) : route.continue()
    })
    await page.getByRole("link", { name: "all of them" }).waitFor()
    await page.getByRole("link", { name: "Those in trouble" }).click()
    await page.getByText(/^No endpoint is in trouble/).waitFor()
    assert.deepStrictEqual(asked.map((body) => body.includes("cursor")), [false, true])
    await looksRight(page)
    await page.getByLabel("Organization, by its id").fill("org demo")
    await page.getByText(/^An id has letters/).waitFor()
    await page.getByLabel("Organization, by its id").fill("org_demo")
    await page.getByLabel("Which").selectOption("All")
    await page.waitForURL(/\?org=org_demo&which=all$/)
    await page.getByRole("link", { name: receiver.url }).click()
    await page.locator("h1:focus", { hasText: receiver.url }).waitFor()
    await page.getByText("Nothing was sent there yet.").waitFor()
    await page.getByText("Lead qualified; A sale was recorded").waitFor()
    await page.getByRole("button", { name: "Send a test" }).click()
    await confirm(page, page.getByRole("dialog"), /^Send a test$/)
    await page.getByText(/^The test is on its way/).waitFor()
    const row = page.getByRole("row").filter({ hasText: "Test: Lead qualified" })
    const lookUntil = async (shown: Locator) => {
      while (await shown.count() === 0) {
        await page.getByRole("button", { name: "Look again" }).click()
        await app.rest(page)
      }
    }
    await lookUntil(row.filter({ hasText: "Failed for good" }))
    // The endpoint is read before its deliveries, so it may be of the moment before.
    await lookUntil(page.getByText("1 of the last 1"))
    await looksRight(page)

    await row.getByRole("button", { name: /^Attempts at/ }).click()
    const attempts = page.getByRole("dialog", { name: /^Attempts at/ })
    await attempts.getByText("being mended").last().waitFor()
    assert.strictEqual(await attempts.getByRole("listitem").count(), 2)
    await looksRight(page)
    await page.keyboard.press("Escape")
    await page.getByRole("link", { name: "Webhooks" }).click()
    const trouble = page.getByRole("row").filter({ hasText: receiver.url })
    await trouble.filter({ hasText: "Active, but the last delivery failed for good" }).filter({ hasText: "503" })
      .waitFor()
    await looksRight(page)
    await trouble.getByRole("link", { name: receiver.url }).click()

    receiver.isMended = true
    await page.getByRole("checkbox", { name: "Choose all that are shown" }).check()
    await page.getByRole("button", { name: "Send again (1)" }).click()
    await confirm(page, page.getByRole("dialog", { name: "Send again" }), /^Send again \(1\)$/)
    await page.getByText("1 delivery is on its way.").waitFor()
    await lookUntil(row.filter({ hasText: "Delivered" }))
    assert.strictEqual(await page.getByRole("checkbox").count(), 0, "nothing is given up any more")

    const admin = await app.signedIn("/admin/webhooks")
    await admin.getByRole("button", { name: `Open ${receiver.url}` }).click()
    await admin.getByRole("button", { name: "Disable" }).click()
    await admin.getByRole("button", { name: "Disable" }).click()
    await admin.getByRole("cell", { name: "Disabled by an admin" }).waitFor()
    await page.getByRole("button", { name: "Look again" }).click()
    await page.getByRole("button", { name: "Enable" }).click()
    await page.getByText("An admin of the organization disabled it.").waitFor()
    await looksRight(page)
    await confirm(page, page.getByRole("dialog"), /^Enable$/)
    await page.getByText("It is active.").waitFor()
    await app.visit(page, organization)
    await page.getByRole("link", { name: receiver.url }).click()
    await page.getByRole("button", { name: "Send a test" }).waitFor()
    await app.visit(page, "/operator/webhooks/none")
    await page.getByRole("heading", { level: 1, name: "There is no such endpoint" }).waitFor()
    const log = JSON.stringify(await runJson(["log", "--limit", "3"], app.env()))
    assert.match(log, /endpoint\.enabled.*endpoint\.resent.*endpoint\.tested/)
  })

  it("sends more again than one request takes, and goes on where it was refused", async () => {
    const page = await signedIn("/operator", { expected: /status of 404/ })
    const at = "2026-11-20T09:30:00.000Z"
    const endpoint = {
      id: "00000000-0000-4000-8000-00000000e0e0",
      org_id: "org_demo",
      organization: "Demonstration",
      organization_status: "active",
      url: "https://receiver.example/many",
      label: null,
      is_crm: false,
      subscribed_events: ["lead.qualified"],
      active: true,
      disabled_reason: null,
      consecutive_failures: 9,
      created_at: at,
      waiting: 0,
      next_attempt_at: null,
      ended: 50,
      given_up: 50,
      last_fault: null
    }
    const deliveries = Array.from({ length: 60 }, (_, index) => ({
      event_id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      event_type: "lead.qualified",
      test: false,
      state: "failed",
      attempts: 5,
      last_status: 503,
      last_error: "answered 503",
      created_at: at,
      next_attempt_at: null,
      has_ended: true,
      given_up: true
    }))
    await page.route(
      "**/operator_list_deliveries",
      (route) => route.fulfill({ json: { data: { endpoint, deliveries, next_cursor: null } } })
    )
    const asked: Array<ReadonlyArray<string>> = []
    await page.route("**/operator_resend_deliveries", (route) => {
      const { event_ids } = route.request().postDataJSON()
      asked.push(event_ids)
      return asked.length === 2
        ? route.fulfill({ status: 404, json: { refusal: { code: "NOT_FOUND", message: "No such delivery." } } })
        : route.fulfill({ json: { data: { resent: event_ids.length, under_way: 0 } } })
    })
    await app.visit(page, `/operator/webhooks/${endpoint.id}`)
    await page.getByRole("checkbox", { name: "Choose all that are shown" }).check()
    await page.getByRole("button", { name: "Send again (60)" }).click()
    const dialog = page.getByRole("dialog", { name: "Send again" })
    await dialog.getByLabel("Reason, for the log").fill("a made-up reason")
    await dialog.getByRole("button", { name: /^Send again/ }).click()
    await dialog.getByText("50 of 60 were sent again.").waitFor()
    await confirm(page, dialog, /^Send again/)
    await page.getByText("60 deliveries are on their way.").waitFor()
    const ids = deliveries.map(({ event_id }) => event_id)
    assert.deepStrictEqual(asked, [ids.slice(0, 50), ids.slice(50), ids.slice(50)])
  })

  it("is whole for everybody, in every colour and size, and its code is loaded by nobody else", async () => {
    const outside = await app.openPage()
    await app.visit(outside, "/operator/sign-in")
    await outside.getByText("You are not signed in to the operator's area.").waitFor()
    assert.deepStrictEqual(await flawsInEveryMode(outside), [])
    const page = await signedIn()
    for (
      const path of [
        organization,
        ...["organizations", "imports", "health", "webhooks", "requests", "records", "matches", "log"].map((part) =>
          `/operator/${part}`
        )
      ]
    ) {
      await app.visit(page, path)
      await page.locator("section").first().waitFor()
      await app.rest(page)
      assert.deepStrictEqual(await flawsInEveryMode(page), [], path)
    }
    const member = await app.signedIn("/")
    const loaded: Array<string> = await member.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
    )
    assert.isAbove(loaded.length, 0)
    assert.deepStrictEqual(loaded.filter((path) => /operator|SeenAs/i.test(path)), [])
  })
})

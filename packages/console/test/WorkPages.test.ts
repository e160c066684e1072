/** The pages that members work with: the pipeline, tasks, lists, research, saved searches and changes. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { runJson } from "../../cli/test/Freehold.ts"
import { useApp } from "../testing/AppFixture.ts"

const app = useApp()

describe("the pipeline", () => {
  const column = (page: Page, name: string) => page.getByRole("region", { name, exact: true })
  const cards = (page: Page, name: string) => column(page, name).getByRole("group")

  it("moves leads by mouse and by keys, asks what a stage wants to know, and takes a move back", async () => {
    const page = await app.signedIn("/pipeline")
    const qualified = cards(page, "Qualified")
    const name = await qualified.getAttribute("aria-label") ?? ""
    const card = (stage: string) => column(page, stage).getByRole("group", { name })

    // By mouse, to a stage that asks nothing.
    const from = await card("Qualified").boundingBox()
    const to = await column(page, "Attempted").boundingBox()
    assert.isNotNull(from)
    assert.isNotNull(to)
    await page.mouse.move(from.x + from.width - 12, from.y + 12)
    await page.mouse.down()
    await page.mouse.move(to.x + 40, to.y + 60, { steps: 5 })
    await page.mouse.up()
    await card("Attempted").waitFor()
    await page.getByRole("status").getByText(`${name} moved to Attempted.`).waitFor()

    // By keys, with the focus where the lead went; then taken back.
    await page.waitForFunction((label) => document.activeElement?.getAttribute("aria-label") === label, name)
    await page.keyboard.press("Alt+ArrowRight")
    await page.getByRole("status").getByText(`${name} moved to Active.`).waitFor()
    await card("Active").waitFor()
    await page.keyboard.press("u")
    await page.getByRole("status").getByText("Taken back: it is in Attempted again.").waitFor()
    await card("Attempted").waitFor()

    // Won wants a deal value; the columns' sums follow. The server takes its time with it.
    const answer = Promise.withResolvers<void>()
    const isMove = "**/console/app_move_lead"
    await page.route(isMove, async (route) => {
      await answer.promise
      await route.continue()
    })
    await card("Attempted").focus()
    await page.keyboard.press("m")
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Stage").selectOption("Won")
    assert.deepStrictEqual(await app.accessibility(page), [])
    await dialog.getByLabel("Deal value").fill("31000")
    await dialog.getByRole("button", { name: "Move to Won" }).click()
    await column(page, "Won").getByText("1 lead · $31,000").waitFor()

    // Lost wants a reason, and one of them a note; it waits for the move before.
    await column(page, "Won").getByRole("button", { name: `Move to…: ${name}` }).click()
    await dialog.getByLabel("Stage").selectOption("Lost")
    await dialog.getByLabel("Reason").selectOption("Another reason")
    await dialog.getByText("This reason needs a note.").waitFor()
    await dialog.getByLabel("Note").fill("Made up: they moved away")
    await dialog.getByRole("button", { name: "Move to Lost" }).click()
    await card("Lost").waitFor()
    answer.resolve()
    await page.getByRole("status").getByText(`${name} moved to Lost.`).waitFor()
    await page.unroute(isMove)

    // The history tells all of it, and the lead is given to nobody.
    await column(page, "Lost").getByRole("button", { name: `History and owner of ${name}` }).click()
    await dialog.getByText("From Won to Lost").waitFor()
    await dialog.getByText("Made up: they moved away").waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await dialog.getByLabel("Owner").selectOption("Nobody")
    await dialog.getByText("The owner was changed.").waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    await card("Lost").getByText("nobody's").waitFor()
  })

  it("a move of a card that somebody else has moved is refused, and the board shows where it is", async () => {
    const one = await app.signedIn("/pipeline")
    const active = cards(one, "Active").first()
    await active.waitFor()
    const name = await active.getAttribute("aria-label") ?? ""
    const other = await app.signedIn("/pipeline")
    await column(other, "Active").getByRole("group", { name }).focus()
    await other.keyboard.press("Alt+ArrowLeft")
    await column(other, "Attempted").getByRole("group", { name }).waitFor()
    await other.getByRole("status").getByText("moved to Attempted").waitFor()
    await active.getByRole("button", { name: /^Move / }).click()
    await one.getByRole("dialog").getByLabel("Stage").selectOption("Attempted")
    await one.getByRole("button", { name: "Move to Attempted" }).click()
    await one.getByText("Somebody changed it in the meantime.").waitFor()
    await column(one, "Attempted").getByRole("group", { name }).waitFor()
  })

  it("that a CRM owns by now says so to whoever moves a lead, and offers no move that there is not", async () => {
    const owned = (crm_mode: string) =>
      runJson(["apply", "-"], app.env(), JSON.stringify({ organizations: [{ org_id: "org_demo", crm_mode }] }))
    const page = await app.signedIn("/pipeline")
    const attempted = cards(page, "Attempted").first()
    await attempted.focus()
    await owned("external")
    await page.keyboard.press("Alt+ArrowRight")
    await page.getByRole("alert").getByText("Your CRM owns the stages.").waitFor()
    await page.getByText("Here they can be qualified and disqualified.").waitFor()
    await attempted.getByRole("button", { name: /^Move / }).waitFor()
    const lost = cards(page, "Lost").first()
    await lost.focus()
    await page.keyboard.press("m")
    assert.strictEqual(await lost.getByRole("button", { name: /^Move / }).count(), 0)
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
    assert.deepStrictEqual(await app.accessibility(page), [])
    await owned("internal")
  })
})

describe("lists", () => {
  it("that there are none of are offered to whoever may make one, and nobody else is told to", async () => {
    const members = [{ email: "rita@demo.example", name: "Rita Sample", role: "read_only", seat: true }]
    const change = (features: object) =>
      runJson(["apply", "-"], app.env(), JSON.stringify({ organizations: [{ org_id: "org_demo", features, members }] }))
    await change({})
    const reader = await app.signedIn("/lists?type=contacts", { email: "rita@demo.example" })
    await reader.getByText("There is no list yet.", { exact: true }).waitFor()
    const page = await app.signedIn("/lists?type=contacts")
    await page.getByText("There is no list of people yet. Choose some").waitFor()
    await change({ lists: false })
    await app.visit(page, "/lists?type=contacts")
    await page.getByText("Your organization's plan does not have this.").waitFor()
    assert.strictEqual(await page.getByText("There is no list").count(), 0)
    await change({ lists: true })
  })
})

describe("tasks", () => {
  it("are added about a property, shown at home when they are due, edited, and ended", async () => {
    const page = await app.signedIn("/tasks")
    const table = page.getByRole("table", { name: "Tasks" })
    await page.getByRole("button", { name: "Add a task" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Property: words").fill("Pretend")
    await dialog.getByRole("button", { name: "Find" }).click()
    await dialog.getByLabel("Found").selectOption({ index: 1 })
    await dialog.getByLabel("What is to be done").fill("Visit the site (test)")
    await dialog.getByLabel("Kind").selectOption("Site visit")
    await dialog.getByLabel("Due").fill("2026-01-31")
    assert.deepStrictEqual(await app.accessibility(page), [])
    await dialog.getByRole("button", { name: "Save the task" }).click()
    await table.getByText("overdue since Jan 31, 2026").waitFor()

    await page.getByRole("link", { name: "Home", exact: true }).click()
    const due = page.getByRole("region", { name: "My tasks that are due" })
    await due.getByText("Visit the site (test)").waitFor()
    await page.getByText("All of them moved lately.").waitFor()

    await due.getByRole("link", { name: "All my tasks" }).click()
    await page.getByRole("button", { name: "Edit: Visit the site (test)" }).click()
    await dialog.getByLabel("What is to be done").fill("Visit the roof (test)")
    await dialog.getByLabel("Due").fill("")
    await dialog.getByRole("button", { name: "Save the task" }).click()
    await page.getByText("The task was saved.").waitFor()
    await page.getByRole("button", { name: "Done: Visit the roof (test)" }).click()
    await page.getByText("Visit the roof (test): done.").waitFor()
    await page.getByLabel("State").selectOption("Done")
    await table.getByText("Visit the roof (test)").waitFor()
  })
})

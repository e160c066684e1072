/** The pages that members work with: the pipeline, tasks, lists, research, saved searches and changes. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"
import { ask } from "../testing/Ask.ts"

const app = useApp()

const eve = { email: "eve@demo.example", name: "Eve Elsewhere", role: "member", status: "active" }

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
    assert.strictEqual(await dialog.getByLabel("Owner").inputValue(), "")
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

  it("tells of each of two moves what came of it, however quick they were", async () => {
    const page = await app.signedIn("/?countyFips=53901&minContactCount=1&pipelineStatus=none")
    const boxes = page.getByRole("checkbox", { name: /^Choose (?!all)/ })
    for (const at of [0, 1]) await boxes.nth(at).check()
    await page.getByRole("button", { name: "Qualify" }).click()
    await page.getByLabel(/^Deal value/).fill("5000")
    await page.getByRole("dialog").getByRole("button", { name: "Qualify" }).click()
    await page.getByText("2 properties are in the pipeline").waitFor()
    await app.visit(page, "/pipeline")
    const names = await cards(page, "Qualified").evaluateAll((all) =>
      all.map((each) => each.getAttribute("aria-label") ?? "")
    )
    const [first = "", second = ""] = names
    const answer = Promise.withResolvers<void>()
    let moves = 0
    await page.route("**/console/app_move_lead", async (route) => {
      const isFirst = moves++ === 0
      await answer.promise
      if (isFirst) {
        await route.fulfill({ status: 409, json: { refusal: { code: "CHANGED_IN_FLIGHT", message: "Changed." } } })
      } else await route.continue()
    })
    for (const name of [first, second]) {
      await column(page, "Qualified").getByRole("group", { name, exact: true }).focus()
      await page.keyboard.press("Alt+ArrowRight")
      await column(page, "Attempted").getByRole("group", { name, exact: true }).waitFor()
    }
    answer.resolve()
    await page.getByRole("status").getByText(`${second} moved to Attempted.`).waitFor()
    await page.getByRole("alert").getByText("Somebody changed it in the meantime.").waitFor()
    await page.getByText(`It is about ${first}.`).waitFor()
    await column(page, "Qualified").getByRole("group", { name: first, exact: true }).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])

    // The next one begins anew.
    await column(page, "Qualified").getByRole("group", { name: first, exact: true }).focus()
    await page.keyboard.press("Alt+ArrowRight")
    await page.getByRole("status").getByText(`${first} moved to Attempted.`).waitFor()
    assert.strictEqual(await page.getByRole("alert").count(), 0)
  })

  it("that a CRM owns by now says so to whoever moves a lead, and offers no move that there is not", async () => {
    const owned = (crm_mode: string) => app.apply({ crm_mode })
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
    const change = (features: object) => app.apply({ features, members })
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

  it("that are shared with somebody who is gone are renamed, and shared with who is left", async () => {
    await app.apply({ members: [eve] })
    const page = await app.signedIn("/lists")
    const dialog = page.getByRole("dialog")
    const sent = () => dialog.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "New list" }).click()
    await dialog.getByLabel("Name").fill("Of both")
    await dialog.getByRole("button", { name: "Make the list" }).click()
    await page.getByRole("button", { name: "Share" }).click()
    await dialog.getByLabel("Some of the team").check()
    await dialog.getByLabel(eve.name).check()
    await dialog.getByRole("button", { name: "Save" }).click()
    await sent()
    await app.apply({ members: [{ ...eve, status: "removed" }] })
    await page.reload()
    await page.getByRole("button", { name: "Rename" }).click()
    await dialog.getByLabel("Name").fill("Of one")
    await dialog.getByRole("button", { name: "Rename" }).click()
    await sent()
    await page.getByRole("heading", { name: "Of one", level: 1 }).waitFor()
    await page.getByText("seen by its owner and some of the team (1 member more)").waitFor()

    await page.getByRole("button", { name: "Share" }).click()
    await dialog.getByText("No longer here, and taken off: 1.").waitFor()
    await dialog.getByRole("button", { name: "Save" }).click()
    await sent()
    await page.getByText("seen by its owner and some of the team (0 members more)").waitFor()
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

  it("are asked about once more before they are cancelled, which is for good", async () => {
    const page = await app.signedIn("/home")
    const { results: [property] } = await ask(page, "service_search_properties", { query: "Imaginary" })
    const task = { title: "Think again (test)", description: null, type: "call", due: null, assignee_id: null }
    await ask(page, "app_add_task", { property_id: property.id, ...task })
    await app.visit(page, "/tasks?whose=team")
    const cancel = page.getByRole("button", { name: "Cancel task: Think again (test)" })
    await cancel.click()
    await page.getByText("It is ended for good.").waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.getByRole("button", { name: "Keep" }).click()
    await page.getByText("It is ended for good.").waitFor({ state: "detached" })
    await cancel.click()
    await cancel.click()
    await page.getByText("Think again (test): cancelled.").waitFor()
  })

  it("are about the property that is shown as chosen: another search begins with none", async () => {
    const page = await app.signedIn("/tasks")
    await page.getByRole("button", { name: "Add a task" }).click()
    const dialog = page.getByRole("dialog")
    const [found, save] = [dialog.getByLabel("Found"), dialog.getByRole("button", { name: "Save the task" })]
    const find = async (words: string) => {
      const answer = page.waitForResponse("**/console/service_search_properties")
      await dialog.getByLabel("Property: words").fill(words)
      await dialog.getByRole("button", { name: "Find" }).click()
      await answer
      await app.rest(page)
    }
    await find("Imaginary")
    await found.selectOption({ index: 1 })
    assert.isTrue(await save.isEnabled())
    await find("Notional")
    assert.strictEqual(await found.inputValue(), "")
    assert.isTrue(await save.isDisabled())
    await found.selectOption({ index: 1 })
    const chosen = await found.locator("option:checked").textContent() ?? ""
    await dialog.getByLabel("What is to be done").fill("Look at it (test)")
    await save.click()
    const row = page.getByRole("row").filter({ hasText: "Look at it (test)" })
    const address = await row.getByRole("link").textContent() ?? "nowhere"
    assert.include(chosen, address)
    await row.getByRole("button", { name: /^Cancel task/ }).click()
    await row.getByRole("button", { name: /^Cancel task/ }).click()
    await row.waitFor({ state: "detached" })
  })

  it("stay with whoever left, as somebody else wrote them meanwhile, and are not left while they are saved", async () => {
    await app.apply({ members: [eve] })
    const page = await app.signedIn("/properties/53903-DEMO00100")
    const dialog = page.getByRole("dialog")
    await page.getByRole("button", { name: "Add a task" }).click()
    await dialog.getByLabel("What is to be done").fill("Measure (test)")
    await dialog.getByLabel("By whom").selectOption(eve.name)
    await dialog.getByRole("button", { name: "Save the task" }).click()
    await dialog.waitFor({ state: "detached" })
    await app.apply({ members: [{ ...eve, status: "removed" }] })

    await app.visit(page, "/tasks?whose=team")
    const other = await app.signedIn("/tasks?whose=team")
    const edit = async (of: Page) => {
      await of.getByRole("button", { name: /^Edit: Measure/ }).click()
      await of.getByRole("dialog").getByText(`${eve.name} (no longer here)`).waitFor({ state: "attached" })
      assert.strictEqual(
        await of.getByLabel("By whom").locator("option:checked").textContent(),
        `${eve.name} (no longer here)`
      )
    }
    await edit(page)
    await edit(other)
    await other.getByLabel("What is to be done").fill("Measure twice (test)")
    await other.getByRole("button", { name: "Save the task" }).click()
    await other.getByText("The task was saved.").waitFor()

    const answer = Promise.withResolvers<void>()
    await page.route("**/console/app_edit_task", async (route) => {
      await answer.promise
      await route.continue()
    })
    await dialog.getByLabel("More about it").fill("From the door")
    await dialog.getByRole("button", { name: "Save the task" }).click()
    await dialog.getByRole("button", { name: "Close", disabled: true }).waitFor()
    await page.keyboard.press("Escape")
    assert.isTrue(await dialog.isVisible())
    answer.resolve()
    await page.getByText("The task was saved.").waitFor()
    const row = page.getByRole("row").filter({ hasText: "Measure twice (test)" })
    await row.getByText("From the door").waitFor()
    await row.getByRole("cell", { name: eve.name }).waitFor()

    // It opens as it is by now.
    await other.getByRole("button", { name: /^Edit: Measure/ }).click()
    assert.strictEqual(await other.getByLabel("More about it").inputValue(), "From the door")
    await other.getByLabel("By whom").selectOption("Nobody yet")
    await other.getByRole("button", { name: "Save the task" }).click()
    await other.getByRole("row").filter({ hasText: "Measure twice (test)" }).getByText("nobody yet").waitFor()
  })

  it("are shown page by page to the last one, though some end meanwhile", async () => {
    const page = await app.signedIn()
    const { property: { id: property_id } } = await ask(page, "app_open_property", { id: "53903-DEMO00100" })
    const { member: { member_id: assignee_id } } = await ask(page, "app_get_session", {})
    for (let n = 1; n <= 52; n++) {
      const said = { title: `Count ${n} (test)`, description: null, type: "call", due: "2026-01-31", assignee_id }
      await ask(page, "app_add_task", { property_id, ...said })
    }
    await app.visit(page, "/tasks")
    const rows = page.getByRole("row").filter({ hasText: /Count \d+ \(test\)/ })
    assert.strictEqual(await rows.count(), 50)
    const { tasks } = await ask(page, "app_list_tasks", { mine: true, status: "open", limit: 2 })
    for (const { id } of tasks) await ask(page, "app_end_task", { id, status: "done" })
    await page.getByRole("button", { name: "Show more" }).click()
    await page.getByText("That is all.").waitFor()
    assert.strictEqual(await rows.count(), 52)
  })
})

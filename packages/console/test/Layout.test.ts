/** Where things stand: dialogs in the middle, long names inside of their pages, buttons on the screen; and what pages are called. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"

const app = useApp()

const aProperty = "/properties/53903-DEMO00505"

/** So many pixels a page is wider than its window. */
const excess = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

const ask = async (page: Page, operation: string, data: object) => {
  const answer = await page.context().request.post(`/console/${operation}`, { headers: { origin: app.origin() }, data })
  assert.isTrue(answer.ok(), `${operation}: ${await answer.text()}`)
  return await answer.json()
}

describe("a dialog", () => {
  it("of a property stands in the middle of the window", async () => {
    const page = await app.signedIn(aProperty)
    for (const name of ["Add to list", "Add a task"]) {
      await page.getByRole("button", { name, exact: true }).first().click()
      const box = await page.getByRole("dialog").boundingBox()
      const height = page.viewportSize()?.height ?? 0
      assert.approximately((box?.y ?? 0) * 2 + (box?.height ?? 0), height, 2, name)
      await page.keyboard.press("Escape")
    }
  })
})

describe("a long name without a space", () => {
  const name = "x".repeat(119)

  it.each([1280, 390])("makes no page wider than a window of %i pixels", async (width) => {
    const page = await app.signedIn("/home", { viewport: { width, height: 800 } })
    const list = await ask(page, "service_create_list", {
      list_name: `${name.slice(0, 76)}${width}`,
      list_type: "properties"
    })
    await ask(page, "app_create_key", { name: `${name.slice(0, 115)}${width}`, scopes: ["data:read"] })
    for (const path of ["/lists", `/lists/${list.data.list.list_id}`, "/usage", "/admin/keys", "/admin/log"]) {
      await app.visit(page, path)
      assert.strictEqual(await excess(page), 0, path)
    }
    await app.visit(page, "/admin/keys")
    await page.getByRole("button", { name: `Change ${name.slice(0, 10)}` }).first().click()
    await page.getByRole("heading", { name: /^Change / }).waitFor()
    assert.strictEqual(await excess(page), 0)
    const made = page.getByRole("region", { name: "New key" })
    await made.getByLabel(/^Name, up to/).fill(`${name.slice(0, 114)}${width}b`)
    await made.getByRole("checkbox").first().check()
    await made.getByRole("button", { name: "Make the key" }).click()
    await page.getByRole("button", { name: "I have kept it" }).waitFor()
    assert.strictEqual(await excess(page), 0)
  })
})

describe("the way around", () => {
  it("takes the same room on every page of a phone, which has no keys to tell of", async () => {
    const page = await app.signedIn("/home", { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true })
    const heights = new Set<number>()
    for (const path of ["/home", "/pipeline", "/lists", "/admin/keys"]) {
      await app.visit(page, path)
      heights.add((await page.getByRole("banner").boundingBox())?.height ?? 0)
    }
    assert.strictEqual(heights.size, 1, [...heights].join(", "))
    assert.isAtMost(Math.max(...heights), 100, "two lines: who is signed in, and the pages")
    await app.visit(page, "/admin/keys")
    const here = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Administration" })
    const box = await here.boundingBox()
    assert.isAtLeast(box?.x ?? -1, 0)
    assert.isAtMost((box?.x ?? Infinity) + (box?.width ?? 0), 390, "the page that is shown is among those in sight")
    assert.isTrue(await page.getByText("Ctrl K").isHidden())
    await app.visit(page, "/pipeline")
    assert.isTrue(await page.getByText("Drag a card").isHidden())
  })
})

describe("the page of people", () => {
  it("stays as it is when the choices of its filters and the names come", async () => {
    const page = await app.openPage()
    const answer = Promise.withResolvers<void>()
    await page.route(/\/console\/(service_lookup|app_list_counties|app_name_records)$/, async (route) => {
      await answer.promise
      await route.continue()
    })
    await app.signIn(page, "/usage")
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "People" }).click()
    const boxes = () =>
      page.getByRole("search").locator("label").evaluateAll((labels) =>
        labels.map((label) => JSON.stringify(label.getBoundingClientRect()))
      )
    await page.getByRole("table", { name: "People" }).waitFor()
    const tops = () =>
      page.getByRole("table", { name: "People" }).getByRole("row").evaluateAll((rows) =>
        rows.map((row) => Math.round(row.getBoundingClientRect().top))
      )
    const before = await boxes()
    const topsBefore = await tops()
    answer.resolve()
    await app.rest(page)
    await page.getByRole("table", { name: "People" }).locator("small").first().waitFor()
    assert.deepStrictEqual(await tops(), topsBefore)
    await page.getByLabel("Role").getByRole("option", { name: "Executive" }).waitFor({ state: "attached" })
    assert.deepStrictEqual(await boxes(), before)
  })
})

describe("the page of a property", () => {
  it("stays as it is when it turns out that nobody wrote about it and nothing is to be done", async () => {
    const page = await app.openPage()
    const answer = Promise.withResolvers<void>()
    await app.signIn(page, "/usage")
    await page.route(/\/console\/(app_get_lead|app_list_notes|app_list_tasks|service_get_changes)$/, async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.goto("/properties/53903-DEMO00505")
    const button = page.getByRole("button", { name: "Add note" })
    const top = async () => (await button.boundingBox())?.y ?? Number.NaN
    const before = await top()
    answer.resolve()
    await app.rest(page)
    await page.getByText("Nobody wrote about it yet.").waitFor()
    await page.getByText("Nothing is to be done.").waitFor()
    assert.approximately(await top(), before, 1)
  })
})

describe("the buttons of tasks", () => {
  it("are on a narrow screen", async () => {
    const page = await app.signedIn("/tasks?whose=team", { viewport: { width: 390, height: 800 } })
    const button = page.getByRole("button", { name: /^Done: / }).first()
    const box = await button.boundingBox()
    assert.isAtMost((box?.x ?? Infinity) + (box?.width ?? 0), 390)
    assert.strictEqual(await excess(page), 0)
  })
})

describe("a note from right to left", () => {
  it("begins at the right, and one from left to right at the left", async () => {
    const page = await app.signedIn(aProperty)
    for (const [text, side] of [["שלום (עולם).", "right"], ["Hello (world).", "left"]] as const) {
      await page.getByLabel("New note").fill(text)
      await page.getByRole("button", { name: "Add note" }).click()
      const note = page.getByRole("listitem").getByText(text, { exact: true })
      const away = await note.evaluate((paragraph, side) => {
        const first = document.createRange()
        first.setStart(paragraph.firstChild ?? paragraph, 0)
        first.setEnd(paragraph.firstChild ?? paragraph, 1)
        return Math.abs(first.getBoundingClientRect()[side] - paragraph.getBoundingClientRect()[side])
      }, side)
      assert.isBelow(away, 2, text)
    }
  })
})

describe("a table of many columns", () => {
  const results = "/?countyFips=53903&categories=Office"
  /** The longest words that a property's state has. */
  const notResearched = "/?countyFips=53903&researchState=none"

  it.each(
    [
      ["a narrow window", 360, ["/tasks?whose=team", "/changes", "/admin/keys", "/admin/log", results]],
      ["half of a window", 1024, [results]],
      ["a window that is hardly wide enough for its columns", 1240, [notResearched]],
      ["a usual window", 1280, [notResearched]]
    ] as const
  )("is read without scrolling to the side in %s", async (_, width, paths) => {
    const page = await app.signedIn("/home", { viewport: { width, height: 800 } })
    // The log has a line of this.
    await ask(page, "app_create_key", { name: `Of a table in ${width} pixels`, scopes: ["data:read"] })
    for (const path of paths) {
      await app.visit(page, path)
      const table = page.getByRole("region", { name: /^Table of / }).first()
      assert.isAbove(await table.getByRole("row").count(), 0, path)
      assert.strictEqual(await table.evaluate((of) => of.scrollWidth - of.clientWidth), 0, path)
      // Beside each other they take one line.
      const buttons = table.getByRole("row").last().getByRole("button")
      const tops = await buttons.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
      assert.lengthOf(new Set(tops), Math.min(tops.length, 1), path)
    }
  })

  it("says of each value what it is where a row is read from above to below", async () => {
    const page = await app.signedIn(results, { viewport: { width: 360, height: 800 } })
    const row = page.getByRole("region", { name: "Table of properties found" }).getByRole("row").nth(0)
    const names = await row.getByRole("cell").evaluateAll((cells) =>
      cells.map((cell) => getComputedStyle(cell, "::before").content)
    )
    assert.deepStrictEqual(
      names,
      ["none", "none", "Category", "Sqft", "Built", "People", "Research"].map((name) =>
        name === "none" ? name : `"${name}: "`
      )
    )
    const [choice, name] = await row.getByRole("cell").evaluateAll((cells) =>
      cells.slice(0, 2).map((cell) => cell.getBoundingClientRect().top)
    )
    assert.approximately(choice ?? 0, name ?? Infinity, 8, "what chooses it stands beside it")
  })
})

describe("a search on a narrow screen", () => {
  it("begins with what was found, and has the map in its place for whoever asks for it, as it was", async () => {
    const page = await app.openPage({ map: true, viewport: { width: 390, height: 800 } })
    const loaded: Array<string> = []
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname))
    await app.signIn(page, "/?countyFips=53903")
    const first = page.getByRole("table").getByRole("link").first()
    assert.isBelow((await first.boundingBox())?.y ?? Infinity, 700, "the first is on the first screen")
    assert.deepStrictEqual(loaded.filter((path) => /map/i.test(path)), [], "and the map is not loaded")
    assert.deepStrictEqual(await app.accessibility(page), [])

    await page.getByRole("button", { name: "Show map" }).focus()
    await page.keyboard.press("Enter")
    await page.locator("[data-ready=yes]").waitFor()
    await first.waitFor({ state: "hidden" })
    const turn = page.getByRole("button", { name: "Show list" })
    assert.isBelow((await turn.boundingBox())?.y ?? Infinity, 100, "the map has the screen")
    assert.strictEqual(await excess(page), 0)
    const drawn = page.getByRole("region", { name: "Map of the results" })
    const size = await drawn.locator("canvas").boundingBox()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await drawn.getByRole("button", { name: "Radius" }).click()
    await turn.focus()
    await page.keyboard.press("Enter")
    await page.locator("button:focus", { hasText: "Show map" }).waitFor()
    await first.waitFor()
    // Nobody comes to it by keys while it is not shown.
    assert.strictEqual(await drawn.count(), 0)
    await page.keyboard.press("Enter")
    await drawn.getByText("Click its middle").waitFor()
    assert.deepStrictEqual(
      await drawn.locator("canvas").boundingBox().then((box) => [box?.width, box?.height]),
      [size?.width, size?.height]
    )

    // With room for both, both are there.
    await page.setViewportSize({ width: 1280, height: 800 })
    await first.waitFor()
    assert.strictEqual(await page.getByRole("button", { name: /^Show (map|list)/ }).count(), 0)
    assert.strictEqual(await drawn.count(), 1)
  })
})

describe("the title of a page", () => {
  it("is its heading, as the page goes on", async () => {
    const page = await app.signedIn("/")
    assert.strictEqual(await page.title(), "Search properties · Freehold")
    await page.getByRole("table").getByRole("link").first().click()
    await page.getByRole("heading", { name: "Record" }).waitFor()
    const heading = await page.getByRole("heading", { level: 1 }).textContent()
    assert.strictEqual(await page.title(), `${heading} · Freehold`)
    await page.getByRole("link", { name: "Pipeline" }).click()
    await page.waitForFunction(() => document.title === "Pipeline · Freehold")
    await page.goBack()
    await page.waitForFunction((title) => document.title === title, `${heading} · Freehold`)
  })
})

describe("the focus", () => {
  const focused = (page: Page, text: string) =>
    page.waitForFunction((text) =>
      document.activeElement?.textContent?.includes(text) === true &&
      document.activeElement !== document.body, text)

  it("goes to what is said of a note once its button is gone", async () => {
    const page = await app.signedIn(aProperty)
    for (const text of ["Once (test)", "Twice (test)"]) {
      await page.getByLabel("New note").fill(text)
      await page.getByLabel("New note").press("Tab")
      await page.keyboard.press("Enter")
      await page.getByRole("listitem").getByText(text).waitFor()
      await focused(page, "The note was added.")
    }
    await page.getByRole("button", { name: "Edit", exact: true }).first().click()
    await page.getByLabel("The note").fill("Thrice (test)")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await focused(page, "The note was saved.")
    await page.getByRole("button", { name: "Delete", exact: true }).first().click()
    await page.keyboard.press("Enter")
    await focused(page, "The note was deleted.")
  })

  it("goes to what is said of a lead and of a task once their buttons are gone", async () => {
    const page = await app.signedIn("/?countyFips=53903&pipelineStatus=none")
    await page.getByRole("table").getByRole("link").first().click()
    await page.getByRole("button", { name: "Qualify" }).click()
    await page.getByLabel(/^Deal value/).fill("9000")
    await page.getByLabel(/^Deal value/).press("Enter")
    await page.getByRole("button", { name: "Move to…" }).waitFor()
    await focused(page, "1 property is in the pipeline")

    for (const title of ["Call (test)", "Write (test)", "Visit (test)"]) {
      await page.getByRole("button", { name: "Add a task" }).click()
      await page.getByLabel("What is to be done").fill(title)
      await page.getByLabel("Due").fill("2026-01-31")
      await page.getByRole("button", { name: "Save the task" }).click()
      await page.getByRole("button", { name: `Done: ${title}` }).waitFor()
    }
    const end = async (title: string) => {
      await page.getByRole("button", { name: `Done: ${title}` }).click()
      await page.getByRole("button", { name: `Done: ${title}` }).waitFor({ state: "detached" })
      await focused(page, `${title}: done.`)
    }
    await end("Call (test)")
    await app.visit(page, "/tasks")
    await end("Write (test)")
    await app.visit(page, "/home")
    await end("Visit (test)")
  })
})

/**
 * `pnpm budgets`: how long people wait for the app over many records, with what each may take at most.
 *
 * They depend on the machine, which should have nothing else to do; what does not, such as the weight of the first page, is
 * in the ordinary tests. Every value is the upper quartile of some runs.
 */
import { load } from "@freehold/adapters-pg/testing/SyntheticProperties"
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import type { Page } from "playwright-core"
import { afterAll, assert, describe, it } from "vitest"
import { runJson } from "../../../cli/test/Freehold.ts"
import { migratedDatabase } from "../../../cli/test/FreshDatabase.ts"
import { useApp } from "../../testing/AppFixture.ts"

const properties = 100_000
const leads = 2000

const organization = {
  org_id: "org_demo",
  name: "Many records (made up)",
  plan: "enterprise",
  serviceable_area: { whole_state_abbrs: ["TX", "CA", "FL", "NY", "IL"], county_fips: [] },
  members: [{ email: "ada@demo.example", name: "Ada Sampleton", role: "admin" }]
}

/** All stages have leads, the first the most. */
const fill = (url: Redacted.Redacted) =>
  administer(url, (sql) =>
    sql`
    INSERT INTO lead (org_id, property_id, status, deal_value, qualified_at, qualified_by, status_changed_at)
    SELECT 'org_demo', id,
      (ARRAY['qualified', 'qualified', 'qualified', 'attempted_contact', 'active_opportunity'])[1 + n % 5], 1000 + n,
      now() - n * interval '1 minute', '{"type": "operator"}', now() - n * interval '1 minute'
    FROM (SELECT id, row_number() OVER (ORDER BY key)::int AS n FROM property ORDER BY key LIMIT ${leads}) AS chosen`)

const app = useApp(undefined, async (env) => {
  const database = await migratedDatabase()
  const url = Redacted.make(database.url)
  await Effect.runPromise(administer(url, () => load({ count: properties, contacts: true })))
  await runJson(
    ["apply", "-"],
    { ...env, DATABASE_URL: database.url },
    JSON.stringify({ organizations: [organization] })
  )
  await Effect.runPromise(fill(url))
  return database
})

const table: Array<{ readonly what: string; readonly milliseconds: number; readonly goal: number }> = []

afterAll(() => console.table(table))

/** Runs one after the other; notes the upper quartile, and holds it to the goal. */
const measure = async (what: string, goal: number, runs: ReadonlyArray<() => Promise<number>>): Promise<void> => {
  const values: Array<number> = []
  for (const run of runs) values.push(await run())
  const milliseconds = Math.round(values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.75) - 1] ?? Number.NaN)
  table.push({ what, milliseconds, goal })
  assert.isAtMost(milliseconds, goal, what)
}

const often = <A>(times: number, run: (index: number) => A): ReadonlyArray<() => A> =>
  Array.from({ length: times }, (_, index) => () => run(index))

const largestPaint = (page: Page): Promise<number> =>
  page.evaluate(() =>
    new Promise<number>((resolve) => {
      new PerformanceObserver((paints) => resolve(paints.getEntries().at(-1)?.startTime ?? Number.NaN))
        .observe({ type: "largest-contentful-paint", buffered: true })
    })
  )

describe("over 100,000 properties", () => {
  it("the search page shows what matters in 1.5 s, with a processor four times as slow", () =>
    measure(
      "largest paint of the search page, processor slowed four times",
      1500,
      often(5, async () => {
        const page = await app.openPage({ map: true })
        const session = await page.context().newCDPSession(page)
        await session.send("Emulation.setCPUThrottlingRate", { rate: 4 })
        await app.signIn(page, "/?countyFips=48001")
        const time = await largestPaint(page)
        await page.context().close()
        return time
      })
    ))

  it("the board with 2,000 leads opens in 500 ms, loaded for the first time", () =>
    measure(
      "board with 2,000 leads, from the click",
      500,
      often(7, async () => {
        const page = await app.signedIn("/tasks")
        const time = await page.evaluate(() =>
          new Promise<number>((resolve) => {
            const began = performance.now()
            const observer = new MutationObserver(() => {
              if (document.querySelector("main [role=group]") === null) return
              observer.disconnect()
              requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
            })
            observer.observe(document.body, { childList: true, subtree: true })
            document.querySelector<HTMLElement>("nav a[href='/pipeline']")?.click()
          })
        )
        await page.context().close()
        return time
      })
    ))

  it("a card follows the mouse over a board that shows all of its 2,000 leads", async () => {
    const page = await app.signedIn("/pipeline")
    const more = page.getByRole("button", { name: /^Show more of / })
    while (await more.count() > 0) {
      await more.first().click()
      await app.rest(page)
    }
    const card = await page.locator("[data-stage=qualified] [data-property]").first().boundingBox()
    assert.isNotNull(card)
    await page.mouse.move(card.x + 20, card.y + 5)
    await page.mouse.down()
    await measure(
      "ten steps of a card over 2,000 others",
      500,
      often(7, async () => {
        const began = performance.now()
        for (let step = 1; step <= 10; step++) await page.mouse.move(card.x + 20 + 20 * step, card.y + 5)
        return performance.now() - began
      })
    )
    await page.mouse.up()
  })

  it("words find their results within 300 ms of the last key", async () => {
    const page = await app.signedIn("/?countyFips=48001")
    const words = page.getByRole("searchbox", { name: /^Words/ })
    await measure(
      "from the last key of some words to their results",
      300,
      often(20, async (index) => {
        await words.fill(`${index + 11} junipe`)
        await app.rest(page)
        const handle = await page.evaluateHandle(() => ({
          painted: new Promise<number>((resolve) => {
            let began = 0
            let wasBusy = false
            addEventListener("keydown", ({ timeStamp }) => began = timeStamp, { capture: true, once: true })
            const observer = new MutationObserver(() => {
              const isBusy = document.querySelector("main [aria-busy=true]") !== null
              if (isBusy || !wasBusy) wasBusy ||= isBusy
              else {
                observer.disconnect()
                requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
              }
            })
            observer.observe(document.body, { attributes: true, childList: true, subtree: true })
          })
        }))
        await words.press("r")
        return await handle.evaluate(({ painted }) => painted)
      })
    )
  })
})

/** What research found, with the words that it rests on: whoever counts as told of is told of. */
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"
import { ask } from "../testing/Ask.ts"

const app = useApp()

const site = "https://www.sample.example"

/** Made-up words about somebody, on a page of that name. */
const words = (subject: object, page: string, quote = `Words of ${page}.`) => ({
  values: [`Value of ${page}`],
  quote,
  source_url: `${site}/${page}`,
  read_at: "2026-11-02T15:04:00.000Z",
  ...subject
})

/** Has the status of each run answered with what is given for the cursor; answers the cursors that were asked for. */
const answered = async (
  page: Page,
  given: (cursor: string | null) => object
): Promise<ReadonlyArray<string | null>> => {
  const cursors: Array<string | null> = []
  await page.route("**/console/service_get_research_status", async (route) => {
    const { cursor = null, run_id } = route.request().postDataJSON()
    cursors.push(cursor)
    const data = await ask(page, "service_get_research_status", { run_id })
    await route.fulfill({ json: { data: { ...data, ...given(cursor) } } })
  })
  return cursors
}

/** A run of the made-up team about a person whom it opened, with a firm. */
const known = async (page: Page) => {
  const { runs: [run] } = await ask(page, "service_list_research_runs", { action: "draft_email" })
  const { organizations: [firm] } = await ask(page, "service_browse_organizations", {})
  return {
    id: String(run.run_id),
    person: { subject_type: "contact", subject_id: run.subject_ids[0] },
    firm: { subject_type: "organization", subject_id: firm.organization_id }
  }
}

describe("what a run found", () => {
  it("is told with whom it is about, the words alone, where they stand and when they were read", async () => {
    const page = await app.signedIn()
    const { firm, id, person } = await known(page)
    const { fullName } = await ask(page, "service_get_contact", { id: person.subject_id })
    await answered(page, () => ({
      evidence: [
        words(person, "team", "<b>Ann</b> of Sample\n& [Co](https://x.example)"),
        { ...words(firm, "about"), source_url: "javascript:alert(1)" }
      ]
    }))
    await app.visit(page, `/research/${id}`)
    const found = page.getByRole("region", { name: "What was found" })
    const [first, second] = [found.getByRole("listitem").first(), found.getByRole("listitem").nth(1)]
    await first.getByRole("link", { name: fullName }).waitFor()
    await first.getByText("Value of team").waitFor()
    assert.strictEqual(
      await first.getByRole("blockquote").textContent(),
      "<b>Ann</b> of Sample\n& [Co](https://x.example)"
    )
    await first.getByText("read Nov 2, 2026, 3:04 PM UTC").waitFor()
    const source = first.getByRole("link", { name: `${site}/team` })
    assert.deepStrictEqual(
      await Promise.all(["href", "rel", "target"].map((name) => source.getAttribute(name))),
      [`${site}/team`, "noreferrer", "_blank"]
    )
    assert.strictEqual(
      await second.getByRole("link", { name: "A firm" }).getAttribute("href"),
      `/firms/${firm.subject_id}`
    )
    // What is no address of the web is no link.
    await second.getByText("javascript:alert(1)").waitFor()
    assert.strictEqual(await second.getByRole("link").count(), 1)
    assert.deepStrictEqual(await app.accessibility(page), [])
  })

  it("goes on where it is asked for, and is not read again while the run is looked at", async () => {
    const page = await app.signedIn()
    const { firm, id } = await known(page)
    const next: Readonly<Record<string, string>> = { first: "second" }
    let isEnded = false
    const cursors = await answered(page, (cursor) => ({
      ...isEnded ? {} : { finished_at: null, status: "running" },
      evidence: [words(firm, cursor ?? "start")],
      next_cursor: cursor === null ? "first" : next[cursor] ?? null
    }))
    await app.visit(page, `/research/${id}`)
    const found = page.getByRole("region", { name: "What was found" })
    const more = found.getByRole("button", { name: "Show more" })
    const shown = (name: string) => found.getByText(`Words of ${name}.`)
    const looked = () => page.waitForResponse((response) => response.request().postDataJSON()?.cursor === undefined)
    await more.click()
    await shown("first").waitFor()
    await more.click()
    await shown("second").waitFor()
    await found.getByText("That is all.").waitFor()
    await looked()
    await looked()
    assert.deepStrictEqual(cursors.filter((cursor) => cursor !== null), ["first", "second"])
    assert.strictEqual(await found.getByRole("listitem").count(), 3)

    // What was found meanwhile may stand on any of the pages.
    isEnded = true
    await shown("first").waitFor({ state: "detached" })
    await more.click()
    await shown("first").waitFor()
    assert.deepStrictEqual(cursors.filter((cursor) => cursor !== null), ["first", "second", "first"])
  })

  it("says on whichever page that the reveals of the day are used up, and not that nothing was found", async () => {
    const page = await app.signedIn()
    const { firm, id } = await known(page)
    const note = page.getByText("The reveals of the day are used up.")
    await answered(page, (cursor) => ({
      evidence: [words(firm, cursor ?? "start")],
      next_cursor: cursor === null ? "first" : null,
      ...cursor === null ? {} : { revealCapExceeded: true }
    }))
    await app.visit(page, `/research/${id}`)
    await page.getByRole("button", { name: "Show more" }).waitFor()
    assert.strictEqual(await note.count(), 0)
    await page.getByRole("button", { name: "Show more" }).click()
    await note.waitFor()
    await page.unroute("**/console/service_get_research_status")
    await answered(page, () => ({ evidence: [], email: null, revealCapExceeded: true }))
    await app.visit(page, `/research/${id}`)
    await note.waitFor()
    assert.strictEqual(await page.getByText("none was found").count(), 0)
  })

  it("is nothing where there is no evidence; a draft names whom it is written to", async () => {
    const page = await app.signedIn()
    const { id } = await known(page)
    const { to } = await ask(page, "service_get_research_status", { run_id: id })
    await app.visit(page, `/research/${id}`)
    await page.getByRole("region", { name: "How it stands" }).getByText(to.name).first().waitFor()
    await page.getByRole("link", { name: to.email }).waitFor()
    assert.strictEqual(await page.getByRole("region", { name: "What was found" }).count(), 0)
  })

  it("is told where it was researched as well", async () => {
    const page = await app.signedIn("/?countyFips=53903&researchState=none")
    const { firm } = await known(page)
    await answered(page, () => ({ evidence: [words(firm, "about")] }))
    await page.getByRole("table").getByRole("link").first().click()
    await page.getByRole("button", { name: "Research for 10 credits" }).click()
    await page.getByText(/^Research: /).waitFor()
    await page.getByRole("blockquote").getByText("Words of about.").waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
  })
})

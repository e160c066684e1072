/** What an operation answers whoever is signed in on a page, asked for beside what the page itself asks for. */
import type { Page } from "playwright-core"
import { assert } from "vitest"

export const ask = async (page: Page, operation: string, data: object) => {
  const answer = await page.request.post(`/console/${operation}`, {
    data,
    headers: { "sec-fetch-site": "same-origin" }
  })
  assert.isTrue(answer.ok(), await answer.text())
  return (await answer.json()).data
}

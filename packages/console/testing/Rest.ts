/** Whether a page is at rest: everything that it asked for is there, and nothing says that it is still to come. */
import type { BrowserContext, Page, Request } from "playwright-core"

/** What the pages of a context have asked for and not been answered. */
export const watchRequests = (context: BrowserContext): ReadonlySet<Request> => {
  const pending = new Set<Request>()
  context.on("request", (request) => pending.add(request))
  context.on("requestfinished", (request) => pending.delete(request))
  context.on("requestfailed", (request) => pending.delete(request))
  return pending
}

/** In the page: a heading is there, and no status ends in dots, as those do that say what is awaited. */
const isShown = (): boolean =>
  document.querySelector("main h1") !== null &&
  !Array.from(document.querySelectorAll("[role=status]")).some(({ textContent }) => textContent.trim().endsWith("…"))

/** What has just arrived is drawn, and what that asks for has been asked. */
const drawn = (): Promise<void> =>
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))

/** Whether it still stands when it is drawn: not if it goes elsewhere meanwhile. */
const stands = async (page: Page): Promise<boolean> => {
  await page.waitForFunction(isShown)
  try {
    await page.evaluate(drawn)
    return await page.evaluate(isShown)
  } catch (error) {
    if (error instanceof Error && /context was destroyed/.test(error.message)) return false
    throw error
  }
}

export const atRest = async (page: Page, pending: ReadonlySet<Request>): Promise<void> => {
  for (let times = 0; times < 2;) {
    times = await stands(page) && pending.size === 0 ? times + 1 : 0
    await Promise.all(Array.from(pending, (request) => request.response().then((response) => response?.finished())))
  }
}

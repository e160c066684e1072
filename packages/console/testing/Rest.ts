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

/** In the page: a heading is there, no status ends in dots, as those do that say what is awaited, and so it is still when that is drawn. */
const isShown = async (): Promise<boolean> => {
  const shown = () =>
    document.querySelector("main h1") !== null &&
    !Array.from(document.querySelectorAll("[role=status]")).some(({ textContent }) => textContent.trim().endsWith("…"))
  if (!shown()) return false
  await new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
  return shown()
}

/** A page that goes elsewhere meanwhile is waited for there. */
export const atRest = async (page: Page, pending: ReadonlySet<Request>): Promise<void> => {
  for (let drawn = 0; drawn < 2;) {
    await page.waitForFunction(isShown)
    drawn = pending.size === 0 ? drawn + 1 : 0
    await Promise.all(Array.from(pending, (request) => request.response().then((response) => response?.finished())))
  }
}

/** What goes wrong in pages though no test asks: other origins, violations of the policy, scripts that fail. */
import type { BrowserContext } from "playwright-core"

/** What a browser writes of answers that the page itself tells of: refusals, and a server that is away. */
const told = /the server responded with a status of 4\d\d|net::ERR_CONNECTION_REFUSED/

/** Adds to `faults`. `origins`: where pages may lead. */
export const watchFaults = async (
  context: BrowserContext,
  origins: ReadonlyArray<string>,
  faults: Array<string>
): Promise<void> => {
  context.on("console", (message) => {
    if (message.type() === "error" && !told.test(message.text())) faults.push(`console: ${message.text()}`)
  })
  context.on("weberror", (error) => faults.push(`script: ${error.error().message}`))
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url())
    if (!origins.includes(origin) && protocol !== "blob:") faults.push(`another origin: ${request.url()}`)
  })
  await context.addInitScript(() => {
    document.addEventListener(
      "securitypolicyviolation",
      ({ blockedURI, violatedDirective }) => console.error(`policy: ${violatedDirective} ${blockedURI}`)
    )
  })
}

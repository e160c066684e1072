/**
 * The app as a person meets it: `freehold serve --demo` over a database of its own, and a real browser.
 *
 * A page of `openPage` fails its test when anything is asked of another origin, the policy of the page is violated, a script
 * fails, or something is written to the console as an error.
 */
import { readFile } from "node:fs/promises"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll } from "vitest"
import { serve, type Server } from "../../cli/test/Freehold.ts"
import { freshDatabase } from "../../cli/test/FreshDatabase.ts"
import { axe, launch } from "./Chromium.ts"
import { memberSecret } from "./MemberLink.ts"

declare global {
  interface Window {
    axe: {
      run: (
        options: object
      ) => Promise<{ violations: ReadonlyArray<{ id: string; nodes: ReadonlyArray<{ html: string }> }> }>
    }
  }
}

export interface App {
  /** Of the server. */
  readonly origin: () => string
  /** A page of a browser in which nobody is signed in. */
  readonly openPage: (options?: BrowserContextOptions) => Promise<Page>
  /** Signs the member of that address in, at a path. */
  readonly signIn: (page: Page, path?: string, email?: string) => Promise<void>
  /** A page in which the member of that address is signed in, at a path. */
  readonly signedIn: (path?: string, options?: BrowserContextOptions & { readonly email?: string }) => Promise<Page>
  /** What axe finds wrong with the page as it is. */
  readonly accessibility: (page: Page) => Promise<ReadonlyArray<string>>
  /** Stops the server, for good. */
  readonly stop: () => Promise<unknown>
  /** The settings of commands about the same database. */
  readonly env: () => Readonly<Record<string, string>>
}

/** WCAG 2.2 AA. */
const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

/** What a browser writes of answers that the page itself tells of: refusals, and a server that is away. */
const told = /the server responded with a status of 4\d\d|net::ERR_CONNECTION_REFUSED/

/** Faults of a page that its test does not speak of. */
const watch = (context: BrowserContext, origins: ReadonlyArray<string>, faults: Array<string>): void => {
  context.on("console", (message) => {
    if (message.type() === "error" && !told.test(message.text())) {
      faults.push(`console: ${message.text()}`)
    }
  })
  context.on("weberror", (error) => faults.push(`script: ${error.error().message}`))
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url())
    if (!origins.includes(origin) && protocol !== "blob:") {
      faults.push(`another origin: ${request.url()}`)
    }
  })
}

export interface Surroundings {
  readonly settings?: Readonly<Record<string, string>>
  /** Where else pages lead on purpose. */
  readonly origins?: ReadonlyArray<string>
}

/** The app for the tests of a file. `surround`: what has to be there before the server. */
export const useApp = (surround: () => Promise<Surroundings> = () => Promise.resolve({})): App => {
  let browser: Browser
  let server: Server
  let env: Readonly<Record<string, string>>
  let drop: () => Promise<void>
  let origin = ""
  let elsewhere: ReadonlyArray<string> = []
  const contexts: Array<BrowserContext> = []
  const faults: Array<string> = []

  beforeAll(async () => {
    const [database, surroundings] = await Promise.all([freshDatabase(), surround()])
    elsewhere = surroundings.origins ?? []
    drop = database.drop
    env = {
      DATABASE_URL: database.url,
      FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
      FREEHOLD_DATA_DIR: `${import.meta.dirname}/../node_modules/.cache/demonstration`,
      LOG_LEVEL: "error",
      ...surroundings.settings
    }
    const [started, running] = await Promise.all([launch(), serve(["--demo"], env)])
    browser = started
    server = running
    origin = new URL(server.url).origin
  })

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    assert.deepStrictEqual(faults.splice(0), [])
  })

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await drop?.()
  })

  const openPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: origin,
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      ...options
    })
    contexts.push(context)
    watch(context, [origin, ...elsewhere], faults)
    await context.addInitScript(() => {
      document.addEventListener(
        "securitypolicyviolation",
        ({ blockedURI, violatedDirective }) => console.error(`policy: ${violatedDirective} ${blockedURI}`)
      )
    })
    return context.newPage()
  }

  const signIn = async (page: Page, path = "/", email = "ada@demo.example"): Promise<void> => {
    await page.goto(`/sign-in?to=${encodeURIComponent(path)}#${await memberSecret(email, env)}`)
    await page.getByRole("button", { name: /^Sign in as/ }).click()
    await page.getByRole("link", { name: "Freehold" }).waitFor()
  }

  return {
    origin: () => origin,
    env: () => env,
    stop: () => server.stop(),
    openPage,
    signIn,
    signedIn: async (path, { email, ...options } = {}) => {
      const page = await openPage(options)
      await signIn(page, path, email)
      return page
    },
    accessibility: async (page) => {
      await page.evaluate(await readFile(axe, "utf8"))
      const { violations } = await page.evaluate((rules) => window.axe.run({ runOnly: rules }), rules)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
    }
  }
}

/**
 * The app as a person meets it: `freehold serve` over a demonstration of its own, and a real browser.
 *
 * A page of `openPage` fails its test when anything is asked of another origin, the policy of the page is violated, a script
 * fails, or something is written to the console as an error.
 */
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, inject } from "vitest"
import { demonstrationDatabase, settings as demonstrationSettings } from "../../cli/test/DemonstrationDatabase.ts"
import { runJson, serve, type Server } from "../../cli/test/Freehold.ts"
import type { FurnishedDatabase } from "../../cli/test/FurnishedDatabase.ts"
import { ask } from "../../freehold/testing/Door.ts"
import { flawsOf } from "./Accessibility.ts"
import { watchFaults } from "./Faults.ts"
import { atRest, watchRequests } from "./Rest.ts"
import { memberSecret } from "./SignInSecret.ts"

export interface PageOptions extends BrowserContextOptions {
  /** Draws maps, which takes a processor without a graphics card seconds; without, the list stands alone. */
  readonly map?: boolean
  /** What the browser is meant to complain of here. */
  readonly expected?: RegExp
}

export interface App {
  /** Of the server. */
  readonly origin: () => string
  /** A page of a browser in which nobody is signed in. */
  readonly openPage: (options?: PageOptions) => Promise<Page>
  /** The path that signs the member of that address in, once somebody agrees. */
  readonly linkOf: (email?: string) => Promise<string>
  /** Signs the member of that address in, and goes to a path. */
  readonly signIn: (page: Page, path?: string, email?: string) => Promise<void>
  /** A page in which the member of that address is signed in, at rest at a path. */
  readonly signedIn: (path?: string, options?: PageOptions & { readonly email?: string }) => Promise<Page>
  /** Goes to a path, and waits until the page is at rest. */
  readonly visit: (page: Page, path: string) => Promise<void>
  /** Waits until everything that the page asked for is there. */
  readonly rest: (page: Page) => Promise<void>
  /** What axe finds wrong with the page as it is, in light and dark. */
  readonly accessibility: (page: Page) => Promise<ReadonlyArray<string>>
  /** Stops the server, for good. */
  readonly stop: () => Promise<unknown>
  /** The settings of commands about the same database. */
  readonly env: () => Readonly<Record<string, string>>
  /** Makes or changes an organization as `freehold apply` does; without an `org_id`, that of the demonstration. */
  readonly apply: (organization: object) => Promise<unknown>
}

export interface Surroundings {
  readonly settings?: Readonly<Record<string, string>>
  /** Where else pages lead on purpose. */
  readonly origins?: ReadonlyArray<string>
}

/** The member of the demonstration. */
const ada = "ada@demo.example"

/** In the page: as on a machine that cannot draw in three dimensions. */
const withoutWebGl = (): void => {
  const real = HTMLCanvasElement.prototype.getContext
  Object.defineProperty(HTMLCanvasElement.prototype, "getContext", {
    value(this: HTMLCanvasElement, kind: string, ...more: ReadonlyArray<unknown>) {
      return kind === "webgl2" ? null : Reflect.apply(real, this, [kind, ...more])
    }
  })
}

const settings = {
  ...demonstrationSettings,
  FREEHOLD_TRUSTED_PROXIES: "127.0.0.1/32",
  LOG_LEVEL: "error"
}

/** The browser of this run of tests. */
const connect = async (): Promise<Browser> => chromium.connect(await ask(inject("browserDoor")))

/** The app for the tests of a file. `surround`: what has to be there before the server. `furnish`: makes its database. */
export const useApp = (
  surround: () => Promise<Surroundings> = () => Promise.resolve({}),
  furnish: (env: Readonly<Record<string, string>>) => Promise<FurnishedDatabase> = demonstrationDatabase
): App => {
  let browser: Browser
  let server: Server
  let env: Readonly<Record<string, string>>
  let drop: () => Promise<void>
  let origin = ""
  let elsewhere: ReadonlyArray<string> = []
  const pages = new Map<Page, ReadonlySet<Request>>()
  let opened = 0
  const faults: Array<string> = []

  beforeAll(async () => {
    const [connected, database, surroundings] = await Promise.all([
      connect(),
      furnish(settings),
      surround()
    ])
    browser = connected
    drop = database.drop
    elsewhere = surroundings.origins ?? []
    env = { ...settings, DATABASE_URL: database.url, ...surroundings.settings }
    server = await serve([], env)
    origin = new URL(server.url).origin
  })

  afterEach(async () => {
    await Promise.all(Array.from(pages.keys(), (page) => page.context().close()))
    pages.clear()
    assert.deepStrictEqual(faults.splice(0), [])
  })

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await drop?.()
  })

  const openPage = async ({ expected, map = false, ...options }: PageOptions = {}): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: origin,
      viewport: { width: 1280, height: 800 },
      reducedMotion: "reduce",
      // Each browser is a machine of its own: an address may ask for so much a minute.
      extraHTTPHeaders: { "x-forwarded-for": `192.0.2.${++opened}` },
      ...options
    })
    await watchFaults(context, [origin, ...elsewhere], (fault) => {
      if (expected?.test(fault) !== true) faults.push(fault)
    })
    if (!map) await context.addInitScript(withoutWebGl)
    const pending = watchRequests(context)
    const page = await context.newPage()
    pages.set(page, pending)
    return page
  }

  const rest = (page: Page): Promise<void> => atRest(page, pages.get(page) ?? new Set())

  const visit = async (page: Page, path: string): Promise<void> => {
    await page.goto(path)
    await rest(page)
  }

  const signIn = async (page: Page, path = "/", email = ada): Promise<void> => {
    const answer = await page.context().request.post("/console/sign-in", {
      headers: { origin },
      data: { link: await memberSecret(email, env) }
    })
    assert.isTrue(answer.ok(), await answer.text())
    await visit(page, path)
  }

  return {
    origin: () => origin,
    env: () => env,
    apply: (organization) =>
      runJson(["apply", "-"], env, JSON.stringify({ organizations: [{ org_id: "org_demo", ...organization }] })),
    stop: () => server.stop(),
    openPage,
    visit,
    rest,
    signIn,
    linkOf: async (email = ada) => `/sign-in#${await memberSecret(email, env)}`,
    signedIn: async (path, { email, ...options } = {}) => {
      const page = await openPage(options)
      await signIn(page, path, email)
      return page
    },
    accessibility: flawsOf
  }
}

/** What a browser is asked to load, and what no other site's page can do with somebody's session. */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { Locator, Page } from "playwright-core"
import { afterAll, assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"

/** A page of another origin of the same host, with which the browser shares the app's cookie. */
const startSite = async () => {
  const site = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><link rel=icon href=data:,><h1>Elsewhere</h1>")
  })
  site.listen(0, "127.0.0.1")
  await once(site, "listening")
  const address = site.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return { origin: `http://127.0.0.1:${address.port}`, close: () => site.close() }
}

let site: Awaited<ReturnType<typeof startSite>>

const app = useApp(async () => {
  site = await startSite()
  return { origins: [site.origin] }
})

afterAll(() => site?.close())

const dist = join(import.meta.dirname, "../dist")

/** Compressed bytes of a document and of all that it loads before it does anything. */
const weightOf = (document: string): number => {
  const seen = new Set<string>()
  const pending = [document]
  let bytes = 0
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const content = readFileSync(join(dist, file))
    bytes += gzipSync(content, { level: 9 }).length
    const text = content.toString()
    const named = file.endsWith(".html")
      ? text.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)
      // What is imported at the top, and not when it is asked for.
      : file.endsWith(".js")
      ? text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)
      : []
    for (const [, name = ""] of named) pending.push(name.startsWith("assets/") ? name : `assets/${name}`)
  }
  return bytes
}

const kibibyte = 1024

describe("what is loaded", () => {
  it("is at most 150 KB for the app's first page and 15 KB for the sign-in page, compressed", () => {
    assert.isBelow(weightOf("index.html"), 150 * kibibyte)
    assert.isAbove(weightOf("index.html"), 50 * kibibyte, "the code is counted")
    assert.isBelow(weightOf("sign-in.html"), 15 * kibibyte)
  })

  it("is few files, of which a browser asks for six at a time", () => {
    const files = Array.from(readFileSync(join(dist, "index.html"), "utf8").matchAll(/"\/assets\/[^"]+\.(?:js|css)"/g))
    assert.isAtLeast(files.length, 2)
    assert.isAtMost(files.length, 8)
  })

  it("has nothing of a late page before that page is opened", async () => {
    const page = await app.openPage()
    const loaded: Array<string> = []
    page.context().on("request", (request) => loaded.push(new URL(request.url()).pathname))
    await page.goto("/sign-in")
    await page.getByText("You are not signed in.").waitFor()
    assert.deepStrictEqual(loaded.filter((path) => /Main|index-|app-|shared-/.test(path)), [])
    const signedIn = await app.signedIn("/")
    const atFirst: Array<string> = await signedIn.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
    )
    assert.deepStrictEqual(atFirst.filter((path) => /SessionsPage|OrganizationsPage/.test(path)), [])
  })
})

describe("what cannot be shown", () => {
  const gone = /Failed to fetch dynamically imported module|Unable to preload CSS/
  const fault = (page: Page) => page.getByRole("heading", { name: "Something went wrong" })
  const isFocused = (heading: Locator) => heading.evaluate((element) => element === document.activeElement)

  it("is a late page whose file is gone: it says so, the way around stays, and a reload brings it", async () => {
    const page = await app.signedIn("/", { expected: gone })
    await page.route("**/assets/BoardPage-*.js", (route) => route.fulfill({ status: 404 }))
    await page.getByRole("link", { name: "Pipeline" }).click()
    await fault(page).waitFor()
    assert.isTrue(await isFocused(fault(page)))
    assert.deepStrictEqual(await app.accessibility(page), [])

    await page.getByRole("link", { name: "Tasks" }).click()
    const tasks = page.getByRole("heading", { name: "Tasks", level: 1 })
    await tasks.waitFor()
    await app.rest(page)
    assert.isTrue(await isFocused(tasks), "a late page is read from its heading on, too")
    await page.goBack()
    await fault(page).waitFor()
    await page.unroute("**/assets/BoardPage-*.js")
    await page.getByRole("button", { name: "Reload" }).click()
    await page.getByRole("region", { name: "Qualified", exact: true }).waitFor()
  })

  it("is a late page of a version that is gone: it comes in the version of now by itself, once", async () => {
    const page = await app.signedIn("/", { expected: gone })
    const renewed = `<script type="module" src="/assets/index-renewed.js"></script>`
    let loaded = 0
    page.on("load", () => loaded++)
    await page.route(
      /\/(pipeline|people)$/,
      (route) => route.request().isNavigationRequest() ? route.continue() : route.fulfill({ body: renewed })
    )
    await page.route("**/assets/BoardPage-*.js", (route) => route.fulfill({ status: 404 }), { times: 1 })
    await page.getByRole("link", { name: "Pipeline" }).click()
    await page.getByRole("region", { name: "Qualified", exact: true }).waitFor()
    assert.strictEqual(loaded, 1)

    // Another one that is gone at once after is told, so that no tab loads for ever.
    await page.route("**/assets/PeoplePage-*.js", (route) => route.fulfill({ status: 404 }))
    await page.getByRole("link", { name: "People" }).click()
    const heading = page.getByRole("heading", { name: "Freehold was renewed" })
    await heading.waitFor()
    await page.getByText("Freehold was renewed since you opened this tab.").waitFor()
    assert.isTrue(await isFocused(heading))
    assert.strictEqual(loaded, 1)
  })

  it("says whether it cannot be reached, or a file did not arrive", async () => {
    const page = await app.signedIn("/", {
      expected: /Failed to fetch dynamically|Unable to preload CSS|ERR_FAILED|ERR_INTERNET/
    })
    await page.context().setOffline(true)
    await page.getByRole("link", { name: "Pipeline" }).click()
    await page.getByText("Freehold cannot be reached: you may be offline.").waitFor()
    await page.context().setOffline(false)
    await page.getByRole("button", { name: "Reload" }).click()
    await page.getByRole("region", { name: "Qualified", exact: true }).waitFor()
    await page.route("**/assets/PeoplePage-*.js", (route) => route.abort())
    await page.getByRole("link", { name: "People" }).click()
    await page.getByText("A file of it did not arrive.").waitFor()
    await page.unroute("**/assets/PeoplePage-*.js")
    await page.getByRole("button", { name: "Reload" }).click()
    await page.getByRole("heading", { name: "People", level: 1 }).waitFor()
  })

  it.each(["/", "/operator"])(
    "is %s without a single file at the first visit: it says so, and loads again",
    async (path) => {
      const page = await app.openPage({ expected: /ERR_FAILED/ })
      await page.route("**/assets/**", (route) => route.abort())
      await page.goto(path)
      await page.getByText("Freehold is not here yet.").waitFor()
      await page.unroute("**/assets/**")
      await page.getByRole("link", { name: "Load again" }).click()
      await page.getByText(/^You are not signed in/).waitFor()
    }
  )

  it("is an app whose scripts alone do not come: it is told after a while, in its colours", async () => {
    const page = await app.openPage({ expected: gone })
    await page.route("**/assets/app-*.js", (route) => route.fulfill({ status: 404 }))
    await page.goto("/")
    const told = page.getByText("Freehold is not here yet.")
    assert.isFalse(await told.isVisible())
    await page.evaluate(() => document.getAnimations().forEach((each) => each.finish()))
    await told.waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
  })

  it("is the sign-in: it says what to do, and that the link is as good as before", async () => {
    const page = await app.openPage({ expected: /ERR_FAILED/ })
    await page.route("**/assets/*.js", (route) => route.abort())
    await page.goto(await app.linkOf())
    await page.evaluate(() => document.getAnimations().forEach((each) => each.finish()))
    await page.getByText("Reload the page; a sign-in link is not used up by that.").waitFor()
    await page.unroute("**/assets/*.js")
    await page.reload()
    await page.getByRole("button", { name: "Sign in as Ada Sampleton" }).waitFor()
    assert.strictEqual(await page.getByText("Reload the page").count(), 0)
  })

  it("is a page that an answer breaks, and nothing around it", async () => {
    const page = await app.signedIn("/", { expected: /TypeError/ })
    await page.route("**/console/app_open_property", (route) => route.fulfill({ json: { data: { property: null } } }))
    await page.goto("/properties/53903-DEMO00001")
    await fault(page).waitFor()
    assert.isTrue(await isFocused(fault(page)))
    await page.getByRole("link", { name: "Tasks" }).click()
    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor()
  })

  it("is the map, beside the list, or what Ctrl-K opens, above the page", async () => {
    const page = await app.openPage({ expected: gone })
    await page.route(/\/assets\/(MapPane|Command)-.*\.js/, (route) => route.fulfill({ status: 404 }))
    await app.signIn(page, "/?countyFips=53903")
    await page.getByText("The map could not be shown.").waitFor()
    await page.getByRole("table", { name: "Properties found" }).waitFor()
    await page.keyboard.press("Control+k")
    const dialog = page.getByRole("dialog", { name: "Find or do" })
    await dialog.getByRole("button", { name: "Reload" }).waitFor()
    await dialog.getByRole("button", { name: "Close" }).click()
    await page.getByRole("table", { name: "Properties found" }).waitFor()
  })
})

describe("the reference of the API", () => {
  it("has the app's cookie and calls /v1 alone", async () => {
    const page = await app.signedIn("/", { expected: /connect-src|Content Security Policy/ })
    await page.goto("/docs")
    await page.locator(".opblock").first().waitFor()
    const answers = await page.evaluate(() =>
      Promise.all(
        [
          () => fetch("/v1/me"),
          () => fetch("/console/app_get_session", { method: "POST", body: "{}" }),
          () => fetch("/v1/../console/app_get_session", { method: "POST", body: "{}" }),
          () => fetch("/properties/53903-DEMO00001")
        ].map((ask) => ask().then(({ status }) => status, () => "not asked"))
      )
    )
    assert.deepStrictEqual(answers, [401, "not asked", "not asked", "not asked"])
  })
})

describe("another site's page", () => {
  it("cannot act as whoever is signed in, by a script or by a form, though the browser has the cookie", async () => {
    const page = await app.signedIn("/")
    const signOut = `${app.origin()}/console/sign-out`
    await page.goto(site.origin)
    // The page may go on before its browser tells of the answer.
    const [refused] = await Promise.all([
      page.waitForResponse(signOut),
      page.evaluate(
        (to) =>
          fetch(to, { method: "POST", credentials: "include", mode: "no-cors", body: "{}" }).catch(() => undefined),
        signOut
      )
    ])
    assert.strictEqual(refused.status(), 403)
    await Promise.all([
      page.waitForURL(signOut),
      page.evaluate((to) => {
        const form = document.createElement("form")
        form.method = "post"
        form.action = to
        document.body.append(form)
        form.submit()
      }, signOut)
    ])
    assert.include(await page.content(), "FOREIGN_ORIGIN")
    await page.goto(`${app.origin()}/`)
    await page.getByRole("link", { name: "Freehold" }).waitFor()
  })
})

describe("without a server", () => {
  it("says that it cannot be reached, and what to do", async () => {
    const page = await app.signedIn("/")
    await app.stop()
    await page.getByRole("list", { name: "By category" }).getByRole("button", { name: /^Office/ }).click()
    await page.getByText("The server cannot be reached. Look at your connection, and try again.").waitFor()
  })
})

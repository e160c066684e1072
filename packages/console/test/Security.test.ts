/** What a browser is asked to load, and what no other site's page can do with somebody's session. */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
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

  it("has nothing of a late page before that page is opened", async () => {
    const page = await app.openPage()
    const loaded: Array<string> = []
    page.context().on("request", (request) => loaded.push(new URL(request.url()).pathname))
    await page.goto("/sign-in")
    await page.getByText("You are not signed in.").waitFor()
    assert.deepStrictEqual(loaded.filter((path) => /Main|index-/.test(path)), [])
    const signedIn = await app.signedIn("/")
    const atFirst: Array<string> = await signedIn.evaluate(() =>
      performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)
    )
    assert.deepStrictEqual(atFirst.filter((path) => /SessionsPage|OrganizationsPage/.test(path)), [])
  })
})

describe("another site's page", () => {
  it("cannot act as whoever is signed in, by a script or by a form, though the browser has the cookie", async () => {
    const page = await app.signedIn("/")
    const answers: Array<number> = []
    page.context().on("response", (response) => {
      if (response.url().endsWith("/console/sign-out")) answers.push(response.status())
    })
    await page.goto(site.origin)
    await page.evaluate(
      (to) => fetch(to, { method: "POST", credentials: "include", mode: "no-cors", body: "{}" }).catch(() => undefined),
      `${app.origin()}/console/sign-out`
    )
    assert.deepStrictEqual(answers, [403])
    const answered = page.waitForURL(`${app.origin()}/console/sign-out`)
    await page.evaluate((to) => {
      const form = document.createElement("form")
      form.method = "post"
      form.action = to
      document.body.append(form)
      form.submit()
    }, `${app.origin()}/console/sign-out`)
    await answered
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

/** Signing in by the operator's authorization server, being in several organizations, and leaving. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Issuer, startIssuer } from "../../cli/test/Issuer.ts"
import { useApp } from "../testing/AppFixture.ts"

let issuer: Issuer

const app = useApp(async () => {
  issuer = await startIssuer(() => "http://127.0.0.1/v1/mcp")
  issuer.know("ada", { email: "ada@demo.example", email_verified: true })
  issuer.know("bert", { email: "bert@nobody.example", email_verified: true })
  issuer.know("eve", { email: "ada@demo.example" })
  issuer.know("ned", { email: "ned@demo.example", email_verified: true })
  issuer.know("dan", { email: "dan@nobody.example" })
  return {
    settings: {
      OAUTH_ISSUER: issuer.url,
      FREEHOLD_SIGN_IN_CLIENT_ID: issuer.app.id,
      FREEHOLD_SIGN_IN_CLIENT_SECRET: issuer.app.secret
    },
    origins: [issuer.url]
  }
})

const member = { email: "ada@demo.example", name: "Ada Sampleton", role: "admin" }

const seatless = { email: "ned@demo.example", name: "Ned Sampleton", role: "member", seat: false }

beforeAll(() => app.apply({ org_id: "org_second", name: "Second (demo)", plan: "team", members: [member, seatless] }))

afterAll(() => issuer?.close())

/** Asks for a page as somebody whom the issuer knows, and signs in where that leads. */
const signInAs = async (subject: string, path = "/"): Promise<Page> => {
  issuer.next = subject
  const page = await app.openPage()
  await page.goto(path)
  await page.getByRole("link", { name: /^Sign in with 127\.0\.0\.1/ }).click()
  return page
}

/** The cookies of the app; the issuer's are those of the same host. */
const cookiesOf = async (page: Page) =>
  (await page.context().cookies(app.origin())).filter(({ name }) => name.startsWith("freehold-"))

/** Goes all the way through a sign-in but its last step; answers the address of that. */
const answerOf = async (page: Page): Promise<string> => {
  let at = `${app.origin()}/sign-in/issuer?to=/`
  for (let step = 0; step < 10 && !at.includes("/sign-in/callback"); step++) {
    const answer = await page.context().request.get(at, { maxRedirects: 0 })
    at = new URL(answer.headers()["location"] ?? "", at).href
  }
  return at
}

describe("the authorization server's sign-in", () => {
  it("of somebody without a seat says so, and lets them out again", async () => {
    const page = await signInAs("ned")
    await page.getByText("You have no seat in this organization.").waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("button", { name: "Yes, sign me out" }).click()
    await page.getByText("You are not signed in.").waitFor()
    assert.deepStrictEqual(await cookiesOf(page), [])
  })

  it("leads to an organization and to where the person was going, and out again at both ends", async () => {
    const page = await signInAs("ada", "/properties/53903-DEMO00001")
    await page.getByRole("heading", { name: "My organizations" }).waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    const cookies = () => cookiesOf(page)
    const [first, ...others] = await cookies()
    assert.match(first?.name ?? "", /^freehold-\d+$/, "what tied the sign-in together is forgotten")
    assert.deepStrictEqual(others, [])
    assert.match(first?.value ?? "", /^[\w-]{43}$/, "no token")

    await page.getByRole("button", { name: "Second (demo)" }).click()
    await page.waitForURL(/\/properties\/53903-DEMO00001$/)
    await page.getByText("Ada Sampleton").click()
    await page.getByText("Second (demo)").waitFor()
    const [changed] = await cookies()
    assert.notStrictEqual(changed?.value, first?.value)

    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("button", { name: "Yes, sign me out" }).click()
    await page.getByText("You are not signed in.").waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    assert.deepStrictEqual(await cookies(), [])
  })

  it("is over for whoever goes back to a page that they left by signing out", async () => {
    const page = await signInAs("ada")
    await page.getByRole("heading", { name: "My organizations" }).waitFor()
    await app.visit(page, "/home")
    await page.getByText("Ada Sampleton").click()
    // As with a browser that keeps pages as they were.
    await page.route(`${issuer.url}/**`, (route) => route.fulfill({ status: 204 }))
    const left = page.waitForRequest((request) => request.url().startsWith(issuer.url))
    await page.getByRole("button", { name: "Sign out" }).click()
    await left
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })))
    await page.getByRole("link", { name: "Tasks", exact: true }).click()
    await page.waitForURL(/\/sign-in\?.*ended=yes/)
  })

  it("stays in an organization when another one that was chosen is suspended", async () => {
    const page = await signInAs("ada")
    await page.getByRole("heading", { name: "My organizations" }).waitFor()
    await app.apply({ org_id: "org_second", status: "suspended" })
    await page.getByRole("button", { name: "Second (demo)" }).click()
    await page.getByText("The organization is suspended.").waitFor()
    await page.getByText("It is about Second (demo).").waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await app.visit(page, "/home")
    await page.getByText("Ada Sampleton").click()
    await page.getByRole("link", { name: "Change organization" }).click()
    await page.getByRole("button", { name: /you are here/ }).waitFor()
    await app.apply({ org_id: "org_second", status: "active" })
  })

  it.each([
    ["who is no member", "bert", "no member of an organization here"],
    ["whose address is not verified", "eve", "has not confirmed an email address of yours"],
    ["whose address is not verified, and who is no member", "dan", "has not confirmed an email address of yours"],
    ["whom the issuer refuses", "", "Your sign-in was not confirmed."]
  ])("tells somebody %s so, and offers to begin anew", async (_, subject, sentence) => {
    const page = await signInAs(subject, "/tasks?mine=yes")
    await page.getByText(sentence).waitFor()
    const again = await page.getByRole("link", { name: /^Sign in with/ }).getAttribute("href")
    assert.strictEqual(again, `/sign-in/issuer?${new URLSearchParams({ to: "/tasks?mine=yes" })}`)
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.goto("/")
    await page.getByText("You are not signed in.").waitFor()
  })

  it("is of no use in another browser, twice, or with another state", async () => {
    issuer.next = "ada"
    const victim = await app.openPage()
    const attacker = await app.openPage()
    const answer = await answerOf(attacker)
    assert.match(answer, /\/sign-in\/callback\?.*code=/)
    const ended = "This sign-in began in another browser"
    await victim.goto(answer)
    await victim.getByText(ended).waitFor()

    const kept = await cookiesOf(attacker)
    assert.lengthOf(kept, 1)
    await attacker.goto(answer.replace(/state=[^&]+/, "state=another"))
    await attacker.getByText(ended).waitFor()
    assert.deepStrictEqual(await cookiesOf(attacker), [])

    await attacker.context().addCookies(kept)
    await attacker.goto(answer)
    await attacker.getByRole("heading", { name: "My organizations" }).waitFor()
    await attacker.context().clearCookies()
    await attacker.context().addCookies(kept)
    await attacker.goto(answer)
    await attacker.getByText(ended).waitFor()
  })

  it("goes nowhere but to a page of this app", async () => {
    issuer.next = "ada"
    const page = await app.openPage()
    for (
      const to of [
        "//elsewhere.example/",
        "/%09/elsewhere.example/",
        "/%0a/elsewhere.example/",
        "/%5celsewhere.example/"
      ]
    ) {
      await page.goto(`/sign-in/issuer?to=${to}`)
      await page.getByRole("heading", { name: "My organizations" }).waitFor()
      assert.strictEqual(new URL(page.url()).searchParams.get("to"), "/", to)
    }
  })

  it("goes to the first page in the place of one whose address is longer than a cookie may be", async () => {
    const page = await app.openPage()
    const begun = (to: string) =>
      page.context().request.get(`/sign-in/issuer?to=${to}`, { maxRedirects: 0 }).then((answer) =>
        answer.headers()["set-cookie"]?.length ?? 0
      )
    const usual = await begun("/")
    assert.isAbove(await begun(`/${"x".repeat(1900)}`), usual)
    assert.isBelow(await begun(`/${"x".repeat(1900)}`), 4096)
    assert.strictEqual(await begun(`/${"x".repeat(9000)}`), usual)
  })

  it("ends with the membership, on the next click", async () => {
    const page = await app.signedIn("/")
    await app.apply({ org_id: "org_demo", members: [{ ...member, status: "removed" }] })
    await page.getByRole("list", { name: "By category" }).getByRole("button", { name: /^Office/ }).click()
    await page.getByText("Your session has ended.").waitFor()
    await app.apply({ org_id: "org_demo", members: [{ ...member, status: "active" }] })
    // Signed in again in another tab: this one goes on where it was.
    const other = await page.context().newPage()
    await other.goto(await app.linkOf())
    await other.getByRole("button", { name: "Sign in as Ada Sampleton" }).click()
    await page.getByRole("table", { name: "Properties found" }).waitFor()
  })

  it("of an organization that was suspended since says so, and lets its people out", async () => {
    const page = await app.signedIn("/tasks")
    await app.apply({ org_id: "org_demo", status: "suspended" })
    await page.reload()
    await page.getByText("The organization is suspended.").waitFor()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByText("You are not signed in.").waitFor()
    assert.deepStrictEqual(await cookiesOf(page), [])
    await app.apply({ org_id: "org_demo", status: "active" })
    await page.goto("/tasks")
    await page.getByText("You are not signed in.").waitFor()
  })

  it("tells whoever is signed in so, and leads on", async () => {
    const page = await app.signedIn("/tasks")
    await app.visit(page, "/sign-in?to=/tasks")
    await page.getByText("You are signed in as Ada Sampleton.").waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.getByRole("link", { name: "Go on" }).click()
    await page.getByRole("heading", { name: "Tasks" }).waitFor()
  })

  it("goes on when the server is away while somebody signs out, and says so", async () => {
    const page = await app.signedIn("/tasks", { expected: /ERR_FAILED/ })
    await page.route("**/console/sign-out", (route) => route.abort())
    await page.getByRole("button", { name: "Ada Sampleton" }).click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByRole("alert").getByText("The server cannot be reached.").waitFor()
    assert.deepStrictEqual(await app.accessibility(page), [])
    await page.unroute("**/console/sign-out")
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByText("You are not signed in.").waitFor()
  })
})

describe("my sessions", () => {
  it("are listed, and end in other browsers when they are told to", async () => {
    const here = await app.signedIn("/sessions")
    const there = await app.signedIn("/")
    const elsewhere = await app.signedIn("/")
    await here.reload()
    const rows = here.getByRole("row", { name: /Chrome on Linux/ })
    await here.getByRole("button", { name: "Sign out everywhere else" }).waitFor()
    const before = await rows.count()
    assert.isAtLeast(before, 3)
    assert.deepStrictEqual(await app.accessibility(here), [])

    await here.getByRole("button", { name: /^End the session of Chrome/ }).first().click()
    await here.getByText("1 session was ended.").waitFor()
    await here.getByRole("button", { name: "Sign out everywhere else" }).click()
    await here.getByText(/^\d+ sessions? (was|were) ended\.$/).waitFor()
    await here.getByRole("button", { name: "Sign out everywhere else" }).waitFor({ state: "detached" })
    assert.strictEqual(await rows.count(), 1)
    for (const page of [there, elsewhere]) {
      await page.reload()
      await page.getByText("You are not signed in.").waitFor()
    }
    await here.getByRole("button", { name: "Sign out of this browser" }).click()
    await here.getByText("You are not signed in.").waitFor()
  })
})

/** Every page of the app, as people meet it who see otherwise, and nothing that a browser complains of. */
import { assert, describe, it } from "vitest"
import { type PageName, paths } from "../src/app/Paths.ts"
import { flawsInEveryMode } from "../testing/Accessibility.ts"
import { useApp } from "../testing/AppFixture.ts"
import { addressesOf } from "../testing/Pages.ts"

const app = useApp()

const names = Object.keys(paths).filter((name): name is PageName => name !== "signIn")

describe("every page", () => {
  it.each(names)("%s is whole for everybody, in every colour and size, and asks for nothing in vain", async (name) => {
    const page = await app.openPage({ map: name === "search" })
    await app.signIn(page, "/tasks")
    const refused: Array<string> = []
    page.on("response", (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
    })
    for (const address of await addressesOf(name, page)) {
      await app.visit(page, address)
      assert.strictEqual(new URL(page.url()).pathname, new URL(address, app.origin()).pathname)
      assert.strictEqual(await page.getByRole("alert").count(), 0, address)
      assert.deepStrictEqual(await flawsInEveryMode(page), [], address)
      await app.rest(page)
    }
    assert.deepStrictEqual(refused, [])
  })

  it("that is none says so, and is whole as well", async () => {
    const page = await app.signedIn("/admin/nothing")
    await page.getByRole("heading", { name: "There is no such page" }).waitFor()
    assert.deepStrictEqual(await flawsInEveryMode(page), [])
  })

  it.each(["/nosuch", "/properties/%E0%A4%A"])("that %s would be is none, which a person is told", async (path) => {
    const page = await app.signedIn("/home")
    await app.visit(page, path)
    await page.getByRole("heading", { name: "There is no such page" }).waitFor()
    assert.deepStrictEqual(await flawsInEveryMode(page), [])
    await page.getByRole("link").click()
    await page.getByRole("search").waitFor()
  })

  it("of the administration begins with the first of its parts", async () => {
    const page = await app.signedIn("/admin")
    await page.waitForURL((url) => url.pathname === "/admin/keys")
    await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor()
  })

  it("of signing in is whole before anybody is signed in", async () => {
    const page = await app.openPage()
    await page.goto(paths.signIn)
    await page.getByText("You are not signed in.").waitFor()
    assert.deepStrictEqual(await flawsInEveryMode(page), [])
  })
})

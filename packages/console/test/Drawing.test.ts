/** An area as it is drawn on the map: each corner by a click, taken back by a key, ended by a double click or left by Escape. */
import { assert, describe, it } from "vitest"
import { useApp } from "../testing/AppFixture.ts"

const app = useApp()

const opened = async () => {
  const page = await app.openPage({ map: true })
  await app.signIn(page, "/?countyFips=53903")
  await page.locator("[data-ready=yes]").waitFor()
  await app.rest(page)
  const map = page.locator("[data-tool]")
  const click = (x: number, y: number) => map.click({ position: { x, y } })
  const corners = (count: number) => page.getByText(`Click three corners or more: ${count}`).waitFor()
  return { page, map, click, corners }
}

describe("an area", () => {
  it("ends with a double click, which is one corner and does not zoom", async () => {
    const { click, corners, map, page } = await opened()
    await page.getByRole("button", { name: "Draw" }).click()
    await click(120, 60)
    await click(260, 60)
    await corners(2)
    const looked: Array<string> = []
    page.on("request", (request) => {
      if (request.url().endsWith("/console/app_map_points")) looked.push(request.postData() ?? "")
    })
    await map.dblclick({ position: { x: 260, y: 160 } })
    await page.waitForURL(/within=/)
    const { coordinates: [ring] } = JSON.parse(new URL(page.url()).searchParams.get("within") ?? "")
    assert.lengthOf(ring, 4)
    await page.getByRole("button", { name: "Clear" }).waitFor()
    await app.rest(page)
    assert.isTrue(looked.every((asked) => asked.includes("within")), "it was not looked at more closely")
  })

  it("loses its last corner by a key or a button, and all of it by Escape, which leaves what is chosen", async () => {
    const { click, corners, page } = await opened()
    await page.getByRole("checkbox", { name: /^Choose / }).nth(1).check()
    await page.getByRole("button", { name: "Draw" }).click()
    await click(120, 60)
    await click(260, 60)
    await click(260, 160)
    await click(200, 200)
    await corners(4)
    await page.keyboard.press("Backspace")
    await corners(3)
    await page.keyboard.press("Control+z")
    await corners(2)
    await page.getByRole("button", { name: "Take back a corner" }).click()
    await corners(1)
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Draw" }).waitFor()
    await page.getByRole("region", { name: "Chosen properties" }).getByText("1 chosen").waitFor()
    await page.getByRole("button", { name: "Draw" }).click()
    await corners(0)
  })
})

describe("what lies where somebody clicked", () => {
  it("is closed by Escape", async () => {
    const { click, page } = await opened()
    await click(200, 120)
    const here = page.getByRole("complementary", { name: "Here" })
    await here.getByText(/here$|^Nothing lies here/).waitFor()
    await page.keyboard.press("Escape")
    await here.waitFor({ state: "detached" })
  })
})

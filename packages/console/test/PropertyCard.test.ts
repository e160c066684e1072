/**
 * The property card of assistants (an MCP App) in a real browser: the document that a running server hands out, in the official
 * host library, beside the result of the very call that it belongs to.
 */
import { join } from "node:path"
import type { Frame } from "playwright-core"
import { build } from "vite"
import { assert, beforeAll, describe, it } from "vitest"
import { demoKey } from "../../cli/test/DemonstrationDatabase.ts"
import { useApp } from "../testing/AppFixture.ts"

const app = useApp()

/** Of any shape: what it has is what is used. */
type Told = ReturnType<typeof JSON.parse>

let host: string
let key: string

const ask = async (method: string, params: object): Promise<Told> => {
  const response = await fetch(`${app.origin()}/v1/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  })
  return (await response.json() as Told).result
}

const callTool = (name: string, input: object) => ask("tools/call", { name, arguments: input })

beforeAll(async () => {
  key = await demoKey()
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      lib: { entry: join(import.meta.dirname, "CardHost.ts"), formats: ["iife"], name: "host" }
    }
  })
  const [bundle] = Array.isArray(built) ? built : [built]
  const [chunk] = bundle !== undefined && "output" in bundle ? bundle.output : []
  host = chunk !== undefined && "code" in chunk ? chunk.code : assert.fail("nothing was built")
})

/** The card of the call in a page of the host, and what it asked the host for. */
const shown = async (
  { height = 900, theme, width }: {
    readonly height?: number
    readonly theme: "light" | "dark"
    readonly width: number
  },
  id: string
): Promise<{ readonly card: Frame; readonly asked: ReadonlyArray<string>; readonly answered: ReadonlyArray<Told> }> => {
  const { tools } = await ask("tools/list", {})
  const tool: Told = tools.find((each: Told) => each.name === "service_get_property")
  const { contents: [content] } = await ask("resources/read", { uri: tool._meta.ui.resourceUri })
  assert.strictEqual(content.mimeType, "text/html;profile=mcp-app")
  const page = await app.openPage({ viewport: { width, height }, colorScheme: theme })
  const asked: Array<string> = []
  const answered: Array<Told> = []
  await page.exposeFunction("callTool", async (name: string, input: object) => {
    asked.push(name)
    const result = await callTool(name, input)
    answered.push(result.structuredContent)
    return result
  })
  await page.goto("about:blank")
  await page.setContent("<!doctype html><html lang=en><title>Host</title><body></body></html>")
  await page.addScriptTag({ content: host })
  await page.evaluate(
    ([document_, colours, given]) =>
      window.showCard(document_, colours === "dark" ? "dark" : "light", "service_get_property", { id: given }),
    [content.text, theme, id] as const
  )
  const card = page.frames().find((frame) => frame !== page.mainFrame()) ?? assert.fail("no frame")
  return { card, asked, answered }
}

/** The demonstration's first property, with others around it. */
const place = "53903-DEMO00001"

describe.each(
  [
    { theme: "light", width: 720 },
    { theme: "dark", width: 720 },
    { theme: "light", width: 320 },
    { theme: "dark", width: 320 }
  ] as const
)("the property card, $theme, $width pixels wide", (screen) => {
  it("shows the property, the picture of its place and nothing beside the frame", async () => {
    const { answered, asked, card } = await shown(screen, place)
    const { structuredContent: { property } } = await callTool("service_get_property", { id: place })
    await card.locator("svg circle title").nth(3).waitFor({ state: "attached" })
    const text = await card.locator("body").innerText()
    for (
      const fact of [
        property.commonName ?? property.address,
        property.city,
        property.assetCategory,
        property.recordOwner
      ]
    ) {
      assert.include(text, fact)
    }
    assert.deepStrictEqual(asked, ["service_get_property", "service_search_properties"])
    // What is drawn, and no more: whole rows of as many places would not fit in an answer.
    const [, around] = answered
    for (const row of around.results) {
      assert.sameMembers(Object.keys(row), ["id", "address", "lat", "lon", "buildingSqft"])
    }
    const { background, excess, height, ink } = await card.evaluate(() => ({
      background: getComputedStyle(document.body).backgroundColor,
      excess: document.documentElement.scrollWidth - innerWidth,
      height: innerHeight - document.body.getBoundingClientRect().height,
      ink: getComputedStyle(document.body).color
    }))
    assert.isAtMost(excess, 0)
    assert.isAtMost(Math.abs(height), 1)
    const [dark, light] = [/^rgb\((\d|[1-7]\d), /, /^rgb\((2\d\d), /]
    assert.match(background, screen.theme === "dark" ? dark : light)
    assert.match(ink, screen.theme === "dark" ? light : dark)
  })
})

describe("the property card of what cannot be read", () => {
  it("says why, and draws nothing", async () => {
    const { asked, card } = await shown({ theme: "light", width: 720 }, "00000000-0000-4000-8000-000000000000")
    const { structuredContent: { error } } = await callTool("service_get_property", {
      id: "00000000-0000-4000-8000-000000000000"
    })
    await card.getByText(error).waitFor()
    assert.isTrue(await card.locator("svg").isHidden())
    assert.deepStrictEqual(asked, ["service_get_property"])
  })
})

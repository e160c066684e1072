/** What is wrong with a page for people who see it otherwise, or not at all: WCAG 2.2 AA by axe, and what axe cannot see. */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"

declare global {
  interface Window {
    axe?: {
      run: (
        options: object
      ) => Promise<{ violations: ReadonlyArray<{ id: string; nodes: ReadonlyArray<{ html: string }> }> }>
    }
  }
}

const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

/** The rules that come out otherwise in other colours. */
const ofColours = ["color-contrast", "link-in-text-block"]

/** The rules that come out otherwise where things stand elsewhere. */
const ofPlaces = ["target-size", "scrollable-region-focusable"]

const run = async (page: Page, kind: "tag" | "rule", values: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  if (await page.evaluate(() => window.axe === undefined)) {
    await page.evaluate(await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8"))
  }
  const found = await page.evaluate(
    (runOnly) => window.axe?.run({ runOnly, resultTypes: ["violations"] }),
    { type: kind, values }
  )
  if (found === undefined) throw new Error("axe did not run")
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
}

/** Whether the page is wider than the window, or a table on it wider than its place. */
const sideways = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll("[role=region]:has(> table)")].flatMap((part) => {
      const excess = part.scrollWidth - part.clientWidth
      return excess > 0 ? [`${part.ariaLabel ?? "the page"} is ${excess} pixels too wide`] : []
    })
  )

const named = (mode: string, flaws: ReadonlyArray<string>): ReadonlyArray<string> =>
  flaws.map((flaw) => `${mode}: ${flaw}`)

/** In light and in dark. */
export const flawsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  const light = await run(page, "tag", levels)
  await page.emulateMedia({ colorScheme: "dark" })
  const dark = await run(page, "rule", ofColours)
  await page.emulateMedia({ colorScheme: "light" })
  return [...named("light", light), ...named("dark", dark)]
}

/** In the colours of the system, on a screen of 320 pixels, and with text twice as large, too. */
export const flawsInEveryMode = async (page: Page): Promise<ReadonlyArray<string>> => {
  const usual = await flawsOf(page)
  await page.emulateMedia({ forcedColors: "active" })
  const forced = await run(page, "rule", ofColours)
  await page.emulateMedia({ forcedColors: "none" })

  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 800 })
  const narrow = [...await sideways(page), ...await run(page, "rule", ofPlaces)]
  if (size !== null) await page.setViewportSize(size)

  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%"
  })
  const large = [...await sideways(page), ...await run(page, "rule", ofPlaces)]
  await page.evaluate(() => {
    document.documentElement.style.fontSize = ""
  })
  return [...usual, ...named("forced colours", forced), ...named("320 pixels", narrow), ...named("200 % text", large)]
}

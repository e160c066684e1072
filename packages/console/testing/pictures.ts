/**
 * `pnpm pictures`: the screens of the app over the demonstration, as docs/console.md shows them.
 *
 * Run where a browser starts (`Chromium.ts`); writes docs/pictures anew.
 */
import { execFile, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import type { Page } from "playwright-core"
import { launch } from "./Chromium.ts"

const root = join(import.meta.dirname, "../../..")
const folder = join(root, "docs/pictures")

/** Each screen: its address, and what is there once it is whole. */
const screens: ReadonlyArray<readonly [name: string, path: string, whole: (page: Page) => Promise<unknown>]> = [
  ["search", "/", (page) => page.locator("[data-ready=yes]").waitFor()],
  ["property", "/properties/53903-DEMO00001", (page) => page.getByRole("heading", { level: 1 }).waitFor()],
  ["home", "/home", (page) => page.getByRole("heading", { level: 1 }).waitFor()],
  ["pipeline", "/pipeline", (page) => page.getByText("Qualified").first().waitFor()],
  ["people", "/people", (page) => page.getByRole("table").first().waitFor()],
  ["credits", "/admin/credits", (page) => page.getByRole("heading", { level: 1 }).waitFor()],
  ["keys", "/admin/keys", (page) => page.getByRole("table").first().waitFor()]
]

/** Those of the operator's area, whole with their first part. */
const operatorScreens: ReadonlyArray<readonly [name: string, path: string]> = [
  ["operator-organization", "/operator/organizations/org_demo"],
  ["operator-imports", "/operator/imports"],
  ["operator-health", "/operator/health"]
]

const data = mkdtempSync(join(tmpdir(), "freehold-pictures-"))
const server = spawn(process.execPath, [join(root, "packages/cli/src/main.ts"), "serve", "--demo", "--port", "0"], {
  env: { ...process.env, FREEHOLD_DATA_DIR: data },
  stdio: ["ignore", "pipe", "inherit"]
})
const closed = new Promise((resolve) => server.once("close", resolve))

/** The path of a link by which the operator signs in. */
const operatorLink = async (): Promise<string> => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(root, "packages/cli/src/main.ts"), "operator", "link", "--name", "Sam Sample", "--json"],
    { env: { ...process.env, FREEHOLD_DATA_DIR: data } }
  )
  const { hash, pathname } = new URL(/"url": "([^"]+)"/.exec(stdout)?.[1] ?? "")
  return pathname + hash
}

/** The link that the demonstration prints. */
const link = new Promise<string>((resolve, reject) => {
  createInterface({ input: server.stdout }).on("line", (line) => {
    const found = /(http:\S+\/sign-in#\S+)/.exec(line)?.[1]
    if (found !== undefined) resolve(found)
  })
  void closed.then(() => reject(new Error("the server did not start")))
})

try {
  const signIn = await link
  const browser = await launch()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" })
    await page.goto(signIn)
    await page.getByRole("button", { name: /^Sign in as/ }).click()
    await page.getByRole("link", { name: "Freehold" }).waitFor()
    mkdirSync(folder, { recursive: true })
    const take = async (name: string): Promise<void> => {
      await page.waitForLoadState("networkidle")
      await page.screenshot({ path: join(folder, `${name}.png`) })
      console.log(`docs/pictures/${name}.png`)
    }
    for (const [name, path, whole] of screens) {
      await page.goto(new URL(path, signIn).href)
      await whole(page)
      await take(name)
    }
    await page.goto(new URL(await operatorLink(), signIn).href)
    await page.getByRole("button", { name: /^Sign in as/ }).click()
    await page.getByRole("table").first().waitFor()
    for (const [name, path] of operatorScreens) {
      await page.goto(new URL(path, signIn).href)
      await page.locator("section").first().waitFor()
      await take(name)
    }
    await page.goto(new URL("/operator/organizations/org_demo", signIn).href)
    await page.getByRole("button", { name: /^See as / }).first().click()
    await page.getByLabel("Reason, for the log").fill("A question about what they see")
    await page.getByRole("dialog").getByRole("button", { name: /^See as / }).click()
    await page.getByRole("region", { name: "You see this as somebody else" }).waitFor()
    await page.goto(new URL("/", signIn).href)
    await page.locator("[data-ready=yes]").waitFor()
    await take("operator-seen")
  } finally {
    await browser.close()
  }
} finally {
  server.kill("SIGTERM")
  await closed
  rmSync(data, { recursive: true, force: true })
}

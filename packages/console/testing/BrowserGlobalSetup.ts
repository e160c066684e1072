/** One browser for a run of tests, started when the first file asks for it. */
import type { BrowserServer } from "playwright-core"
import type { TestProject } from "vitest/node"
import * as Door from "../../freehold/testing/Door.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the address of the browser. */
    readonly browserDoor: string
  }
}

let browser: BrowserServer | undefined
let door: Door.Door | undefined

const start = async (): Promise<string> => {
  const { launchServer } = await import("./Chromium.ts")
  browser = await launchServer()
  return browser.wsEndpoint()
}

export const setup = async (project: TestProject): Promise<void> => {
  door = await Door.open(start)
  project.provide("browserDoor", door.url)
}

export const teardown = async (): Promise<void> => {
  door?.close()
  await browser?.close()
}

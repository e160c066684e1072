/** One browser for a run of tests, started when the first file asks for it. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { BrowserServer } from "playwright-core"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** Answers with the address of the browser. */
    readonly browserDoor: string
  }
}

let browser: Promise<BrowserServer> | undefined

const door = createServer((_, response) => {
  browser ??= import("./Chromium.ts").then(({ launchServer }) => launchServer())
  browser.then(
    (started) => response.end(started.wsEndpoint()),
    (cause: unknown) => response.writeHead(500).end(String(cause))
  )
})

export const setup = async (project: TestProject): Promise<void> => {
  door.listen(0, "127.0.0.1")
  await once(door, "listening")
  const address = door.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  project.provide("browserDoor", `http://127.0.0.1:${address.port}`)
}

export const teardown = async (): Promise<void> => {
  door.close()
  await (await browser)?.close()
}

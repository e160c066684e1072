/** The programs of `examples`, where what they need is not there: one line, which says what to start. */
import { execFile } from "node:child_process"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const root = fileURLToPath(new URL("../../../examples/", import.meta.url))

const run = (program: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>((resolve) => {
    const given = { PATH: process.env["PATH"], ...env }
    execFile(
      process.execPath,
      [root + program, ...args],
      { env: given },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr })
    )
  })

let other: Server

beforeAll(() => {
  other = createServer((_, response) => response.end("Something else")).listen(0, "127.0.0.1")
})

afterAll(() => other.close())

const nowhere = "http://127.0.0.1:1/v1"
const key = { FREEHOLD_API_KEY: `fhk_${"s".repeat(43)}` }
const demo = `no server answers at ${nowhere}; start one with: npx freehold serve --demo`
const otherAddress =
  `no server answers at ${nowhere}; give another address as the first argument, or start one with: pnpm start`

const noDatabase = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }
const noDatabaseSaid = "no database can be used: connect ECONNREFUSED 127.0.0.1:1; "
  + "start that of DATABASE_URL, or leave it out for an embedded one"

describe("the examples", () => {
  it.each<[program: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>>, said: string]>([
    ["whole-way.ts", [nowhere], key, otherAddress],
    ["whole-way.ts", [nowhere], {}, "Set FREEHOLD_API_KEY to the organization's key."],
    ["typed-client/src/main.ts", [], { API: nowhere }, demo],
    [
      "webhook-receiver.ts",
      [nowhere, "0"],
      key,
      otherAddress.replace("with: ", "with: FREEHOLD_WEBHOOK_TARGETS=any ")
    ],
    ["embed-fastify/src/main.ts", [], noDatabase, noDatabaseSaid],
    ["embed-leads/src/main.ts", [], noDatabase, noDatabaseSaid],
    [
      "researcher.ts",
      ["no-such.json"],
      { FREEHOLD_RESEARCHER_SECRET: "s" },
      "no-such.json cannot be used: ENOENT: no such file or directory, open 'no-such.json'"
    ]
  ])("%s %j ends with one line: %j", async (program, args, env, said) => {
    assert.deepStrictEqual(await run(program, args, env), { code: 1, stdout: "", stderr: `${said}\n` })
  })

  it("webhook-receiver.ts says which argument is the port, where it is taken", async () => {
    const port = String((other.address() as AddressInfo).port)
    assert.deepStrictEqual(await run("webhook-receiver.ts", [nowhere, port], key), {
      code: 1,
      stdout: "",
      stderr: `cannot listen on port ${port}: listen EADDRINUSE: address already in use 127.0.0.1:${port}; `
        + "give another port as the second argument\n"
    })
  })

  it.each(["whole-way.ts", "webhook-receiver.ts"])("%s tells a server that is another one", async (program) => {
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`
    assert.deepStrictEqual(await run(program, program.startsWith("webhook") ? [address, "0"] : [address], key), {
      code: 1,
      stdout: "",
      stderr: `${address} is no API root of Freehold\n`
    })
  })
})

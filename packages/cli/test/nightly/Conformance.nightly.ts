/**
 * The protocol's own proofs over the real server: its conformance suite and the strict mode of its inspector, both from npm.
 *
 * The suite has no place for a key, so a small proxy adds it. Most of its scenarios call tools, prompts and resources of a
 * server that was made for it; what cannot pass here is listed with its reason, and a scenario that begins to pass, or another
 * that fails, is told.
 */
import { execFile } from "node:child_process"
import { once } from "node:events"
import { createServer, request } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, serve } from "../Freehold.ts"
import { sampleDatabase, secret } from "../Sample.ts"

/** What each scenario of the older revisions that does not pass would need. */
const older: Readonly<Record<string, string>> = {
  "logging-set-level": "logging is not offered",
  "tools-call-simple-text": "a tool of the suite",
  "tools-call-image": "a tool of the suite",
  "tools-call-audio": "a tool of the suite",
  "tools-call-embedded-resource": "a tool of the suite",
  "tools-call-mixed-content": "a tool of the suite",
  "tools-call-with-logging": "a tool of the suite",
  "tools-call-error": "a tool of the suite",
  "tools-call-with-progress": "a tool of the suite",
  "tools-call-sampling": "a tool of the suite",
  "tools-call-elicitation": "a tool of the suite",
  "elicitation-sep1034-defaults": "a tool of the suite",
  "elicitation-sep1330-enums": "a tool of the suite",
  "completion-complete": "a prompt of the suite",
  "prompts-get-simple": "a prompt of the suite",
  "prompts-get-with-args": "a prompt of the suite",
  "prompts-get-embedded-resource": "a prompt of the suite",
  "prompts-get-with-image": "a prompt of the suite",
  "resources-read-text": "a resource of the suite",
  "resources-read-binary": "a resource of the suite",
  "resources-templates-read": "a resource of the suite",
  "resources-subscribe": "subscriptions are not offered",
  "resources-unsubscribe": "subscriptions are not offered"
}

const extension = "the extension of tasks is not offered"

/** The same of 2026-07-28. */
const newer: Readonly<Record<string, string>> = {
  "server-stateless": "tools of the suite, for four of its 25 checks",
  ...Object.fromEntries(
    Object.entries(older).filter(([name]) =>
      /^(tools-call|prompts-get|resources-(read|templates)|completion)/.test(name) &&
      !/logging|sampling|elicitation/.test(name)
    )
  ),
  ...Object.fromEntries(
    [
      "basic-elicitation",
      "basic-sampling",
      "basic-list-roots",
      "request-state",
      "multiple-input-requests",
      "multi-round",
      "non-tool-request",
      "result-type",
      "tampered-state",
      "capability-check"
    ].map((name) => [`input-required-result-${name}`, "a tool or prompt of the suite"])
  ),
  "tasks-lifecycle": extension,
  "tasks-capability-negotiation": extension,
  "tasks-wire-fields": extension,
  "tasks-request-state-removal": extension,
  "tasks-mrtr-input": extension,
  "tasks-request-headers": extension,
  "tasks-dispatch-and-envelope": extension,
  "tasks-required-task-error": extension,
  "tasks-mrtr-composition": extension,
  "json-schema-2020-12": "a tool of the suite",
  "http-custom-header-server-validation": "a tool of the suite"
}

const suites = [
  { revisions: "the revisions before 2026-07-28", version: "0.1.16", args: [], expected: older },
  { revisions: "2026-07-28", version: "0.2.0-alpha.12", args: ["--requirements", "2026-07-28"], expected: newer }
]

let server: Awaited<ReturnType<typeof serve>>
let drop: () => Promise<void>
let proxied: string

/** Adds the key, and is the server's own host to it where it was called by a name of this machine. */
const proxy = createServer((incoming, outgoing) => {
  const { host = "" } = incoming.headers
  const url = new URL(server.url)
  const forwarded = request({
    host: url.hostname,
    port: url.port,
    path: incoming.url,
    method: incoming.method,
    headers: {
      ...incoming.headers,
      authorization: `Bearer ${secret}`,
      host: /^(localhost|127\.0\.0\.1)(:|$)/.test(host) ? url.host : host
    }
  }, (answer) => answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers)))
  forwarded.on("error", () => outgoing.destroy())
  incoming.pipe(forwarded)
})

const run = (args: ReadonlyArray<string>): Promise<{ readonly code: number | null; readonly said: string }> =>
  new Promise((resolve) => {
    const child = execFile(
      "npx",
      ["-y", ...args],
      { timeout: 200_000, maxBuffer: 2 ** 26 },
      (_, stdout, stderr) => resolve({ code: child.exitCode, said: `${stdout}${stderr}` })
    )
  })

beforeAll(async () => {
  proxy.listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const address = proxy.address()
  if (address === null || typeof address === "string") throw new Error("expected a port")
  const origin = `http://localhost:${address.port}`
  const made: { readonly env: Environment; readonly drop: () => Promise<void> } = await sampleDatabase()
  drop = made.drop
  server = await serve(["--no-worker"], { ...made.env, FREEHOLD_ALLOWED_ORIGINS: origin })
  proxied = `${origin}/v1/mcp`
})

afterAll(async () => {
  proxy.close()
  await server.stop()
  await drop()
})

describe("the official proofs", () => {
  it.each(suites)(
    "conformance to $revisions fails nowhere but where it needs a server of its own",
    async ({ args, expected, version }) => {
      const { said } = await run([`@modelcontextprotocol/conformance@${version}`, "server", "--url", proxied, ...args])
      const scenarios = [...said.matchAll(/^([✓✗]) ([\w-]+): \d+ passed/gmu)]
      assert.isAbove(scenarios.length, 25)
      const failed = scenarios.flatMap(([, mark, name = ""]) => mark === "✗" ? [name] : [])
      assert.sameMembers(failed, Object.keys(expected))
    }
  )

  it("the inspector's strict mode finds nothing in the list of tools", async () => {
    const { code, said } = await run([
      "@modelcontextprotocol/inspector@2.12.0",
      "--cli",
      `${server.url}/mcp`,
      "--transport",
      "http",
      "--method",
      "tools/list",
      "--strict",
      "--header",
      `Authorization: Bearer ${secret}`
    ])
    assert.strictEqual(code, 0, said.slice(-2_000))
  })
})

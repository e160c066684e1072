/**
 * The protocol's own proofs over the real server: its conformance suite and the strict mode of its inspector, both from npm.
 *
 * The suite has no place for a key, so a small proxy adds it. Most of its scenarios call tools, prompts and resources of a
 * server that was made for it; what cannot pass here is listed with its reason and the checks that fail. A check that begins to pass, or
 * another that fails, is told.
 */
import { execFile } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { createServer, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
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

/** The checks that fail of such a scenario, where these are others than the one of its own name. */
const checks: Readonly<Record<string, ReadonlyArray<string>>> = {
  "elicitation-sep1034-defaults": ["elicitation-sep1034-general"],
  "elicitation-sep1330-enums": ["elicitation-sep1330-general"],
  "server-stateless": [
    "sep-2575-server-rejects-undeclared-capability",
    "sep-2575-missing-capability-http-400",
    "sep-2575-http-server-no-independent-requests-on-stream",
    "sep-2575-server-no-log-without-loglevel"
  ],
  "input-required-result-basic-elicitation": ["sep-2322-elicitation-incomplete"],
  "input-required-result-basic-sampling": ["sep-2322-sampling-incomplete"],
  "input-required-result-basic-list-roots": ["sep-2322-list-roots-incomplete"],
  "input-required-result-request-state": ["sep-2322-request-state-incomplete"],
  "input-required-result-multiple-input-requests": ["sep-2322-multiple-inputs-incomplete"],
  "input-required-result-multi-round": ["sep-2322-multi-round-r1"],
  "input-required-result-non-tool-request": ["sep-2322-non-tool-incomplete"],
  "input-required-result-result-type": ["sep-2322-result-type-included"],
  "input-required-result-tampered-state": ["sep-2322-reject-tampered-state"],
  "input-required-result-capability-check": ["sep-2322-respect-client-capabilities"],
  "tasks-lifecycle": [
    "tasks-sync-tool-call",
    "sep-2663-result-type-task-on-create",
    "sep-2663-tasks-get-status-working",
    "sep-2663-tasks-get-status-completed",
    "sep-2663-tool-error-uses-completed-status",
    "sep-2663-tasks-get-status-failed",
    "sep-2663-cancel-ack-empty-result",
    "tasks-cancel-terminal-idempotent-ack"
  ],
  "tasks-capability-negotiation": [
    "tasks-extension-advertised",
    "sep-2663-tasks-methods-non-declaring",
    "sep-2663-server-rejects-undeclared-client",
    "tasks-per-request-meta-opt-in"
  ],
  "tasks-wire-fields": [
    "tasks-wire-field-renames",
    "tasks-no-early-ttl-expiry",
    "tasks-no-related-task-meta-on-inlined-result"
  ],
  "tasks-request-state-removal": ["tasks-request-state-removal-setup"],
  "tasks-mrtr-input": [
    "sep-2663-tasks-get-status-input-required",
    "tasks-mrtr-tasks-update-resumes",
    "tasks-mrtr-partial-fulfillment"
  ],
  "tasks-request-headers": [
    "tasks-headers-tolerate-mcp-method-on-tools-call",
    "sep-2663-routing-headers-accepted-on-tasks-get",
    "sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get"
  ],
  "tasks-dispatch-and-envelope": [
    "tasks-server-directed-creation-no-hint",
    "sep-2663-legacy-task-param-ignored",
    "tasks-immediate-result-shortcut",
    "tasks-result-type-complete-on-non-task-responses",
    "sep-2663-durable-create-strong-consistency",
    "sep-2663-tasks-get-invalid-task-id-32602"
  ],
  "tasks-required-task-error": ["sep-2663-server-returns-missing-capability-when-required"],
  "tasks-mrtr-composition": ["sep-2663-mrtr-synchronous-before-task-creation"],
  "json-schema-2020-12": ["json-schema-2020-12-tool-found"],
  "http-custom-header-server-validation": [
    "sep-2243-server-no-xmcp-tool",
    "sep-2243-server-decode-base64",
    "sep-2243-server-validate-param-match",
    "sep-2243-server-reject-invalid-param-chars",
    "sep-2243-server-reject-param-mismatch"
  ]
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

interface Check {
  readonly id: string
  readonly status: string
}

/** The checks that failed, by the scenario in whose folder the suite wrote them down, as `server-<scenario>-<moment>`. */
const failuresIn = (folder: string): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    readdirSync(folder).flatMap((name): ReadonlyArray<[string, ReadonlyArray<string>]> => {
      const told: ReadonlyArray<Check> = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8"))
      const failed = told.flatMap(({ id, status }) => status === "FAILURE" ? [id] : [])
      const [, scenario = name] = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name) ?? []
      return failed.length === 0 ? [] : [[scenario, failed.toSorted()]]
    })
  )

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
      const folder = mkdtempSync(join(tmpdir(), "freehold-conformance-"))
      try {
        const suite = `@modelcontextprotocol/conformance@${version}`
        const { said } = await run([suite, "server", "--url", proxied, "--output-dir", folder, ...args])
        assert.isAbove(readdirSync(folder).length, 25, said.slice(-2_000))
        assert.deepStrictEqual(
          failuresIn(folder),
          Object.fromEntries(Object.keys(expected).map((name) => [name, (checks[name] ?? [name]).toSorted()]))
        )
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
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

/** What those who watch over a server see of it, from outside: metrics, readiness, traces and the log. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { globSync, readFileSync } from "node:fs"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, run, runJson, sayingOf, serve, type Server, start } from "../Freehold.ts"
import { properties } from "../Sample.ts"
import { caller, secrets, toolCaller, twoCustomers, until } from "../TwoCustomers.ts"
import { type Sample, scrape, valueOf } from "./Scrape.ts"
import { collector } from "./Telemetry.ts"

const [first, second] = properties.map(({ key }) => key)

const watchPort = /"message":"watch port started".*"listening":"(http:[^"]+)"/

let customers: Awaited<ReturnType<typeof twoCustomers>>
let telemetry: Awaited<ReturnType<typeof collector>>
let env: Environment

beforeAll(async () => {
  customers = await twoCustomers()
  telemetry = await collector()
  env = {
    ...customers.env,
    LOG_LEVEL: "info",
    FREEHOLD_WATCH_ADDRESS: "127.0.0.1:0",
    FREEHOLD_WEBHOOK_TARGETS: "any",
    FREEHOLD_WEBHOOK_RETRY_DELAYS: "10 millis, 10 millis, 10 millis, 10 millis"
  }
})

afterAll(async () => {
  telemetry.close()
  await customers.drop()
})

/** A receiver of webhooks that answers with one status; `requests` waits until it was asked so often. */
const receiver = async (status: number) => {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      asked++
      response.writeHead(status).end(() => server.emit("answered"))
    })
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests: async (count: number) => {
      while (asked < count) await once(server, "answered")
    },
    close: () => server.close()
  }
}

const linesOf = (log: string): ReadonlyArray<ReturnType<typeof JSON.parse>> =>
  log.split("\n").filter((line) => line.startsWith("{")).map((line) => JSON.parse(line))

const docs = join(import.meta.dirname, "../../../../docs/watching")

/** Every name of a metric that a file of docs/watching mentions. */
const namedIn = (file: string): ReadonlyArray<string> => [
  ...new Set([...readFileSync(file, "utf8").matchAll(/\bfreehold_[a-z_]+/g)].map(([name]) => name))
]

describe("a server that is watched", () => {
  let server: Server
  let origin: string
  let samples: ReadonlyArray<Sample>
  let log: ReadonlyArray<ReturnType<typeof JSON.parse>>

  beforeAll(async () => {
    const change = (statement: string) => Effect.runPromise(administer(customers.url, (sql) => sql.unsafe(statement)))
    // For what removes what is too old.
    await run(["operator", "link"], customers.env)
    await change("UPDATE operator_link SET expires_at = now() - interval '1 day'")
    // As one for which PostgreSQL keeps nothing any more; it has run every migration.
    await change("INSERT INTO cell (name, migration) VALUES ('gone', 9999)")
    server = await serve([], { ...env, FREEHOLD_ACCESS_LOG: "on", OTEL_EXPORTER_OTLP_ENDPOINT: telemetry.url })
    origin = await server.says(watchPort)
    const call = caller(server, secrets.busy)
    const tool = toolCaller(server, secrets.busy)
    await call("GET", "/me")
    await call("POST", `/properties/${first}/unlock`, { json: {} })
    await call("GET", "/properties/nowhere")
    await fetch(`${server.url}/me`)
    await fetch(`${server.url}/nothing/${first}`)
    await tool("service_get_property", { property_id: "nowhere" })
    const [well, broken] = await Promise.all([receiver(204), receiver(500)])
    const ended = "http://127.0.0.1:1/"
    for (const url of [well.url, broken.url, ended]) await call("POST", "/webhooks", { json: { url } })
    await change(`UPDATE webhook_endpoint SET active = false, disabled_reason = 'failing' WHERE url = '${ended}'`)
    const lead = ["lead", "qualify", "--org", "org_busy", "--property", second ?? "", "--deal-value", "2"]
    await runJson(lead, customers.env)
    await Promise.all([well.requests(1), broken.requests(5)])
    await server.says(/"(webhook delivery ended without success)"/)
    samples = await until(
      () => scrape(origin),
      (found) =>
        valueOf(found, "freehold_webhook_endpoints", { state: "failing" }) === 1
        && valueOf(found, "freehold_retention_removed", { kind: "links" }) > 0
    )
    for (const { close } of [well, broken]) close()
    assert.strictEqual(await server.stop(), 0)
    log = linesOf(await server.errors)
  })

  it("counts requests by the pattern of their route and by status, and never by what a client wrote", () => {
    const requests = (route: string, status: string) =>
      valueOf(samples, "freehold_http_requests_total", { route, status })
    assert.strictEqual(requests("/v1/me", "200"), 1)
    assert.strictEqual(requests("/v1/me", "401"), 1)
    assert.strictEqual(requests("/v1/properties/:id/unlock", "200"), 1)
    assert.strictEqual(requests("none", "404"), 1)
    assert.strictEqual(valueOf(samples, "freehold_http_request_seconds_count", { route: "/v1/me" }), 2)
    assert.strictEqual(valueOf(samples, "freehold_http_request_seconds_bucket", { route: "/v1/me", le: "+Inf" }), 2)
    const labels = JSON.stringify(samples.map((sample) => sample.labels))
    for (const secret of [first ?? "", "org_busy", "nowhere"]) assert.notInclude(labels, secret)
  })

  it("counts refusals by code and door, credits by action, attempts by outcome, endpoints and cells by state, imports by kind", () => {
    assert.strictEqual(valueOf(samples, "freehold_refusals_total", { door: "rest", code: "UNAUTHENTICATED" }), 1)
    assert.isAbove(valueOf(samples, "freehold_refusals_total", { door: "mcp" }), 0)
    assert.isAbove(valueOf(samples, "freehold_credits_total", { kind: "charge", action: "unlock_property" }), 0)
    assert.strictEqual(valueOf(samples, "freehold_webhook_attempts_total", { outcome: "rejected" }), 5)
    assert.strictEqual(valueOf(samples, "freehold_webhook_attempts_total", { outcome: "delivered" }), 1)
    assert.strictEqual(valueOf(samples, "freehold_webhook_endpoint_attempts_total", { outcome: "failed" }), 5)
    assert.strictEqual(valueOf(samples, "freehold_webhook_endpoints", { state: "active" }), 1)
    assert.strictEqual(valueOf(samples, "freehold_webhook_endpoints", { state: "failed" }), 1)
    // What is not there at 0 has no increase when it comes.
    assert.isTrue(
      samples.some(({ labels, name }) => name === "freehold_webhook_endpoints" && labels["state"] === "gone")
    )
    for (const [state, count] of [["receiving", 0], ["away", 0], ["lost", 1]] as const) {
      assert.strictEqual(valueOf(samples, "freehold_cells", { state }), count)
    }
    assert.strictEqual(valueOf(samples, "freehold_import_runs", { kind: "properties" }), 1)
    assert.strictEqual(valueOf(samples, "freehold_import_rows", { kind: "properties" }), properties.length)
  })

  it("tells of its pools, its memory, its event loop and its database", () => {
    assert.strictEqual(valueOf(samples, "freehold_pool_size", { pool: "ledger" }), 16)
    for (const pool of ["admission", "points", "ledger", "reads", "worker"]) {
      assert.strictEqual(valueOf(samples, "freehold_pool_waiting", { pool }), 0)
    }
    assert.isAbove(valueOf(samples, "freehold_process_memory_bytes", { kind: "resident" }), 1e6)
    assert.isAbove(valueOf(samples, "freehold_process_cpu_seconds_total"), 0)
    assert.isTrue(samples.some(({ name }) => name === "freehold_event_loop_delay_seconds"))
    assert.strictEqual(valueOf(samples, "freehold_database_up"), 1)
  })

  it("has every metric that the dashboard and the alert rules name, and the documents name every metric", () => {
    const told = new Set(samples.map(({ name }) => name))
    const files = globSync("*.{json,yaml}", { cwd: docs }).map((file) => join(docs, file))
    assert.lengthOf(files, 2)
    for (const file of files) assert.deepStrictEqual(namedIn(file).filter((name) => !told.has(name)), [], file)
    const page = new Set(namedIn(join(docs, "../watching.md")))
    const families = [...told].map((name) => name.replace(/_(bucket|sum|count)$/, ""))
    assert.deepStrictEqual([...new Set(families)].filter((name) => !page.has(name)), [])
  })

  it("sends the same metrics by OTLP", () => {
    for (
      const name of ["freehold_http_requests_total", "freehold_queue_lag_seconds", "freehold_webhook_attempt_seconds"]
    ) {
      assert.isTrue(telemetry.metrics.has(name), name)
    }
  })

  it("names the spans of requests by their route, and the access log has their ids", () => {
    const line = log.find(({ annotations, message }) =>
      message === "request" && annotations.route === "/v1/properties/:id/unlock"
    )
    assert.containSubset(line.annotations, { method: "POST", status: 200, org_id: "org_busy", address: "127.0.0.1" })
    const span = telemetry.spans.find(({ name }) => name === "POST /v1/properties/:id/unlock")
    assert.strictEqual(span?.traceId, line.trace_id)
    assert.strictEqual(span?.attributes["request_id"], line.annotations.request_id)
  })

  it("traces an event from its recording to the receiver's answer, under the event's own id", () => {
    const { annotations: { event_id: eventId } } = log.find(({ message }) => message.endsWith("ended without success"))
    const trace = telemetry.spans.filter(({ traceId }) => traceId === eventId.replaceAll("-", ""))
    const deliveries = trace.filter(({ name }) => name === "webhook.delivery")
    assert.deepStrictEqual(
      deliveries.map(({ attributes }) => `${attributes["outcome"]} ${attributes["status"]}`).sort(),
      ["delivered 204", ...Array.from({ length: 5 }, () => "failed 500")]
    )
    assert.isTrue(trace.some(({ name }) => name === "Sender.send"))
  })

  it("says at the start what runs where, and warns of a delivery that ended, with the cause and the host", () => {
    const started = log.find(({ message }) => message === "server started")
    const database = new URL(Redacted.value(customers.url))
    assert.containSubset(started.annotations, {
      database: `${database.host}${database.pathname}`,
      listening: new URL(server.url).origin,
      worker: true,
      access_log: true,
      telemetry: telemetry.url
    })
    assert.notInclude(JSON.stringify(started), database.password)
    assert.strictEqual(log.filter(({ message }) => message === "stopping").length, 1)
    const ended = log.find(({ message }) => message === "webhook delivery ended without success")
    assert.strictEqual(ended.level, "WARN")
    assert.containSubset(ended.annotations, { org_id: "org_busy", attempt: 5, status: 500, cause: "answered 500" })
    assert.match(ended.annotations.host, /^127\.0\.0\.1:\d+$/)
  })
})

describe("readiness", () => {
  it("ends while the database is away or its schema does not fit, and comes back; the process lives on", async () => {
    const server = await serve(["--no-worker"], env)
    const origin = await server.says(watchPort)
    const root = new URL(server.url).origin
    const readiness = async () => {
      const answers = await Promise.all([root, origin].map(async (host) => {
        const answer = await fetch(`${host}/readyz`)
        const body: ReturnType<typeof JSON.parse> = await answer.json()
        return `${answer.status} ${body.meta?.reason ?? body.data.status}`
      }))
      return answers.join(", ")
    }
    const both = (wanted: string) => until(readiness, (found) => found === `${wanted}, ${wanted}`)
    const change = (statement: string) => Effect.runPromise(administer(customers.url, (sql) => sql.unsafe(statement)))
    await both("200 ready")
    assert.strictEqual((await fetch(`${root}/metrics`)).status, 404)

    await change("INSERT INTO freehold_migration (migration_id, name) VALUES (9999, 'later')")
    await both("200 ready")
    await change("INSERT INTO schema_break (migration_id, since) VALUES (9999, '9.9.9')")
    await both("503 schema")
    await Promise.all(["serve", "worker", "audit", "mcp", "migrate", "doctor"].map(async (command) => {
      const { code, stderr, stdout } = await run([command], { ...customers.env, FREEHOLD_API_KEY: secrets.busy })
      assert.strictEqual(code, 1)
      assert.include(`${stdout}${stderr}`, "newer than this program; upgrade the program to 9.9.9 or later", command)
    }))
    await change("DELETE FROM schema_break")
    await change("DELETE FROM freehold_migration WHERE migration_id = 9999")
    await both("200 ready")

    const { pathname } = new URL(Redacted.value(customers.url))
    const name = pathname.slice(1)
    const administrator = Redacted.make(Redacted.value(customers.url).replace(pathname, "/postgres"))
    const alter = (change: string) =>
      Effect.runPromise(administer(administrator, (sql) =>
        Effect.gen(function*() {
          yield* sql.unsafe(`ALTER DATABASE "${name}" ${change}`)
          yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${name}`
        })))
    const away = (allowed: boolean) => alter(`ALLOW_CONNECTIONS ${allowed}`)
    // As a primary that has become a standby.
    await alter("SET default_transaction_read_only = on")
    await both("503 database")
    await alter("RESET default_transaction_read_only")
    await both("200 ready")
    await away(false)
    await both("503 database")
    assert.strictEqual((await fetch(`${root}/healthz`)).status, 200)
    assert.strictEqual(
      (await fetch(`${server.url}/me`, { headers: { authorization: `Bearer ${secrets.busy}` } })).status,
      503
    )
    await until(() => scrape(origin), (found) => valueOf(found, "freehold_database_up") === 0)
    await away(true)
    await both("200 ready")
    assert.strictEqual(await server.stop(), 0)
    const failed = linesOf(await server.errors).find(({ message }) => message === "request failed")
    assert.strictEqual(failed.level, "WARN")
    assert.containSubset(failed.annotations, { status: 503, code: "rate_limit_unavailable", route: "/v1/me" })
    assert.match(failed.annotations.cause, /^database (57P01|55000|connection|\w+): /)
  })

  it("ends as soon as the server is being stopped, while it still finishes what it had begun", async () => {
    const server = await serve(["--no-worker"], env)
    const origin = await server.says(watchPort)
    // A request is begun when it is whole, or when as much of it has come as is held before it is read.
    const [most, rest] = [" ".repeat(100_000), "{}"]
    const outgoing = request(`${server.url}/properties/${second}/unlock`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${secrets.busy}`,
        "content-type": "application/json",
        "content-length": most.length + rest.length
      }
    })
    outgoing.write(most)
    await until(() => scrape(origin), (found) => valueOf(found, "freehold_http_in_flight") === 1)
    const stopped = server.stop()
    const draining = await until(() => fetch(`${origin}/readyz`), ({ status }) => status === 503)
    assert.include(await draining.text(), "draining")
    outgoing.end(rest)
    const [answer] = await once(outgoing, "response")
    assert.strictEqual(answer.statusCode, 200)
    answer.resume()
    assert.strictEqual(await stopped, 0)
  })
})

it("readiness waits for nothing that is counted", async () => {
  const server = await serve(["--no-worker"], env)
  const origin = await server.says(watchPort)
  const counted = await Effect.runPromise(administer(customers.url, (sql) =>
    Effect.gen(function*() {
      const waiting = sql`SELECT FROM pg_locks WHERE NOT granted AND relation = 'import_total'::regclass`
      const [metrics, ready] = yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`LOCK TABLE import_total IN ACCESS EXCLUSIVE MODE`
        const metrics = scrape(origin)
        yield* Effect.repeat(waiting, { until: (found) => found.length > 0 })
        const ready = yield* Effect.promise(() => fetch(`${origin}/readyz`))
        return [metrics, ready.status] as const
      }))
      yield* Effect.promise(() => metrics)
      return ready
    })))
  assert.strictEqual(counted, 200)
  assert.strictEqual(await server.stop(), 0)
})

it("a worker is watched on an address of its own", async () => {
  const worker = start(["worker"], env)
  const says = sayingOf(worker)
  const origin = await says(watchPort)
  await says(/"message":"(worker started)"/)
  assert.strictEqual((await fetch(`${origin}/healthz`)).status, 200)
  assert.strictEqual((await fetch(`${origin}/readyz`)).status, 200)
  const samples = await scrape(origin)
  assert.strictEqual(valueOf(samples, "freehold_pool_size", { pool: "worker" }), 8)
  assert.isTrue(samples.some(({ name }) => name === "freehold_webhook_in_flight"))
  const exited = once(worker, "exit")
  worker.kill("SIGTERM")
  await exited
  assert.strictEqual(worker.exitCode, 0)
})

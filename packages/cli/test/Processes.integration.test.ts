/**
 * Several processes on one port and several hosts over one database: what is limited is limited over all of them, and one
 * that dies is replaced. One of the hosts has a clock that is two hours ahead.
 *
 * All data is made up.
 */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect } from "effect"
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { request } from "node:http"
import { createServer } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { hoursAhead, run, runJson, serve, type Server } from "./Freehold.ts"
import { properties } from "./Sample.ts"
import { type Customers, secrets, twoCustomers, until } from "./TwoCustomers.ts"

/** Everything says of itself which client it is. */
const env = { FREEHOLD_TRUSTED_PROXIES: "127.0.0.1/32", LOG_LEVEL: "warn" }

const limited = {
  org_id: "org_limited",
  name: "Sample limited (made up)",
  plan: "enterprise",
  serviceable_area: { county_fips: ["53903"] },
  grants: [{ ref: "welcome", bucket: "included", amount: 100 }],
  requests_per_minute: 20,
  keys: ["a", "b"].map((name) => ({ name, scopes: ["account:read"], secret: `fhk_${name.repeat(42)}l` }))
}

const daily = { ...limited, org_id: "org_daily", requests_per_minute: 1000, requests_per_day: 30 }

describe("two hosts of two processes over one database", () => {
  let customers: Customers
  let hosts: ReadonlyArray<Server> = []

  beforeAll(async () => {
    customers = await twoCustomers()
    const organizations = [limited, {
      ...daily,
      keys: [{ name: "d", scopes: ["account:read"], secret: `fhk_${"d".repeat(43)}` }]
    }]
    await runJson(["apply", "-"], customers.env, JSON.stringify({ organizations }))
    const here = { ...customers.env, ...env }
    hosts = await Promise.all([
      serve(["--workers", "2"], here),
      serve(["--workers", "2"], { ...here, ...hoursAhead(2) })
    ])
  })

  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.stop()))
    await customers.drop()
  })

  /** Sends so many, to one host after the other; answers how often each status came. */
  const statuses = async (times: number, path: string, headers: Record<string, string>, method = "GET") => {
    const answers = await Promise.all(
      Array.from({ length: times }, async (_, index) => {
        const answer = await fetch(`${hosts[index % 2]?.url}${path}`, { method, headers })
        await answer.arrayBuffer()
        return answer.status
      })
    )
    return Object.fromEntries(
      [...new Set(answers)].map((status) => [status, answers.filter((each) => each === status).length])
    )
  }

  it("a key has one minute over all of them, by the database's time (R1 R11)", async () => {
    const key = { authorization: `Bearer ${limited.keys[0]?.secret}`, "x-forwarded-for": "192.0.2.1" }
    assert.deepStrictEqual(await statuses(60, "/me", key), { 200: 20, 429: 40 })
    // Each key has its own.
    const other = { authorization: `Bearer ${limited.keys[1]?.secret}`, "x-forwarded-for": "192.0.2.1" }
    assert.deepStrictEqual(await statuses(10, "/me", other), { 200: 10 })
  })

  it("an organization has one day over all of them (R7)", async () => {
    const key = { authorization: `Bearer fhk_${"d".repeat(43)}`, "x-forwarded-for": "192.0.2.2" }
    assert.deepStrictEqual(await statuses(50, "/me", key), { 200: 30, 429: 20 })
    const days = await Effect.runPromise(administer(
      customers.url,
      (sql) =>
        sql<{ readonly same: boolean; readonly requests: number }>`
        SELECT day = (now() AT TIME ZONE 'UTC')::date AS same, requests FROM organization_day WHERE org_id = 'org_daily'`
    ))
    assert.deepStrictEqual(days, [{ same: true, requests: 30 }])
  })

  it("an address has one minute over all of them, whatever it sends (R6)", async () => {
    const from = { "x-forwarded-for": "192.0.2.3" }
    assert.deepStrictEqual(await statuses(600, "/me", from), { 401: 600 })
    assert.deepStrictEqual(await statuses(500, "/nothing", from), { 404: 400, 429: 100 })
  })

  it("what is bought at once through all of them is charged once", async () => {
    const key = { authorization: `Bearer ${secrets.busy}`, "x-forwarded-for": "192.0.2.4" }
    const path = `/properties/${properties[0]?.key}/unlock`
    const answers = await statuses(24, path, key, "POST")
    assert.deepStrictEqual(Object.keys(answers).filter((status) => !["200", "409"].includes(status)), [])
    const charged = await Effect.runPromise(administer(
      customers.url,
      (sql) =>
        sql<{ readonly charges: number }>`
        SELECT count(*)::int AS charges FROM credit_entry WHERE org_id = 'org_busy' AND kind = 'charge'`
    ))
    assert.deepStrictEqual(charged, [{ charges: 1 }])
  })
})

/** The first of two that nobody listens on, below those that systems give to whoever asks for any. */
const twoFreePorts = async (): Promise<number> => {
  for (let port = 20_000 + randomInt(10_000);; port += 2) {
    const probes = [port, port + 1].map((each) => createServer().listen(each, "127.0.0.1"))
    const found = await Promise.all(probes.map((probe) => once(probe, "listening").then(() => true, () => false)))
    await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))))
    if (found.every((free) => free)) return port
  }
}

describe("a server of two processes", () => {
  const processesOf = async (server: Server): Promise<ReadonlyArray<number>> => {
    const { readFile } = await import("node:fs/promises")
    const pid = server.process.pid
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")
    return text.trim().split(" ").filter((each) => each !== "").map(Number)
  }

  it("replaces one that dies, finishes what is in hand when it is stopped, and leaves nothing behind", async () => {
    const { drop, env } = await twoCustomers()
    const server = await serve(["--workers", "2"], { ...env, LOG_LEVEL: "warn" })
    try {
      const headers = { authorization: `Bearer ${secrets.busy}` }
      const before = await processesOf(server)
      assert.lengthOf(before, 2)
      const [victim = 0] = before
      process.kill(victim, "SIGKILL")
      const told = once(server.process, "exit")
      // Whoever came to it at its last moment is cut off with it.
      let now = await until(() => processesOf(server), (pids) => !pids.includes(victim))
      // Whoever is there answers from then on.
      do {
        assert.isNull(server.process.exitCode)
        assert.strictEqual((await fetch(`${server.url}/me`, { headers })).status, 200)
        now = await processesOf(server)
      } while (now.length < 2)

      const { hostname, port } = new URL(server.url)
      const body = JSON.stringify({ filters: { countyFips: ["53903"] } })
      const inHand = request({
        hostname,
        port,
        method: "POST",
        path: "/v1/properties/search",
        headers: {
          ...headers,
          "content-type": "application/json",
          "content-length": String(body.length),
          expect: "100-continue"
        }
      })
      const answered = once(inHand, "response")
      inHand.flushHeaders()
      await once(inHand, "continue")
      server.process.kill("SIGTERM")
      inHand.end(body)
      const [response] = await answered
      assert.strictEqual(response.statusCode, 200)
      response.resume()
      await told
      assert.strictEqual(server.process.exitCode, 0)
      const left = now.filter((pid) => {
        try {
          return process.kill(pid, 0)
        } catch {
          return false
        }
      })
      assert.deepStrictEqual(left, [])
      assert.match(await server.errors, /process 1 \(\d+\) ended by SIGKILL; another one is started/)
    } finally {
      server.process.kill("SIGKILL")
      await drop()
    }
  })

  it("tells those who watch of each process, at a port of its own", async () => {
    const { drop, env } = await twoCustomers()
    const port = await twoFreePorts()
    const server = await serve(["--workers", "2"], { ...env, FREEHOLD_WATCH_ADDRESS: `127.0.0.1:${port}` })
    try {
      for (const each of [port, port + 1]) {
        const ready = await fetch(`http://127.0.0.1:${each}/readyz`)
        assert.strictEqual(ready.status, 200)
        const metrics = await (await fetch(`http://127.0.0.1:${each}/metrics`)).text()
        assert.match(metrics, /freehold_pool_size\{pool="ledger"\} 16/)
      }
    } finally {
      await server.stop()
      await drop()
    }
  })

  it("says once that its port is in use, and ends", async () => {
    const { drop, env } = await twoCustomers()
    const first = await serve(["--workers", "2"], env)
    try {
      const { port } = new URL(first.url)
      const second = await run(["serve", "--workers", "2", "--port", port], env)
      assert.strictEqual(second.code, 1)
      assert.strictEqual(second.stderr.match(/is in use/g)?.length, 1, second.stderr)
    } finally {
      await first.stop()
      await drop()
    }
  })
})

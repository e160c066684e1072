/**
 * The laws of the request rate from outside, on a server in a process of its own: what counts, where, and for how long;
 * what a refusal says; and that a limiter that cannot count lets nobody in (R1-R8, F1).
 *
 * All data is made up.
 */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Deferred, Effect, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, run, runJson, serve, type Server } from "./Freehold.ts"
import { migratedDatabase } from "./FreshDatabase.ts"
import { ndjson, properties, research } from "./Sample.ts"

const secretOf = (name: string) => `fhk_${name}${"0".repeat(43)}`.slice(0, 47)

const organization = (id: string, keys: ReadonlyArray<string>, settings: object) => ({
  org_id: `org_${id}`,
  name: `Sample ${id} (made up)`,
  plan: "enterprise",
  serviceable_area: { county_fips: ["53903"] },
  grants: [{ ref: "welcome", bucket: "included", amount: 100 }],
  keys: keys.map((name) => ({
    name,
    scopes: ["account:read", "property:read", "data:read", "data:unlock", "mcp"],
    secret: secretOf(name)
  })),
  ...settings
})

const organizations = [
  organization("mixed", ["mixedA", "mixedB"], { requests_per_minute: 6 }),
  organization("parallel", ["parallel"], { requests_per_minute: 5 }),
  organization("shape", ["shape"], { requests_per_minute: 1 }),
  organization("plan", ["plan"], {}),
  organization("override", ["override"], { requests_per_minute: 3 }),
  organization("day", ["dayA", "dayB"], { requests_per_day: 4 }),
  organization("held", ["held"], { requests_per_minute: 1000 })
]

const unlockPath = `/properties/${properties[0]?.key}/unlock`

describe("the laws of the request rate", () => {
  let drop: () => Promise<void>
  let url: Redacted.Redacted
  let env: Environment
  let server: Server

  const apply = (each: object) => runJson(["apply", "-"], env, JSON.stringify({ organizations: [each] }))

  beforeAll(async () => {
    const database = await migratedDatabase()
    drop = database.drop
    url = Redacted.make(database.url)
    env = {
      DATABASE_URL: database.url,
      FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
      LOG_LEVEL: "none"
    }
    await runJson(["apply", "-"], env, JSON.stringify({ organizations }))
    for (const [kind, rows] of [["properties", properties], ["research", research]] as const) {
      const { code, stderr } = await run(["import", kind, "-"], env, ndjson(rows))
      assert.strictEqual(code, 0, stderr)
    }
    server = await serve([], env)
  })

  afterAll(async () => {
    await server.stop()
    await drop()
  })

  const ask = async (
    name: string,
    method: string,
    path: string,
    { at = server, body, headers = {} }: {
      readonly at?: Server
      readonly body?: unknown
      readonly headers?: Record<string, string>
    } = {}
  ) => {
    const response = await fetch(`${at.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secretOf(name)}`,
        ...body === undefined ? {} : { "content-type": "application/json" },
        ...headers
      },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })
    const told: ReturnType<typeof JSON.parse> = await response.json()
    return { status: response.status, headers: response.headers, body: told }
  }

  const tools = { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } }
  const statuses = (answers: ReadonlyArray<{ readonly status: number }>) => answers.map(({ status }) => status)

  const balanceOf = async (orgId: string) => {
    const rows = await Effect.runPromise(
      administer(url, (sql) =>
        sql<
          { readonly left: number }
        >`SELECT coalesce(sum(remaining), 0)::int AS left FROM credit_grant WHERE org_id = ${orgId}`)
    )
    return rows[0]?.left
  }

  it("one counter for a key over REST and MCP, refusals included; another key and no key do not touch it (R1 R2 R5 F1)", async () => {
    const admitted = [
      await ask("mixedA", "GET", "/me"),
      await ask("mixedA", "POST", "/mcp", tools),
      await ask("mixedA", "GET", "/properties/no-such-property"),
      await ask("mixedA", "GET", "/me?unknown=1"),
      await ask("mixedA", "GET", "/leads/00000000-0000-4000-8000-000000000000"),
      await ask("mixedA", "GET", "/account")
    ]
    assert.deepStrictEqual(statuses(admitted), [200, 200, 404, 400, 403, 200])
    const refused = [
      await ask("mixedA", "GET", "/me"),
      await ask("mixedA", "POST", "/mcp", tools),
      await ask("mixedA", "POST", unlockPath),
      await ask("mixedA", "GET", "/no-such-route")
    ]
    assert.deepStrictEqual(statuses(refused).slice(0, 3), [429, 429, 429])
    assert.strictEqual(await balanceOf("org_mixed"), 100)
    // Refused requests make the wait no longer.
    const resets = refused.slice(0, 3).map(({ headers }) => headers.get("x-ratelimit-reset"))
    assert.strictEqual(new Set(resets).size, 1)
    // The other key has its own count, and unknown keys have none.
    const remaining: Array<string | null> = []
    for (let each = 0; each < 3; each++) {
      assert.strictEqual((await ask("nobody", "GET", "/me")).status, 401)
      remaining.push((await ask("mixedB", "GET", "/me")).headers.get("x-ratelimit-remaining"))
    }
    assert.deepStrictEqual(remaining, ["5", "4", "3"])
  })

  it("of simultaneous requests over both doors exactly the limit passes (R1 R2)", async () => {
    const answers = await Promise.all(
      Array.from(
        { length: 24 },
        (_, index) => index % 2 === 0 ? ask("parallel", "GET", "/me") : ask("parallel", "POST", "/mcp", tools)
      )
    )
    assert.strictEqual(answers.filter(({ status }) => status === 200).length, 5)
    assert.strictEqual(answers.filter(({ status }) => status === 429).length, 19)
  })

  it("the limit is that of the moment: downgrade, upgrade and override count at once, and the count stays (R3)", async () => {
    for (let each = 0; each < 15; each++) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask("plan", "GET", "/me")))
      assert.deepStrictEqual(new Set(statuses(answers)), new Set([200]))
    }
    await apply(organization("plan", [], { plan: "team", grants: [] }))
    const refused = await ask("plan", "GET", "/me")
    assert.strictEqual(refused.status, 429)
    assert.deepInclude(refused.body.meta.limit, { value: 120, used: 150 })
    await apply(organization("plan", [], { plan: "enterprise", grants: [] }))
    const admitted = await ask("plan", "GET", "/me")
    assert.deepStrictEqual([admitted.status, admitted.headers.get("x-ratelimit-remaining")], [200, "149"])

    assert.strictEqual((await ask("override", "GET", "/me")).headers.get("x-ratelimit-limit"), "3")
    await apply(organization("override", [], { requests_per_minute: 0, grants: [] }))
    assert.strictEqual((await ask("override", "GET", "/me")).status, 429)
    await apply(organization("override", [], { requests_per_minute: null, grants: [] }))
    assert.strictEqual((await ask("override", "GET", "/me")).headers.get("x-ratelimit-limit"), "300")
  })

  it("a refusal says what the limit is and when it ends, the same through both doors (R4)", async () => {
    await ask("shape", "GET", "/me")
    const before = Math.floor(Date.now() / 1000)
    for (
      const { body, headers, status } of [
        await ask("shape", "GET", "/me"),
        await ask("shape", "POST", "/mcp", tools)
      ]
    ) {
      const wait = Number(headers.get("retry-after"))
      const reset = Number(headers.get("x-ratelimit-reset"))
      assert.strictEqual(status, 429)
      assert.isTrue(Number.isInteger(wait) && wait >= 1 && wait <= 60)
      assert.isTrue(Number.isInteger(reset) && reset >= before && reset <= before + 61)
      assert.deepStrictEqual(
        ["x-ratelimit-limit", "x-ratelimit-remaining", "cache-control"].map((name) => headers.get(name)),
        ["1", "0", "no-store"]
      )
      const { resets_at, ...limit } = body.meta.limit
      assert.deepStrictEqual(limit, { name: "requests_per_minute", level: 1, value: 1, used: 1 })
      assert.strictEqual(Math.ceil(Date.parse(resets_at) / 1000), reset)
      assert.deepStrictEqual([body.meta.code, body.meta.retryAfterSeconds], ["rate_limited", wait])
    }
  })

  it("an address has 1,000 requests a minute before any key is looked at, whatever it says it is (R6)", async () => {
    const other = await serve([], env)
    // What the other tests sent counts too, whichever server they sent it to.
    const forgetAddresses = () => Effect.runPromise(administer(url, (sql) => sql`DELETE FROM address_window`))
    await forgetAddresses()
    try {
      let sent = 0
      const sender = async () => {
        while (sent < 1000) {
          sent += 1
          const { status } = await ask("nobody", "GET", "/me", {
            at: other,
            headers: { "x-forwarded-for": `192.0.2.${sent % 250}` }
          })
          assert.strictEqual(status, 401)
        }
      }
      await Promise.all(Array.from({ length: 16 }, sender))
      for (const name of ["nobody", "held"]) {
        const { body, status } = await ask(name, "GET", "/me", {
          at: other,
          headers: { "x-forwarded-for": "198.51.100.1" }
        })
        assert.deepStrictEqual([status, body.meta?.limit?.name], [429, "requests_per_minute_ip"])
      }
    } finally {
      await forgetAddresses()
      await other.stop()
    }
  })

  it("the day's ceiling is shared by the keys and both doors, and outlives the server (R7)", async () => {
    const admitted = [
      await ask("dayA", "GET", "/me"),
      await ask("dayB", "GET", "/me"),
      await ask("dayA", "POST", "/mcp", tools),
      await ask("dayB", "GET", "/properties/no-such-property")
    ]
    assert.deepStrictEqual(statuses(admitted), [200, 200, 200, 404])
    const checkRefused = async (name: string) => {
      const midnight = new Date(Math.ceil((Date.now() + 1) / 86_400_000) * 86_400_000).toISOString()
      const { body, headers, status } = await ask(name, "GET", "/me")
      assert.deepStrictEqual([status, body.code, body.meta.code], [
        429,
        "DAILY_REQUEST_LIMIT_EXCEEDED",
        "DAILY_REQUEST_LIMIT_EXCEEDED"
      ])
      assert.deepStrictEqual(body.meta.limit, {
        name: "requests_per_day",
        level: 1,
        value: 4,
        used: 4,
        resets_at: midnight
      })
      assert.strictEqual(headers.get("retry-after"), String(body.meta.retryAfterSeconds))
    }
    await checkRefused("dayA")
    await server.stop()
    server = await serve([], env)
    await checkRefused("dayB")
  })

  it(
    "a limiter that hangs or breaks lets nobody in and charges nothing; it recovers without a restart (R8)",
    async () => {
      const released = Deferred.makeUnsafe<void>()
      const held = Deferred.makeUnsafe<void>()
      const holding = Effect.runPromise(administer(url, (sql) =>
        sql.withTransaction(
          sql`LOCK TABLE credential_window IN ACCESS EXCLUSIVE MODE`.pipe(
            Effect.andThen(Deferred.succeed(held, undefined)),
            Effect.andThen(Deferred.await(released))
          )
        )))
      await Effect.runPromise(Deferred.await(held))
      const checkRefused = ({ body, headers, status }: Awaited<ReturnType<typeof ask>>) => {
        assert.deepStrictEqual([status, body.meta.code], [503, "rate_limit_unavailable"])
        assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      }
      const unlockByTool = {
        body: {
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "service_reveal_property", arguments: { id: properties[0]?.key } }
        }
      }
      // It hangs: refused at the deadline.
      const hanging = await Promise.all([
        ask("held", "POST", unlockPath),
        ask("held", "POST", "/mcp", unlockByTool)
      ])
      hanging.forEach(checkRefused)
      // It breaks: the session that counts is killed.
      const breaking = ask("held", "POST", unlockPath)
      await Effect.runPromise(administer(url, (sql) =>
        sql<{ readonly killed: boolean }>`
        SELECT pg_terminate_backend(pid) AS killed FROM pg_locks
        WHERE NOT granted AND relation = 'credential_window'::regclass`.pipe(
          Effect.repeat({ until: (rows) => rows.length > 0 })
        )))
      checkRefused(await breaking)
      assert.strictEqual(await balanceOf("org_held"), 100)
      Deferred.doneUnsafe(released, Effect.void)
      await holding
      // What hung may still be answered with the refusal; after it, everything is as before.
      let answer = await ask("held", "POST", unlockPath)
      while (answer.status === 503) answer = await ask("held", "POST", unlockPath)
      assert.deepStrictEqual(answer.body.data, { alreadyRevealed: false, creditsCharged: 10 })
      assert.strictEqual(await balanceOf("org_held"), 90)
    }
  )
})

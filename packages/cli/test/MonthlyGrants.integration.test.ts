/** Monthly grants from outside: what `apply` says of an allotment, and servers and workers that grant at the same moment. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import * as Client from "@freehold/http-host/Client"
import { Effect, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, run, runJson, serve, start } from "./Freehold.ts"
import { orgId, sampleDatabase } from "./Sample.ts"

let env: Environment
let drop: () => Promise<void>

beforeAll(async () => {
  ;({ drop, env } = await sampleDatabase())
})

afterAll(() => drop())

const apply = (organization: object) =>
  run(["apply", "-", "--json"], env, JSON.stringify({ organizations: [organization] }))

const query = <Row extends object>(
  statement: (sql: SqlClient.SqlClient) => Effect.Effect<ReadonlyArray<Row>, unknown>
) => Effect.runPromise(administer(Redacted.make(env["DATABASE_URL"] ?? ""), statement))

/** The monthly grants of all ledgers, each as its organization and its credits. */
const grants = () =>
  query((sql) =>
    sql<{ readonly told: string }>`
      SELECT org_id || ' ' || credits AS told FROM credit_entry WHERE ref LIKE 'monthly:%' ORDER BY org_id, entry`
  ).then((rows) => rows.map(({ told }) => told))

const accountKey = `fhk_${"a".repeat(43)}`

const nextMonth = () => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString()
}

describe("a monthly grant", () => {
  it("is told by apply, given at once, and shown by the ledger and GET /account", async () => {
    const without = await apply({ org_id: "org_silent", monthly_credit_allotment: 40 })
    assert.strictEqual(
      without.stderr,
      "org_silent: monthly_credit_allotment 40 grants no credits, it sets the default of daily pipeline changes; "
        + "\"monthly_grant\": true has it granted each month\n"
    )
    assert.deepStrictEqual(await grants(), [])

    const given = await apply({
      org_id: orgId,
      monthly_credit_allotment: 40,
      monthly_grant: true,
      keys: [{ name: "account", scopes: ["account:read"], secret: accountKey }]
    })
    assert.strictEqual(
      given.stderr,
      `${orgId}: 40 included credits are granted at the start of each UTC month and expire with the month\n`
    )
    assert.deepStrictEqual(await grants(), [`${orgId} 40`])
    assert.include(JSON.stringify(await runJson(["credits", "ledger", "--org", orgId], env)), "\"ref\":\"monthly:")

    const server = await serve(["--no-worker"], env)
    const answer = await Client.make({ baseUrl: server.url, apiKey: accountKey }).call("GET /account", {})
    await server.stop()
    assert.isTrue(answer.success)
    assert.deepStrictEqual(answer.success && answer.data.monthly_grant, {
      credits: 40,
      rolls_over: false,
      next_at: nextMonth()
    })
  })

  it("is told of an organization that was applied before one that is refused", async () => {
    const given = { monthly_credit_allotment: 40, monthly_grant: true }
    const refused = [{ name: "far", scopes: ["account:read"], expires_at: "2001-01-01T00:00:00Z" }]
    const { code, stderr } = await run(
      ["apply", "-", "--json"],
      env,
      JSON.stringify({ organizations: [{ org_id: "org_given", ...given }, { org_id: "org_refused", keys: refused }] })
    )
    assert.strictEqual(code, 1)
    assert.include(
      stderr,
      "org_given: 40 included credits are granted at the start of each UTC month and expire with the month\n"
    )
    assert.include(await grants(), "org_given 40")
  })

  it("is made once by servers and workers that start at the same moment, and every law holds (G1)", async () => {
    const orgs = Array.from({ length: 12 }, (_, index) => `org_${index}`)
    await run(
      ["apply", "-"],
      env,
      JSON.stringify({
        organizations: orgs.map((org_id) => ({ org_id, monthly_credit_allotment: 7 }))
      })
    )
    // As the turn of a month leaves them: theirs is due, and nobody has looked yet.
    await query((sql) =>
      sql`UPDATE organization SET profile = profile || '{"monthly_grant": true}' WHERE org_id = ANY (${orgs})`
    )
    const before = await grants()
    const workers = [start(["worker"], env), start(["worker"], env)]
    const servers = await Promise.all([serve(["--no-worker"], env), serve([], env)])
    while ((await grants()).length < before.length + orgs.length);
    await Promise.all(servers.map(({ stop }) => stop()))
    for (const worker of workers) worker.kill("SIGKILL")
    assert.deepStrictEqual(await grants(), [...before, ...orgs.map((org) => `${org} 7`)].toSorted())
    assert.strictEqual((await run(["audit"], env)).code, 0)
  })
})

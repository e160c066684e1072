/**
 * A server with a replica that streams from its database: a caller sees what it did, and what is suppressed stays so, while
 * the replica follows, lags, and is gone.
 *
 * All data is made up.
 */
import * as StandbyServer from "@freehold/adapters-pg/testing/StandbyServer"
import { administer, inDatabase } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Exit, Redacted, Scope } from "effect"
import { chmodSync, mkdtempSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { run, runJson, serve, type Server } from "./Freehold.ts"
import { ndjson, properties } from "./Sample.ts"
import { caller, type Customers, secrets, twoCustomers, until } from "./TwoCustomers.ts"

const county = { json: { filters: { countyFips: ["53903"] } } }

describe("a server with a replica", () => {
  const scope = Scope.makeUnsafe()
  let standby: StandbyServer.StandbyServer
  let customers: Customers
  let env: Readonly<Record<string, string>>
  let server: Server

  beforeAll(async () => {
    const folder = mkdtempSync(join(inject("postgres").folder, "replica-"))
    chmodSync(folder, 0o711)
    const primary = { folder: join(folder, "primary") }
    const url = await Effect.runPromise(Scope.provide(StandbyServer.primary(primary.folder), scope))
    standby = await Effect.runPromise(
      Scope.provide(StandbyServer.start({ ...primary, url }, join(folder, "standby")), scope)
    )
    customers = await twoCustomers(url)
    const owned = properties.map(({ countyFips, key }) => ({ countyFips, key, recordOwner: "ADA SAMPLE TRUST" }))
    await runJson(["import", "properties", "-"], customers.env, ndjson(owned))
    const name = new URL(Redacted.value(customers.url)).pathname.slice(1)
    env = {
      ...customers.env,
      DATABASE_REPLICA_URL: Redacted.value(inDatabase(standby.url, name)),
      FREEHOLD_REPLICA_MAX_LAG: "1 second"
    }
    server = await serve([], env)
  })

  afterAll(async () => {
    await server.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const call = (method: string, path: string, sent?: Parameters<ReturnType<typeof caller>>[2]) =>
    caller(server, secrets.busy)(method, path, sent)

  /** Whether the standby was asked for properties by the server. */
  const wasAsked = () =>
    Effect.runPromise(administer(standby.url, (sql) =>
      Effect.map(
        sql<{ readonly asked: number }>`
          SELECT count(*)::int AS asked FROM pg_stat_activity
          WHERE application_name = 'freehold replica' AND query LIKE '%FROM property p%'`,
        ([row]) => (row?.asked ?? 0) > 0
      )))

  const finding = async () => {
    const { stdout } = await run(["doctor", "--json"], env)
    const { checks }: { readonly checks: ReadonlyArray<{ readonly check: string; readonly outcome: string }> } = JSON
      .parse(stdout)
    return checks.find(({ check }) => check === "replica")
  }

  /** Writes, and looks for it by searches, as one caller. */
  const seesOwnWrites = async (name: string) => {
    const { data: { list } } =
      (await call("POST", "/lists", { json: { list_name: name, list_type: "properties" } })).body
    const found = (await call("POST", "/properties/search", county)).body.data.results
    for (const [index, { id }] of found.entries()) {
      await call("POST", `/lists/${list.id}/items`, { json: { item_ids: [id] } })
      const listed = await call("POST", "/properties/search", {
        json: { filters: { countyFips: ["53903"], inListId: list.id } }
      })
      assert.lengthOf(listed.body.data.results, index + 1)
    }
  }

  it("searches there, and a caller sees what it did (P6)", async () => {
    assert.include(JSON.stringify((await call("POST", "/properties/search", county)).body), "ADA SAMPLE TRUST")
    await until(wasAsked, (asked) => asked)
    await seesOwnWrites("While it follows")
    await until(finding, (found) => found?.outcome === "ok")
  })

  it("a suppression holds at once, and a caller sees what it did, while the replica lags (P6)", async () => {
    await Effect.runPromise(standby.pause)
    await runJson(["suppress", "--owner", "ada sample trust"], customers.env)
    const found = await call("POST", "/properties/search", county)
    assert.lengthOf(found.body.data.results, properties.length)
    assert.notMatch(JSON.stringify(found.body), /\bada\b/i)
    assert.isEmpty((await call("POST", "/properties/search", { json: { query: "ada sample" } })).body.data.results)
    await seesOwnWrites("While it lags")
    await until(finding, (found) => found?.outcome === "fault")
    await Effect.runPromise(standby.resume)
  })

  it("everything is answered when the replica is gone (P6)", async () => {
    await Effect.runPromise(standby.kill)
    assert.strictEqual((await call("POST", "/properties/search", county)).status, 200)
    await seesOwnWrites("While it is gone")
    const rows = [{ address: properties[0]?.address, city: properties[0]?.city, zip: properties[0]?.zip }]
    const resolved = await call("POST", "/properties/resolve", { json: { rows } })
    assert.isString(resolved.body.data.results[0].property_id)
    const gone = await finding()
    assert.containSubset(gone, { outcome: "fault" })
    assert.match(JSON.stringify(gone), /does not answer/)
  })
})

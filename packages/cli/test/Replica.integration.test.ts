/**
 * A replica that lags, and one that is away: what is suppressed stays so, a caller sees what it wrote, and nothing is
 * refused. A second database that never hears of a change stands in for a replica that lags.
 *
 * All data is made up.
 */
import { administer, inDatabase, uniqueName } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { assert, inject, it } from "vitest"
import { runJson, serve } from "./Freehold.ts"
import { ndjson, properties } from "./Sample.ts"
import { caller, secrets, toolCaller, twoCustomers } from "./TwoCustomers.ts"

const [first] = properties

const county = { json: { filters: { countyFips: ["53903"] } } }

it("what was suppressed or written just now is read from the primary, however far the replica lags", async () => {
  const { drop, env, url } = await twoCustomers()
  const administrator = Redacted.make(inject("postgres").url)
  const lagging = uniqueName()
  const owned = properties.map(({ countyFips, key }) => ({ countyFips, key, recordOwner: "ADA SAMPLE TRUST" }))
  await runJson(["import", "properties", "-"], env, ndjson(owned))
  const original = new URL(Redacted.value(url)).pathname.slice(1)
  await Effect.runPromise(administer(
    administrator,
    (sql) => sql`CREATE DATABASE ${sql(lagging)} TEMPLATE ${sql(original)}`
  ))
  const server = await serve([], {
    ...env,
    DATABASE_REPLICA_URL: Redacted.value(inDatabase(administrator, lagging))
  })
  try {
    const call = caller(server, secrets.busy)
    const tool = toolCaller(server, secrets.busy)
    assert.include(JSON.stringify((await call("POST", "/properties/search", county)).body), "ADA SAMPLE TRUST")
    await runJson(["suppress", "--owner", "ada sample trust"], env)
    const found = await call("POST", "/properties/search", county)
    assert.lengthOf(found.body.data.results, properties.length)
    assert.notMatch(JSON.stringify(found.body), /ada/i)
    assert.isEmpty((await call("POST", "/properties/search", { json: { query: "ada sample" } })).body.data.results)

    const { data: { list } } =
      (await call("POST", "/lists", { json: { list_name: "Own", list_type: "properties" } })).body
    const ids = found.body.data.results.map(({ id }: { readonly id: string }) => id)
    await call("POST", `/lists/${list.id}/items`, { json: { item_ids: ids.slice(0, 1) } })
    const listed = await call("POST", "/properties/search", {
      json: { filters: { countyFips: ["53903"], inListId: list.id } }
    })
    assert.lengthOf(listed.body.data.results, 1)

    // What may lag comes from there: nothing of it is ever withheld, or written by a caller.
    await Effect.runPromise(administer(
      inDatabase(administrator, lagging),
      (sql) =>
        sql`UPDATE property SET retired_into = (SELECT o.id FROM property o WHERE o.key <> property.key LIMIT 1)
          WHERE key = ${first?.key}`
    ))
    assert.containSubset(await tool("service_get_coverage", {}), { counties: [{ fips: "53903", properties: 2 }] })
  } finally {
    await server.stop()
    await Effect.runPromise(administer(
      administrator,
      (sql) => sql`DROP DATABASE IF EXISTS ${sql(lagging)} WITH (FORCE)`
    ))
    await drop()
  }
})

it("with a replica that is away everything is answered from the primary", async () => {
  const { drop, env } = await twoCustomers()
  const server = await serve([], { ...env, DATABASE_REPLICA_URL: "postgres://nobody@127.0.0.1:1/nothing" })
  try {
    const call = caller(server, secrets.busy)
    const rows = [{ address: first?.address, city: first?.city, zip: first?.zip }]
    const resolved = await call("POST", "/properties/resolve", { json: { rows } })
    assert.strictEqual(resolved.status, 200)
    assert.isString(resolved.body.data.results[0].property_id)
    assert.strictEqual((await call("POST", "/properties/search", county)).status, 200)
    const coverage = await toolCaller(server, secrets.busy)("service_get_coverage", {})
    assert.containSubset(coverage, { counties: [{ fips: "53903", properties: 3 }] })
  } finally {
    await server.stop()
    await drop()
  }
})

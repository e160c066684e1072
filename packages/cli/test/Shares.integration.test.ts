/**
 * One organization keeps all busy that it may, and the others notice nothing (P3 P4 P5). What keeps it busy is a lock on
 * tables that only its calls read, so that every one of them takes as long as it is let.
 *
 * All data is made up.
 */
import { defaultSizes, serving } from "@freehold/adapters-pg/database/Pools"
import { boundsOn } from "@freehold/core/load/Workload"
import { availableParallelism } from "node:os"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { serve, type Server } from "./Freehold.ts"
import { properties } from "./Sample.ts"
import {
  type Answer,
  caller,
  type Customers,
  holding,
  secrets,
  toolCaller,
  twoCustomers,
  until,
  waiting
} from "./TwoCustomers.ts"

const servingPools = serving(defaultSizes)
const { ledger, reads } = servingPools

const person = "00000000-0000-4000-8000-000000000001"

const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

const bounds = boundsOn(availableParallelism())

describe("one organization's share", () => {
  let customers: Customers
  let server: Server

  beforeAll(async () => {
    customers = await twoCustomers()
    server = await serve([], customers.env)
  })
  afterAll(async () => {
    await server.stop()
    await customers.drop()
  })

  /** The background's own connections may wait: they are nobody else's. */
  const nothingWaits = () =>
    until(
      () => waiting(customers.url),
      (found) => Object.values(servingPools).every(({ applicationName }) => found[applicationName] === undefined)
    )

  it("is all that it can occupy: another one is admitted, searches and unlocks meanwhile, and its own calls are answered in time (P3 P4)", async () => {
    const [busy, other] = [caller(server, secrets.busy), caller(server, secrets.other)]
    const release = await holding(
      customers.url,
      "LOCK property_change, contact, list IN ACCESS EXCLUSIVE MODE"
    )
    const releaseAccount = await holding(
      customers.url,
      "SELECT FROM credit_account WHERE org_id = 'org_busy' FOR UPDATE"
    )
    const listing = { list_name: "Sample", list_type: "properties" }
    const attacks: ReadonlyArray<Promise<Answer>> = [
      ...times(60, () => busy("GET", "/changes?days=365")),
      ...times(20, () => busy("POST", "/access/check", { json: { contact_ids: [person] } })),
      ...times(
        20,
        (index) => busy("POST", "/lists", { json: listing, headers: { "idempotency-key": `sample ${index}` } })
      ),
      ...properties.map(({ key }) => busy("POST", `/properties/${key}/unlock`))
    ]
    const tool = toolCaller(server, secrets.busy)("service_get_changes", {})
    const held = await until(
      () => waiting(customers.url),
      (found) =>
        (found[reads.applicationName] ?? 0) >= bounds.read.perOrganization &&
        (found[ledger.applicationName] ?? 0) >= bounds.write.perOrganization + 1
    )
    assert.isAtMost(held[reads.applicationName] ?? 0, 2 * bounds.read.perOrganization)
    assert.isAtMost(held[ledger.applicationName] ?? 0, bounds.write.perOrganization + 1)

    const probes = await Promise.all([
      other("GET", "/me"),
      other("POST", "/properties/search", { json: { filters: { countyFips: ["53903"] } } }),
      other("POST", `/properties/${properties[0]?.key}/unlock`),
      busy("GET", "/me")
    ])
    assert.deepStrictEqual(probes.map(({ status }) => status), [200, 200, 200, 200])
    assert.strictEqual(probes[2]?.body.data.creditsCharged, 10)

    for (const { body, headers, status } of await Promise.all(attacks)) {
      assert.strictEqual(status, 503)
      assert.strictEqual(body.meta.code, "TEMPORARILY_UNAVAILABLE")
      assert.match(headers.get("retry-after") ?? "", /^[1-9]\d*$/)
    }
    assert.deepInclude(await tool, { code: "TEMPORARILY_UNAVAILABLE" })
    // The server of the database was told, too: nobody waits there, though the locks are still held.
    await nothingWaits()

    await releaseAccount()
    await release()
    const ledgerOf = await busy("GET", "/credits/ledger")
    assert.deepStrictEqual(
      ledgerOf.body.data.entries.map((entry: { readonly kind: string }) => entry.kind),
      ["grant"]
    )
    assert.isEmpty((await busy("GET", "/lists")).body.data.lists)
    const [changes, unlocked] = [
      await busy("GET", "/changes?days=365"),
      await busy("POST", `/properties/${properties[0]?.key}/unlock`)
    ]
    assert.deepStrictEqual([changes.status, unlocked.status, unlocked.body.data.creditsCharged], [200, 200, 10])
  })

  it("is given back by a client that goes away, and its statement ends in the database (P5)", async () => {
    const busy = caller(server, secrets.busy)
    const release = await holding(customers.url, "LOCK property_change IN ACCESS EXCLUSIVE MODE")
    const client = new AbortController()
    const gone = times(
      bounds.read.perOrganization,
      () => busy("GET", "/changes?days=365", { signal: client.signal }).catch(() => null)
    )
    await until(
      () => waiting(customers.url),
      (found) => found[reads.applicationName] === bounds.read.perOrganization
    )
    client.abort()
    assert.deepStrictEqual(await Promise.all(gone), gone.map(() => null))
    await nothingWaits()
    const search = { json: { filters: { countyFips: ["53903"] } } }
    assert.strictEqual((await busy("POST", "/properties/search", search)).status, 200)
    await release()
    assert.strictEqual((await busy("GET", "/changes?days=365")).status, 200)
  })
})

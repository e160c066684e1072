/**
 * `freehold property merge` from outside: what the API answers about both records, what the ledger says, and a storm of
 * unlocks during merges.
 */
import * as Database from "@freehold/adapters-pg/database/Database"
import * as PropertyMergesPg from "@freehold/adapters-pg/property/PropertyMergesPg"
import { PropertyMerges } from "@freehold/core/property/PropertyMerges"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { assert, test } from "vitest"
import { type Environment, run, runJson, serve } from "../Freehold.ts"
import { ndjson, orgId, properties, research, sampleDatabase, secret } from "../Sample.ts"

// Of any shape: what it has is what is asserted.
type Answer = ReturnType<typeof JSON.parse>

const client = (url: string) => async (method: string, path: string, key = secret, body?: object) => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...body === undefined ? {} : { body: JSON.stringify(body) }
  })
  const answer: Answer = await response.json()
  return { status: response.status, body: answer }
}

const audited = async (env: Environment) => assert.containSubset(await runJson(["audit"], env), { ok: true })

test("a merged record is told by its successor; both charges stand with one access, and each can be refunded", async () => {
  const { drop, env } = await sampleDatabase()
  const [first = "", second = "", third = ""] = properties.map(({ key }) => key)
  const server = await serve([], env)
  const call = client(server.url)
  const merge = (from: string, into: string, ...more: ReadonlyArray<string>) =>
    runJson(["property", "merge", "--from", from, "--into", into, ...more], env)
  const charged = async (key: string) => (await call("POST", `/properties/${key}/unlock`)).body.data
  try {
    assert.deepInclude(await charged(first), { alreadyRevealed: false, creditsCharged: 10 })
    assert.deepInclude(await charged(second), { alreadyRevealed: false, creditsCharged: 10 })
    await runJson(["lead", "qualify", "--org", orgId, "--property", first, "--deal-value", "5"], env)
    const { id } = (await call("GET", `/properties/${first}`)).body.data.property
    const { id: heir } = (await call("GET", `/properties/${second}`)).body.data.property

    const told = await merge(first, second, "--dry-run")
    assert.containSubset(told, { dry_run: true, moved: { accesses: 1, paid_twice: 1, leads: 1 } })
    assert.strictEqual((await call("GET", `/properties/${first}`)).status, 200)
    assert.containSubset(await merge(first, second), { outcome: "merged", into: { id: heir, key: second } })
    for (const named of [id, first]) {
      for (const answer of [call("GET", `/properties/${named}`), call("POST", `/properties/${named}/unlock`)]) {
        const { body, status } = await answer
        assert.strictEqual(status, 409)
        assert.containSubset(body.meta, { code: "PROPERTY_RETIRED", successorPropertyId: heir })
      }
    }
    assert.deepInclude(await charged(second), { alreadyRevealed: true, creditsCharged: 0 })
    assert.containSubset(await runJson(["lead", "list", "--org", orgId], env), { items: [{ property_key: second }] })
    await audited(env)

    // The file of records says the same of the next one.
    const retired = { key: second, countyFips: "53903", retiredInto: third }
    assert.containSubset(await runJson(["import", "properties", "-"], env, ndjson([retired])), { updated: 1 })
    const successor = (await call("GET", `/properties/${third}`)).body.data.property.id
    assert.strictEqual((await call("GET", `/properties/${first}`)).body.meta.successorPropertyId, successor)
    assert.deepInclude(await charged(third), { alreadyRevealed: true, creditsCharged: 0 })
    await audited(env)

    const refund = (entry: number) =>
      runJson(["credits", "refund", "--org", orgId, "--entry", String(entry), "--reason", "made up"], env)
    const access = async () => (await call("GET", `/properties/${third}`)).body.data.researchState
    await refund(2)
    assert.strictEqual(await access(), "revealed")
    await audited(env)
    await refund(3)
    assert.strictEqual(await access(), "locked")
    await audited(env)
    assert.deepInclude(await charged(third), { alreadyRevealed: false, creditsCharged: 10 })
    await audited(env)

    const again = await run(["property", "merge", "--from", first, "--into", second], env)
    assert.strictEqual(again.code, 0, again.stderr)
    const itself = await run(["property", "merge", "--from", third, "--into", first], env)
    assert.deepStrictEqual([itself.code, itself.stderr.trim()], [
      1,
      `freehold: ${first} leads back to the record itself`
    ])
  } finally {
    await server.stop()
    await drop()
  }
})

const places = 16
const tenants = 6

test("during a storm of unlocks merges neither lose nor repeat a charge, and nobody waits for ever", async () => {
  const { drop, env } = await sampleDatabase()
  const keys = Array.from({ length: places }, (_, index) => `53903-STORM${index}`)
  const secretOf = (tenant: number) => `fhk_${String(tenant).repeat(43)}`
  await runJson(
    ["apply", "-"],
    env,
    JSON.stringify({
      organizations: Array.from({ length: tenants }, (_, tenant) => ({
        org_id: `org_storm_${tenant}`,
        name: "Sample (made up)",
        plan: "enterprise",
        requests_per_minute: 1_000_000,
        serviceable_area: { county_fips: ["53903"] },
        grants: [{ ref: "welcome", bucket: "included", amount: places * 10 }],
        keys: [{
          name: "sample",
          scopes: ["data:read", "data:unlock", "property:read", "account:read"],
          secret: secretOf(tenant)
        }]
      }))
    })
  )
  const rows = keys.map((key) => ({ key, countyFips: "53903" }))
  await runJson(["import", "properties", "-"], env, ndjson(rows))
  await runJson(["import", "research", "-"], env, ndjson(keys.map((propertyKey) => ({ ...research[0], propertyKey }))))
  const url = Redacted.make(env["DATABASE_URL"] ?? "")
  const merging = ManagedRuntime.make(PropertyMergesPg.layer.pipe(Layer.provide(Database.layer({ url }))))
  const server = await serve(["--no-worker"], env)
  const call = client(server.url)
  let charged = 0
  const unexpected: Array<string> = []
  const unlock = async (tenant: number, key: string): Promise<void> => {
    const { body, status } = await call("POST", `/properties/${key}/unlock`, secretOf(tenant))
    if (status === 200) charged += body.data.creditsCharged
    else if (!["PROPERTY_RETIRED", "ACTION_IN_PROGRESS"].includes(body.meta.code)) {
      unexpected.push(`${status} ${JSON.stringify(body)}`)
    }
  }
  const storm = Array.from({ length: tenants }, async (_, tenant) => {
    for (let round = 0; round < places; round++) {
      const wanted = [0, 5, 11].map((step) => keys[(round * 7 + tenant * 3 + step) % places] ?? "")
      await Promise.all(wanted.map((key) => unlock(tenant, key)))
    }
  })
  try {
    // Each into the one before: the last merge retires a record that others were merged into.
    const merges = keys.slice(1).toReversed().map((from, index) => ({ from, into: keys[places - 2 - index] ?? "" }))
    const done = merging.runPromise(
      Effect.forEach(
        merges,
        (each) => PropertyMerges.use((port) => port.merge({ ...each, dryRun: false })),
        { concurrency: 2 }
      )
    )
    const [merged] = await Promise.all([done, ...storm])
    assert.deepStrictEqual(unexpected, [])
    assert.isTrue(merged.every(({ outcome }) => outcome === "merged"))
    await audited(env)

    let spent = 0
    for (let tenant = 0; tenant < tenants; tenant++) {
      const account = await call("GET", "/account", secretOf(tenant))
      spent += places * 10 - account.body.data.credit_balance.total
      const { body } = await call("POST", `/properties/${keys[0]}/unlock`, secretOf(tenant))
      assert.deepInclude(body.data, { alreadyRevealed: true, creditsCharged: 0 }, `org ${tenant}`)
    }
    assert.strictEqual(charged, spent)
    const { body } = await call("GET", `/properties/${keys[places - 1]}`, secretOf(0))
    const { body: heir } = await call("GET", `/properties/${keys[0]}`, secretOf(0))
    assert.strictEqual(body.meta.successorPropertyId, heir.data.property.id)
  } finally {
    await merging.dispose()
    await server.stop()
    await drop()
  }
})

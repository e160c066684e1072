/**
 * A previous program on a schema that the present one has migrated, beside a server of the present one: nobody who uses either
 * notices, so an upgrade needs no downtime.
 *
 * The previous program is that of `FREEHOLD_PREVIOUS_PROGRAM` (`pnpm upgrading` sets it to the last release), and without it
 * the present one. One more migration, of a version yet to come, has added to the schema.
 */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, it } from "vitest"
import { main, run, runJson, serve, start } from "../Freehold.ts"
import { orgId, properties, sampleDatabase, secret } from "../Sample.ts"
import { caller } from "../TwoCustomers.ts"

const previous = process.env["FREEHOLD_PREVIOUS_PROGRAM"] ?? main

/** What a later version may do to a schema. */
const additions = [
  "CREATE TABLE later (id integer PRIMARY KEY, property_id uuid REFERENCES property)",
  "ALTER TABLE property ADD COLUMN later text",
  "ALTER TABLE credit_entry ADD COLUMN later integer NOT NULL DEFAULT 0",
  "ALTER TABLE delivery ADD COLUMN later jsonb",
  "ALTER TABLE event ADD COLUMN later timestamptz DEFAULT now()",
  "CREATE INDEX later_of_property ON property (later)",
  "INSERT INTO freehold_migration (migration_id, name) VALUES (9999, 'later')"
]

it("the previous server, worker and doctor work on the schema of today, beside the present ones", async () => {
  const { drop, env: sample } = await sampleDatabase()
  const env = { ...sample, FREEHOLD_WEBHOOK_TARGETS: "any" }
  await Effect.runPromise(administer(
    Redacted.make(sample["DATABASE_URL"] ?? ""),
    (sql) => Effect.forEach(additions, (statement) => sql.unsafe(statement))
  ))
  const receiver = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(204).end())
  }).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  const { port } = receiver.address() as AddressInfo

  const [before, after] = await Promise.all([serve(["--no-worker"], env, previous), serve(["--no-worker"], env)])
  const [first, second, third] = properties.map(({ key }) => key)
  const turns = [[before, first], [after, second]] as const
  for (const [server, key] of turns) {
    const call = caller(server, secret)
    assert.strictEqual((await call("GET", "/me")).body.data.org_id, orgId)
    const found = await call("POST", "/properties/search", { json: { filters: { countyFips: ["53903"] } } })
    assert.lengthOf(found.body.data.results, properties.length)
    const unlocked = await call("POST", `/properties/${key}/unlock`, { json: {} })
    assert.deepStrictEqual([unlocked.status, unlocked.headers.get("service-credits-charged")], [200, "10"])
  }
  const made = await caller(before, secret)("POST", "/webhooks", { json: { url: `http://127.0.0.1:${port}/` } })
  assert.strictEqual(made.status, 200)
  const received = once(receiver, "request")
  const worker = start(["worker"], env, previous)
  await runJson(["lead", "qualify", "--org", orgId, "--property", third ?? "", "--deal-value", "2"], env)
  const [request] = await received
  assert.strictEqual(request.headers["service-event-type"], "lead.qualified")
  worker.kill("SIGTERM")
  await once(worker, "exit")

  assert.deepStrictEqual([await before.stop(), await after.stop()], [0, 0])
  const [doctor, audit] = await Promise.all([run(["doctor"], env, "", previous), run(["audit"], env)])
  assert.strictEqual(doctor.code, 0, doctor.stdout)
  assert.strictEqual(audit.code, 0, audit.stdout)
  receiver.close()
  await drop()
})

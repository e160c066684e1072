/**
 * A worker that is killed in the middle of a push to a CRM: the next one does it anew, and the CRM has everything once.
 *
 * All data is made up.
 */
import * as Leases from "@freehold/adapters-pg/testing/Leases"
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Exit, Redacted, Scope } from "effect"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { assert, test } from "vitest"
import * as HubSpotServer from "../../webhook-worker/test/HubSpotServer.ts"
import { type Environment, runJson, serve, start } from "./Freehold.ts"
import { document, orgId, properties, sampleDatabase, secret } from "./Sample.ts"

/** Of any shape: what it has is what is asserted. */
type Told = ReturnType<typeof JSON.parse>

const booked = (url: string) =>
  Effect.runPromise(administer(Redacted.make(url), (sql) => sql`SELECT delivery_id FROM delivery_booked`))

test("kill -9 of a worker between the deal and its answer: one company, one deal, one export", async () => {
  const scope = Scope.makeUnsafe()
  const { drop, env: common } = await sampleDatabase()
  const env: Environment = { ...common, FREEHOLD_WEBHOOK_TARGETS: "any" }
  const folder = await mkdtemp(join(tmpdir(), "freehold-crm-killed-"))
  const server = await serve(["--no-worker"], env)
  try {
    const hubSpot = await Effect.runPromise(Scope.provide(HubSpotServer.make, scope))
    const token = join(folder, "token.txt")
    await writeFile(token, HubSpotServer.token)
    const call = async (method: string, path: string, body?: object): Promise<Told> =>
      (await fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        ...body === undefined ? {} : { body: JSON.stringify(body) }
      })).json()

    const [organization] = document.organizations
    const keys = organization?.keys.map((key) => ({ ...key, scopes: [...key.scopes, "webhooks:manage"] }))
    await runJson(["apply", "-"], env, JSON.stringify({ organizations: [{ org_id: orgId, keys }] }))
    const made: Told = await runJson(
      ["crm", "add", "hubspot", "--org", orgId, "--url", hubSpot.url, "--credentials-file", token]
        .concat("--stage", "qualified=appointmentscheduled"),
      env
    )
    const written = new Promise<void>((resolve) =>
      hubSpot.fail((asked) => {
        if (!asked.path.startsWith("/crm/v3/objects/deals")) return undefined
        resolve()
        return "lost"
      })
    )
    const killed = start(["worker"], env)
    const { data: { property } } = await call("GET", `/properties/${properties[0]?.key}`)
    await call("POST", "/mcp", {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "service_qualify_lead", arguments: { property_id: property.id, deal_value: 500 } }
    })
    await written
    killed.kill("SIGKILL")
    await once(killed, "exit")
    assert.deepStrictEqual(await booked(env["DATABASE_URL"] ?? ""), [])

    await Effect.runPromise(administer(Redacted.make(env["DATABASE_URL"] ?? ""), () => Leases.end))
    const next = start(["worker"], env)
    const ended = async (): Promise<Told> => {
      for (;;) {
        const { data: { deliveries: [delivery] } } = await call("GET", `/webhooks/${made.id}/deliveries?limit=1`)
        if (delivery?.state === "delivered") return delivery
        assert.notStrictEqual(delivery?.state, "failed")
        await setTimeout(20)
      }
    }
    assert.deepInclude(await ended(), { attempts: 1, last_status: 200, property_id: property.id })
    assert.strictEqual(hubSpot.asked.filter(({ path }) => path.startsWith("/crm/v3/objects/deals")).length, 2)
    assert.deepStrictEqual(hubSpot.kept("companies").map((each) => each.service_property_id), [property.id])
    assert.deepStrictEqual(hubSpot.kept("deals").map((each) => each.service_property_id), [property.id])
    assert.strictEqual((await booked(env["DATABASE_URL"] ?? "")).length, 1)
    next.kill("SIGTERM")
    await once(next, "exit")
  } finally {
    await server.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(folder, { recursive: true })
    await drop()
  }
})

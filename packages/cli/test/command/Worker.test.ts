/** The worker alone: it needs a migrated database, delivers, and stops when it is told to. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "vitest"
import { run, runJson, serve, start } from "../Freehold.ts"
import { emptyDatabase, migratedDatabase } from "../FreshDatabase.ts"
import { orgId, properties, sampleDatabase, secret } from "../Sample.ts"
import type { Told } from "../Told.ts"

describe("freehold worker", () => {
  it.each([["worker"], ["mcp"], ["import properties - --dry-run"]])(
    "refuses a database that is not migrated and names the command: %s",
    async (command) => {
      const database = await emptyDatabase()
      const env = {
        DATABASE_URL: database.url,
        FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
        FREEHOLD_API_KEY: secret
      }
      const { code, stderr } = await run(command.split(" "), env)
      await database.drop()
      assert.strictEqual(code, 1)
      assert.strictEqual(
        stderr,
        "freehold: the schema of the database is not there yet; make it with: freehold migrate\n"
      )
    }
  )

  it("tells a schema of an older version, and tables of another program, each with what to do", async () => {
    const { drop, url } = await migratedDatabase()
    const env = { DATABASE_URL: url, FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64") }
    const forget = (which: string) =>
      Effect.runPromise(
        administer(Redacted.make(url), (sql) => sql.unsafe(`DELETE FROM freehold_migration WHERE ${which}`))
      )
    await forget("migration_id > 1")
    assert.deepInclude(await run(["org", "list"], env), {
      code: 1,
      stderr:
        "freehold: the schema of the database is that of an older version; bring it up to date with: freehold migrate\n"
    })
    await forget("true")
    const { code, stderr } = await run(["migrate"], env)
    await drop()
    assert.strictEqual(code, 1)
    assert.match(stderr, /"1_baseline" failed: .* already exists; .*: give it a database of its own\n$/)
  })

  it("delivers what a server without a worker left to it", async () => {
    const { drop, env: given } = await sampleDatabase()
    const env = { ...given, FREEHOLD_WEBHOOK_TARGETS: "any" }
    const receiver = createServer((request, response) => {
      request.resume().once("end", () => response.writeHead(204).end())
    }).listen(0, "127.0.0.1")
    await once(receiver, "listening")
    const server = await serve(["--no-worker"], env)
    const created = await fetch(`${server.url}/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` })
    })
    assert.strictEqual(created.status, 200)
    assert.strictEqual(await server.stop(), 0)
    await runJson(["lead", "qualify", "--org", orgId, "--property", properties[0]?.key ?? "", "--deal-value", "2"], env)

    const received = once(receiver, "request")
    const worker = start(["worker"], env)
    const exited = once(worker, "close")
    const [request] = await received
    assert.strictEqual(request.headers["service-event-type"], "lead.qualified")
    worker.kill("SIGTERM")
    await exited
    assert.strictEqual(worker.exitCode, 0)
    receiver.close()

    const { items: [endpoint] } = await runJson(["webhook", "list", "--org", orgId], env) as Told
    const { items: [delivery] } = await runJson(["webhook", "deliveries", endpoint?.id ?? ""], env) as Told
    assert.deepStrictEqual([delivery?.state, delivery?.attempts, delivery?.last_status], ["delivered", 1, 204])
    assert.strictEqual(delivery?.event_id, request.headers["service-event-id"])
    await drop()
  })
})

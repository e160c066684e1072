/**
 * The primary is out of reach from one moment to the next, its standby is made the primary, and the name by which the server knows its database
 * leads there from then on. What a stranger sees: refusals with 503 meanwhile, and nothing but that.
 *
 * A relay stands for that name. The standby is waited for by every commit (`synchronous_standby_names`), so that nothing that
 * was answered is lost. All data is made up.
 */
import * as StandbyServer from "@freehold/adapters-pg/testing/StandbyServer"
import { administer, inDatabase } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Exit, Redacted, Scope } from "effect"
import { once } from "node:events"
import { chmodSync, mkdtempSync } from "node:fs"
import * as Net from "node:net"
import { join } from "node:path"
import { assert, inject, it, onTestFinished } from "vitest"
import { run, serve } from "../Freehold.ts"
import { caller, secrets, twoCustomers } from "../TwoCustomers.ts"

const listening = async (server: Net.Server): Promise<number> => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  return address !== null && typeof address === "object" ? address.port : 0
}

/** Passes connections on to a port that can be changed; those that are open then end. */
const relay = async (first: number) => {
  let to = first
  const open = new Set<Net.Socket>()
  const server = Net.createServer((socket) => {
    const other = Net.connect(to, "127.0.0.1")
    for (const [one, another] of [[socket, other], [other, socket]] as const) {
      open.add(one)
      one.on("error", () => another.destroy()).on("close", () => {
        open.delete(one)
        another.destroy()
      })
      one.pipe(another)
    }
  })
  const port = await listening(server)
  onTestFinished(() => void server.close())
  return {
    port,
    lead: (port: number) => {
      to = port
      for (const socket of open) socket.destroy()
    }
  }
}

it("a server goes on with the standby that was made the primary, and no charge that was answered is lost", async () => {
  const scope = Scope.makeUnsafe()
  const folder = mkdtempSync(join(inject("postgres").folder, "failover-"))
  chmodSync(folder, 0o711)
  const primary = join(folder, "primary")
  const url = await Effect.runPromise(Scope.provide(StandbyServer.primary(primary), scope))
  const standby = await Effect.runPromise(
    Scope.provide(StandbyServer.start({ folder: primary, url }, join(folder, "standby")), scope)
  )
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const customers = await twoCustomers(url)
  // From here on nothing is answered that the standby does not have.
  for (const statement of ["ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"]) {
    await Effect.runPromise(administer(url, (sql) => sql.unsafe(statement)))
  }

  const name = new URL(Redacted.value(customers.url))
  const { lead, port } = await relay(Number(name.port))
  const database = name.pathname.slice(1)
  name.port = String(port)
  const server = await serve([], { ...customers.env, DATABASE_URL: name.href, LOG_LEVEL: "error" })
  onTestFinished(async () => void await server.stop())

  const call = caller(server, secrets.busy)
  let grants = 0
  const statuses: Array<number> = []
  let stopped = false
  /** Lists are made by transactions that wait for the log; each that was answered has to be there afterwards. */
  const customer = async () => {
    while (!stopped) {
      const { status } = await call("POST", "/lists", {
        json: { list_name: `List ${statuses.length}`, list_type: "properties" }
      })
      statuses.push(status)
      if (status === 200 || status === 201) grants++
    }
  }
  const work = customer()
  const seen = async (so: () => boolean) => {
    while (!so()) await new Promise((resolve) => setImmediate(resolve))
  }
  await seen(() => grants >= 5)
  const lost = performance.now()
  lead(1)
  await seen(() => statuses.at(-1) === 503)
  await Effect.runPromise(standby.promote)
  const before = grants
  lead(Number(new URL(Redacted.value(standby.url)).port))
  await seen(() => grants > before)
  console.log(`answered again after ${Math.round(performance.now() - lost)} ms`)
  stopped = true
  await work

  assert.deepStrictEqual([...new Set(statuses)].filter((status) => ![200, 201, 429, 503].includes(status)), [])
  const promoted = inDatabase(standby.url, database)
  const kept = await Effect.runPromise(administer(
    promoted,
    (sql) => sql<{ readonly lists: number }>`SELECT count(*)::int AS lists FROM list WHERE org_id = 'org_busy'`
  ))
  assert.isAtLeast(kept[0]?.lists ?? 0, grants)
  const audited = await run(["audit"], { ...customers.env, DATABASE_URL: Redacted.value(promoted) })
  assert.strictEqual(audited.code, 0, audited.stdout)
})

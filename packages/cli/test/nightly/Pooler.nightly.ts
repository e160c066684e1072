/**
 * Two servers over a database behind PgBouncer, which gives them fewer connections than they think they have.
 *
 * `FREEHOLD_PGBOUNCER` names the program. All data is made up.
 */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs"
import * as Net from "node:net"
import { join } from "node:path"
import { assert, describe, inject, it, onTestFinished } from "vitest"
import { run, serve, type Server } from "../Freehold.ts"
import { ndjson, properties } from "../Sample.ts"
import { caller, secrets, twoCustomers } from "../TwoCustomers.ts"

const program = process.env["FREEHOLD_PGBOUNCER"] ?? "pgbouncer"

/** Only from 1.21 on it keeps prepared statements where connections are shared between transactions. */
const keepsPrepared = (): boolean => {
  const [, major = "0", minor = "0"] =
    /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program, ["-V"], { encoding: "utf8" })) ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

const freePort = async (): Promise<number> => {
  const probe = Net.createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const address = probe.address()
  probe.close()
  return address !== null && typeof address === "object" ? address.port : 0
}

const accepts = async (port: number): Promise<boolean> => {
  const socket = Net.connect(port, "127.0.0.1")
  const connected = once(socket, "connect").then(() => true, () => false)
  return connected.finally(() => socket.destroy())
}

/** PgBouncer before that server, until the test is over; answers its port. */
const pooler = async (server: URL, settings: Readonly<Record<string, string | number>>): Promise<number> => {
  const folder = mkdtempSync(join(inject("postgres").folder, "pooler-"))
  chmodSync(folder, 0o711)
  const port = await freePort()
  const given = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "plain",
    auth_file: join(folder, "users.txt"),
    max_client_conn: 500,
    ...settings
  }
  writeFileSync(given.auth_file, `"${server.username}" "${decodeURIComponent(server.password)}"\n`)
  const lines = Object.entries(given).map(([name, value]) => `${name} = ${value}`)
  const file = join(folder, "pgbouncer.ini")
  writeFileSync(
    file,
    `[databases]\n* = host=${server.hostname} port=${server.port}\n[pgbouncer]\n${lines.join("\n")}\n`
  )
  // Like PostgreSQL it refuses to be root.
  const child = spawn(program, [file], {
    stdio: "ignore",
    ...process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  })
  const ended = once(child, "exit").then(() => assert.fail(`${program} ended`))
  onTestFinished(async () => {
    ended.catch(() => {})
    const gone = once(child, "exit")
    child.kill("SIGINT")
    await gone
  })
  while (!(await Promise.race([accepts(port), ended]))) { /* It is starting. */ }
  return port
}

const clients = 16
const rounds = 20

/** What many clients do at once at both servers; answers how often each status came. */
const crowd = async (servers: ReadonlyArray<Server>): Promise<Readonly<Record<number, number>>> => {
  const counts: Record<number, number> = {}
  await Promise.all(Array.from({ length: clients }, async (_, client) => {
    for (let round = 0; round < rounds; round++) {
      const server = servers[(client + round) % servers.length]
      const call = server === undefined
        ? assert.fail()
        : caller(server, client % 2 === 0 ? secrets.busy : secrets.other)
      const asked = [
        () => call("GET", "/me"),
        () => call("POST", "/properties/search", { json: { filters: { countyFips: ["53903"] } } }),
        () => call("GET", `/properties/${properties[round % properties.length]?.key}`),
        () => call("POST", `/properties/${properties[0]?.key}/unlock`)
      ][(client + round) % 4]
      const { status } = await (asked ?? assert.fail())()
      counts[status] = (counts[status] ?? 0) + 1
    }
  }))
  return counts
}

interface Mode {
  readonly name: string
  readonly settings: Readonly<Record<string, string | number>>
  /** What Freehold is told. */
  readonly manner: Readonly<Record<string, string>>
}

const shared: Mode = {
  name: "transaction mode, where it knows of prepared statements",
  settings: { pool_mode: "transaction", default_pool_size: 6, max_prepared_statements: 200 },
  manner: { FREEHOLD_DATABASE_STARTUP: "none" }
}

const modes: ReadonlyArray<Mode> = [
  {
    name: "session mode",
    settings: { pool_mode: "session", default_pool_size: 200 },
    manner: { FREEHOLD_DATABASE_STARTUP: "none" }
  },
  ...keepsPrepared() ? [shared] : [],
  {
    name: "transaction mode without prepared statements",
    settings: { pool_mode: "transaction", default_pool_size: 6 },
    manner: { FREEHOLD_DATABASE_STARTUP: "none", FREEHOLD_DATABASE_PREPARE: "off" }
  }
]

describe.each(modes)("PgBouncer in $name", ({ manner, settings }) => {
  it("carries commands, two servers and a crowd, and everything is charged once", async () => {
    const customers = await twoCustomers()
    const direct = new URL(Redacted.value(customers.url))
    const pooled = new URL(direct)
    pooled.port = String(await pooler(direct, settings))
    const env = { ...customers.env, ...manner, DATABASE_URL: pooled.href, LOG_LEVEL: "warn" }

    const owned = properties.map(({ countyFips, key }) => ({ countyFips, key, recordOwner: "ADA SAMPLE TRUST" }))
    const imported = await run(["import", "properties", "-"], env, ndjson(owned))
    assert.strictEqual(imported.code, 0, imported.stderr)
    const servers = await Promise.all([serve([], env), serve([], env)])
    try {
      const counts = await crowd(servers)
      // 409: another call is unlocking that very property.
      assert.deepStrictEqual(Object.keys(counts).filter((status) => !["200", "409"].includes(status)), [])
      const charges = await Effect.runPromise(administer(
        customers.url,
        (sql) =>
          sql<{ readonly org: string; readonly charges: number }>`
          SELECT org_id AS org, count(*)::int AS charges FROM credit_entry WHERE kind = 'charge' GROUP BY 1 ORDER BY 1`
      ))
      assert.deepStrictEqual(charges, [{ org: "org_busy", charges: 1 }, { org: "org_other", charges: 1 }])
      const audited = await run(["audit"], env)
      assert.strictEqual(audited.code, 0, audited.stdout + audited.stderr)
    } finally {
      for (const server of servers) {
        await server.stop()
        assert.strictEqual(await server.errors, "")
      }
      await customers.drop()
    }
  })
})

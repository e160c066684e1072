/** The server as an operator meets it: how it starts, stops, and lives through a database that goes away. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import * as Doors from "@freehold/http-host/Doors"
import { Deferred, Effect, Redacted } from "effect"
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, run, serve, type Server } from "../Freehold.ts"
import { properties, sampleDatabase, secret } from "../Sample.ts"

let env: Environment
let drop: () => Promise<void>

beforeAll(async () => {
  ;({ drop, env } = await sampleDatabase())
})

afterAll(() => drop())

const ask = (server: Pick<Server, "url">, method: string, path: string, body?: unknown) =>
  fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, ...body === undefined ? {} : { "content-type": "application/json" } },
    ...body === undefined ? {} : { body: JSON.stringify(body) }
  })

/** Whether something listens there. */
const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

/** Holds a table so that nothing can be charged, until `release` is done. */
const withoutCharges = async <A>(
  url: string,
  use: (waiting: () => Promise<void>, release: () => void) => Promise<A>
) => {
  const released = Deferred.makeUnsafe<void>()
  const held = Deferred.makeUnsafe<void>()
  const database = Redacted.make(url)
  const holding = Effect.runPromise(administer(database, (sql) =>
    sql.withTransaction(
      sql`LOCK TABLE credit_account IN ACCESS EXCLUSIVE MODE`.pipe(
        Effect.andThen(Deferred.succeed(held, undefined)),
        Effect.andThen(Deferred.await(released))
      )
    )))
  await Effect.runPromise(Deferred.await(held))
  const waiting = () =>
    Effect.runPromise(administer(database, (sql) =>
      sql<{ readonly waits: boolean }>`
        SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = 'credit_account'::regclass) AS waits`.pipe(
        Effect.repeat({ until: ([row]) => row?.waits === true }),
        Effect.asVoid
      )))
  const result = await use(waiting, () => Deferred.doneUnsafe(released, Effect.void))
  await holding
  return result
}

describe("freehold serve", () => {
  it("answers REST and MCP on one port, and stops with 0 when it is told to", async () => {
    const server = await serve([], env)
    assert.match(server.output(), /^freehold listening on http:\/\/127\.0\.0\.1:\d+\/v1\n$/)
    const me = await ask(server, "GET", "/me")
    assert.strictEqual(me.status, 200)
    const mcp = await ask(server, "POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" })
    assert.strictEqual(mcp.status, 200)
    assert.strictEqual(await server.stop(), 0)
  })

  it("finishes a request that is in flight when it is told to stop, and takes no more", async () => {
    const server = await serve([], env)
    const port = Number(new URL(server.url).port)
    const path = `/properties/${properties[0]?.key}/unlock`
    const { code, response } = await withoutCharges(env["DATABASE_URL"] ?? "", async (waiting, release) => {
      const unlocking = ask(server, "POST", path)
      await waiting()
      const stopping = server.stop()
      while (await isOpen(port));
      release()
      return { response: await unlocking, code: await stopping }
    })
    assert.strictEqual(response.status, 200)
    assert.include(await response.json(), { success: true })
    assert.strictEqual(code, 0)
  })

  it("exits 1 with one line when the port is in use, also by a server that would share it", async () => {
    const other = createServer().listen({ host: "127.0.0.1", port: 0, reusePort: Doors.canShare })
    await once(other, "listening")
    const { port } = other.address() as AddressInfo
    const { code, stderr, stdout } = await run(["serve", "--port", String(port)], env)
    other.close()
    assert.strictEqual(code, 1)
    assert.strictEqual(stderr, `freehold: port ${port} of 127.0.0.1 is in use; choose another with --port or PORT\n`)
    assert.strictEqual(stdout, "")
  })

  it("answers 503 while the database is away and goes on when it is back", async () => {
    const database = new URL(env["DATABASE_URL"] ?? "")
    const sockets = new Set<Socket>()
    const proxy = createServer((inward) => {
      const outward = connect(Number(database.port), database.hostname)
      for (const [from, to] of [[inward, outward], [outward, inward]] as const) {
        sockets.add(from)
        from.on("error", () => from.destroy())
        from.on("close", () => to.destroy())
        from.pipe(to)
      }
    })
    const port = await new Promise<number>((resolve) =>
      proxy.listen(0, "127.0.0.1", () => resolve((proxy.address() as AddressInfo).port))
    )
    const through = new URL(database)
    through.hostname = "127.0.0.1"
    through.port = String(port)
    const server = await serve([], { ...env, DATABASE_URL: through.href, LOG_LEVEL: "none" })
    assert.strictEqual((await ask(server, "GET", "/me")).status, 200)

    const closed = once(proxy, "close")
    proxy.close()
    for (const socket of sockets) socket.destroy()
    await closed
    const refused = await ask(server, "GET", "/me")
    assert.strictEqual(refused.status, 503)
    assert.isNotNull(refused.headers.get("retry-after"))
    assert.strictEqual((await ask(server, "POST", `/properties/${properties[1]?.key}/unlock`)).status, 503)

    proxy.listen(port, "127.0.0.1")
    await once(proxy, "listening")
    assert.strictEqual((await ask(server, "GET", "/me")).status, 200)
    assert.strictEqual((await ask(server, "POST", `/properties/${properties[1]?.key}/unlock`)).status, 200)
    assert.strictEqual(await server.stop(), 0)
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })

  it("refuses to demonstrate in a database that holds a customer", async () => {
    const { code, stderr } = await run(["serve", "--demo", "--port", "0"], env)
    assert.strictEqual(code, 1)
    assert.match(stderr, /^freehold: --demo is refused: .+\n$/)
  })
})

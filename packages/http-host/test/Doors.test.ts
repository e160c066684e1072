/**
 * How soon a server sees who comes anew. Turns of the event loop in which somebody was let in are counted, and neither time
 * nor turns in which nobody had come yet: a busy machine changes nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { type AddressInfo, connect, type Socket } from "node:net"
import { setImmediate as turn } from "node:timers/promises"
import * as Doors from "../src/Doors.ts"
import * as NodeServer from "../src/NodeServer.ts"

const listening = Effect.acquireRelease(
  Effect.promise(async () => {
    const server = NodeServer.create()
    server.listen({ host: "127.0.0.1", port: 0, reusePort: Doors.canShare })
    await once(server, "listening")
    // The doors are opened within the turn.
    await turn()
    return server
  }),
  (server) =>
    Effect.promise(async () => {
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    })
)

const opened = (port: number): Socket => connect({ host: "127.0.0.1", port }).on("error", () => undefined)

const count = 128

describe.runIf(Doors.canShare)("Doors", () => {
  it.live("let many in at each turn of the event loop (V6)", () =>
    Effect.gen(function*() {
      const server = yield* listening
      let met = 0
      server.on("connection", () => met++)
      const { port } = server.address() as AddressInfo
      yield* Effect.promise(async () => {
        const clients = Array.from({ length: count }, () => opened(port))
        let turns = 0
        for (let before = met; met < count; before = met) {
          await turn()
          if (met > before) turns++
        }
        assert.isBelow(turns, count / 2)
        for (const client of clients) client.destroy()
      })
    }))

  it.live("are closed with the server, once what came by them is answered", () =>
    Effect.gen(function*() {
      const server = yield* listening
      const { port } = server.address() as AddressInfo
      yield* Effect.promise(async () => {
        const answers: Array<() => void> = []
        server.on("request", (_, response) => answers.push(() => response.end("late")))
        const clients = Array.from({ length: count }, () => opened(port))
        const texts = clients.map(async (client) => {
          client.setEncoding("utf8")
          client.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
          let text = ""
          for await (const piece of client) text += piece
          return text
        })
        while (answers.length < count) await turn()
        let isClosed = false
        const closed = new Promise<void>((resolve) =>
          server.close(() => {
            isClosed = true
            resolve()
          })
        )
        await turn()
        assert.isFalse(isClosed)
        for (const answer of answers) answer()
        for (const text of await Promise.all(texts)) assert.match(text, /late/)
        await closed
        const [failure] = await once(connect({ host: "127.0.0.1", port }), "error")
        assert.strictEqual(failure.code, "ECONNREFUSED")
      })
    }))
})

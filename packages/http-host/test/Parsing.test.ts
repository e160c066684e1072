/** What Node still tells of a connection that is destroyed while it is being read. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import * as Parsing from "../src/Parsing.ts"

type OnRequest = (request: IncomingMessage, response: ServerResponse) => void

const serving = (onRequest: OnRequest) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(onRequest).listen(0, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) => Effect.promise(() => new Promise((resolve) => server.close(resolve)))
  )

/** What the server answers to these bytes, until it closes the connection. */
const answerTo = (server: Server, bytes: string) =>
  Effect.promise(async () => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
    socket.on("error", () => undefined)
    socket.setEncoding("utf8")
    let text = ""
    socket.on("data", (piece) => {
      text += piece
    })
    socket.write(bytes)
    await once(socket, "close")
    return text
  })

const destroy = ({ socket }: IncomingMessage): void => {
  socket.destroy()
  Parsing.end(socket)
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`

const last = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

const chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

const answerPath: OnRequest = ({ url }, response) => void response.end(url)

describe("A connection that is ended", () => {
  it.effect("has no further request, however many came with the one that ended it (V9)", () =>
    Effect.gen(function*() {
      const seen: Array<string | undefined> = []
      const server = yield* serving((request, response) => {
        seen.push(request.url)
        if (request.url === "/end") destroy(request)
        else response.end()
      })
      yield* answerTo(server, get("/a") + get("/end") + get("/b").repeat(2000))
      assert.deepStrictEqual(seen, ["/a", "/end"])
    }).pipe(Effect.scoped))

  it.effect("has no further piece of a body (V9)", () =>
    Effect.gen(function*() {
      let pieces = 0
      const server = yield* serving((request) =>
        request.on("data", () => {
          pieces++
          if (pieces === 3) destroy(request)
        })
      )
      yield* answerTo(server, chunked + "1\r\nx\r\n".repeat(5000))
      assert.strictEqual(pieces, 3)
    }).pipe(Effect.scoped))

  it.effect("leaves its parser to the next one as it was", () =>
    Effect.gen(function*() {
      const server = yield* serving((request, response) =>
        request.url === "/end" ? destroy(request) : answerPath(request, response)
      )
      for (let n = 0; n < 5; n++) {
        yield* answerTo(server, get("/end").repeat(10))
        const text = yield* answerTo(server, get("/first") + last)
        assert.match(text, /\/first(.|\r\n)*\/last$/)
      }
    }).pipe(Effect.scoped))
})

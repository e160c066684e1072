/**
 * The node server that REST and MCP listen on: its timeouts, and answers to what is no HTTP at all.
 *
 * Pass `create` to `NodeHttpServer.layer`, which closes it gracefully: no new connections, idle ones closed, requests in
 * flight finished within `gracefulShutdownTimeout`.
 *
 * *Gotchas.* Node's parser refuses malformed requests before any route sees them. They are answered here, unless an
 * answer to an earlier request of the same connection is still being written: then the connection is closed.
 */
import { Predicate } from "effect"
import { randomUUID } from "node:crypto"
import { createServer, type Server, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"

/** For a slow sender: headers, then the whole request. */
const headersTimeout = 20_000
const requestTimeout = 60_000
/** Longer than the idle time of the usual load balancers, so that they close first. */
const keepAliveTimeout = 65_000

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "The request line and headers are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The chunk extensions of the request body are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request was not received in time."]
}

const answerOf = (code: string): string => {
  const [status, error] = refusals[code] ?? [400, "The request is not well-formed HTTP."]
  const body = JSON.stringify({ success: false, error })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Cache-Control: no-store",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Service-Request-Id: ${randomUUID()}`,
    "",
    body
  ].join("\r\n")
}

export const create = (): Server => {
  const answering = new WeakSet<Duplex>()
  const server = createServer({ headersTimeout, requestTimeout, keepAliveTimeout })
  server.on("request", (request, response) => {
    const { socket } = request
    answering.add(socket)
    response.once("close", () => {
      answering.delete(socket)
      // Node closes the idle connections once, when it begins to stop; this one has just become idle.
      if (!server.listening) setImmediate(() => server.closeIdleConnections())
    })
  })
  server.on("clientError", (error, socket) => {
    const code = Predicate.hasProperty(error, "code") ? String(error.code) : ""
    if (code === "ECONNRESET" || !socket.writable || answering.has(socket)) {
      socket.destroy()
      return
    }
    socket.end(answerOf(code), () => socket.destroy())
  })
  return server
}

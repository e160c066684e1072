/**
 * The node server that REST and MCP listen on: its timeouts, what clients may hold of it (`Connections`), and answers to
 * what is no HTTP at all. Bound with `reusePort`, it takes many new connections at once (`Doors`).
 *
 * Pass `create` to `NodeHttpServer.layer`, which closes it gracefully: no new connections, idle ones closed, requests in
 * flight finished within `gracefulShutdownTimeout`.
 *
 * *Gotchas.* Node's parser refuses malformed requests before any route sees them. They are answered here, unless an
 * answer to an earlier request of the same connection is still being written: then the connection is closed. What Node would
 * answer itself, thousands of requests of a chunk at once, is answered here in its turn.
 */
import { Layer, Predicate } from "effect"
import { randomUUID } from "node:crypto"
import { type IncomingMessage, Server, ServerResponse, STATUS_CODES } from "node:http"
import { type Server as Listener, Socket } from "node:net"
import type { Duplex } from "node:stream"
import * as Connections from "./Connections.ts"
import * as Doors from "./Doors.ts"
import * as GatheredRequest from "./GatheredRequest.ts"
import * as Lane from "./Lane.ts"
import * as RequestTarget from "./RequestTarget.ts"
import { defaults, type ServerBounds } from "./ServerBounds.ts"

/** For a slow sender: headers, then the whole request. */
const headersTimeout = 20_000
const requestTimeout = 60_000
/** Longer than the idle time of the usual load balancers, so that they close first. */
const keepAliveTimeout = 65_000
/** How often Node looks for requests that are late. */
const connectionsCheckingInterval = 5_000

/** The events with which Node hands a request over: to be answered, to be asked for its body first, or to be told that it expects too much. */
const requests: ReadonlySet<string> = new Set(["request", "checkContinue", "checkExpectation"])

/** Characters: to look for the route of a path takes the square of its length where each of them is a percent sign. */
const longestPath = 4096

type Refusal = readonly [status: number, error: string]

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: [431, "The request line and headers are too large."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The chunk extensions of the request body are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request was not received in time."]
}

const malformed: Refusal = [400, "The request is not well-formed HTTP."]
const hostless: Refusal = [400, "The request has no Host header."]
const hostful: Refusal = [400, "The request has two Host headers."]
const misnamed: Refusal = [400, "The Host header is not a name or an address with at most a port."]
const noProxy: Refusal = [501, "This server is no proxy: it connects nobody with others."]
const unexpected: Refusal = [417, "The request expects what this server does not know: Expect may be 100-continue."]
const tooLong: Refusal = [414, `The path is too long: at most ${longestPath} characters.`]

const bodyOf = ([, error]: Refusal): string => JSON.stringify({ success: false, error })

const always = (): Readonly<Record<string, string>> => ({
  "Cache-Control": "no-store",
  "Service-Request-Id": randomUUID()
})

const headersOf = (body: string): Readonly<Record<string, string>> => ({
  "Connection": "close",
  "Content-Type": "application/json",
  "Content-Length": String(Buffer.byteLength(body)),
  ...always()
})

/** As it is written to a connection without a request. */
const written = (refusal: Refusal): string => {
  const [status] = refusal
  const body = bodyOf(refusal)
  const lines = Object.entries(headersOf(body)).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n")
}

const refuse = (to: ServerResponse, refusal: Refusal): void => {
  const body = bodyOf(refusal)
  to.writeHead(refusal[0], headersOf(body)).end(body)
}

const isLong = (url: string): boolean => url.length > longestPath && url.search(/[?;]|$/) > longestPath

/** Node keeps the first of two and drops the other, by which somebody before or behind this server may go. */
const hasTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let found = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ""
    if (name.length === 4 && name.toLowerCase() === "host") found++
  }
  return found > 1
}

/** Why a request is answered before any route sees it; null: it is not. */
const refusalOf = (
  event: string,
  request: IncomingMessage,
  target: RequestTarget.RequestTarget
): Refusal | null => {
  const { headers: { host }, httpVersion } = request
  if (httpVersion === "1.1" && host === undefined) return hostless
  if (hasTwoHosts(request)) return hostful
  if (host !== undefined && !RequestTarget.isHost(host)) return misnamed
  if (target._tag === "Fault") return [400, target.error]
  if (event === "checkExpectation") return unexpected
  return target._tag === "Path" && isLong(target.path) ? tooLong : null
}

/** From here on an address that was asked for is its path, and its host the one that was asked. */
const settle = (request: IncomingMessage, target: RequestTarget.RequestTarget): void => {
  if (target._tag !== "Path" || target.host === null) return
  request.url = target.path
  request.headers.host = target.host
}

/**
 * Asks for a turn before a request is seen by anyone. Nobody takes a connection over: an upgrade is a header like any
 * other. Versions of Node that cannot be told so (before 22.21 and 24.9) give the connection away, and it is closed.
 */
export class BoundedServer extends Server {
  /** Answers before the listeners of `request` what it takes. */
  readonly lane = Lane.make()
  readonly #connections: Connections.Connections
  #doors: ReadonlyArray<Listener> = []

  constructor(connections: Connections.Connections, { watchInterval }: ServerBounds) {
    super({
      IncomingMessage: GatheredRequest.make(connections),
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval,
      shouldUpgradeCallback: () => false,
      requireHostHeader: false
    })
    this.#connections = connections
    // Without a listener Node answers what expects something itself.
    this.on("checkExpectation", () => {})
    this.on("clientError", (error, socket) => {
      const code = Predicate.hasProperty(error, "code") ? String(error.code) : ""
      if (code === "ECONNRESET") socket.destroy()
      else this.#end(socket, refusals[code] ?? malformed)
    })
    // And closes the connection of whoever wants to be connected elsewhere, without a word.
    this.on("connect", (_request, socket) => this.#end(socket, noProxy))
    this.on("connection", connections.accept)
    this.on("listening", () => {
      this.#doors = Doors.open(this)
      const watch = setInterval(connections.look, watchInterval).unref()
      this.once("close", () => clearInterval(watch))
    })
  }

  override emit(event: string, ...given: ReadonlyArray<unknown>): boolean {
    const [first, second] = given
    if (event === "upgrade" && second instanceof Socket) {
      second.destroy()
      return true
    }
    if (
      !requests.has(event) || !(first instanceof GatheredRequest.GatheredRequest) || !(second instanceof ServerResponse)
    ) {
      return super.emit(event, ...given)
    }
    const isAwaited = event !== "request"
    const target = RequestTarget.read(first.method ?? "", first.url ?? "")
    const refusal = refusalOf(event, first, target)
    settle(first, target)
    this.#connections.take(first, second, isAwaited, () => {
      if (refusal !== null) refuse(second, refusal)
      else if (target._tag === "Server") second.writeHead(204, always()).end()
      else if (isAwaited || !this.lane.take(first, second)) super.emit(event, first, second)
    })
    return true
  }

  /** What came by any door is finished first. */
  override close(onClosed?: (error?: Error) => void): this {
    const closed = Doors.close(this.#doors)
    return super.close((error) => void closed.then(() => onClosed?.(error)))
  }

  /** For what is no request: nothing is written into an answer to one before it. */
  #end(socket: Duplex, refusal: Refusal): void {
    if (!socket.writable || socket instanceof Socket && this.#connections.isAnswering(socket)) socket.destroy()
    else socket.end(written(refusal), () => socket.destroy())
  }
}

/** `onCut` is told of every connection that a bound closes (`CutLog`). */
export const create = (given: Partial<ServerBounds> = {}, onCut: Connections.OnCut = () => {}): BoundedServer => {
  const bounds = { ...defaults, ...given }
  const connections = Connections.make(bounds, {
    onCut,
    onIdle: () => {
      // Node closes the idle connections once, when it begins to stop; this one has just become idle.
      if (!server.listening) setImmediate(() => server.closeIdleConnections())
    }
  })
  const server = new BoundedServer(connections, bounds)
  return server
}

/** The lane of a server, for `RestHost.serve` on it. */
export const lane = ({ lane }: BoundedServer): Layer.Layer<never> => Layer.succeed(Lane.Lane, lane)

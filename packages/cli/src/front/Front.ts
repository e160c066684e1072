/**
 * A front before cells: hands each request to the cell that it belongs to, and its answer back, both as they come.
 *
 * It knows nothing of what it passes on but the host and the key, keeps neither, and tries nothing twice, with one exception:
 * a cell that answers that the organization moved on has done nothing, so the request goes to the cell that it names, if
 * its body is short enough to have been kept until then.
 */
import { Unauthenticated } from "@freehold/core/access/AccessRefusals"
import { TemporarilyUnavailable } from "@freehold/core/operation/TemporarilyUnavailable"
import * as Envelope from "@freehold/http-host/Envelope"
import { linkOf } from "@freehold/http-host/errors/ErrorTable"
import * as NodeServer from "@freehold/http-host/NodeServer"
import { defaults as ofClients } from "@freehold/http-host/ServerBounds"
import type { AnyRefusal } from "@freehold/http-host/Status"
import { randomUUID } from "node:crypto"
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse
} from "node:http"
import { Agent as HttpsAgent, request as httpsRequest } from "node:https"
import { performance } from "node:perf_hooks"
import { pipeline } from "node:stream"
import * as FrontMetrics from "./FrontMetrics.ts"
import { Moved } from "./Moved.ts"
import { bearerOf, cellFor, type Routes } from "./Route.ts"

export interface Bounds {
  /** Connections to each cell. Fewer than clients may have would let those whose answers take long keep everybody else waiting. */
  readonly connections: number
  /** Milliseconds until a cell begins to answer. */
  readonly patience: number
  /** Milliseconds in which nothing comes, of a body in either direction. */
  readonly idle: number
}

export const defaults: Bounds = { connections: ofClients.connections, patience: 75_000, idle: 300_000 }

/** Bytes of a body that are kept until the cell answers. */
const keptBody = 65_536

/** Between two hops alone. */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

/** Where a body ends is between the two ends, whatever a client says of it. */
const framing = "content-length"

const passedOn = (headers: IncomingHttpHeaders): IncomingHttpHeaders => {
  const named = new Set((headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase()))
  named.delete(framing)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !named.has(name)))
}

/** Node sends the body of a GET as it is where no header tells how it is framed: it would be the next request. */
const framed = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  headers["transfer-encoding"] === undefined ? {} : { "transfer-encoding": "chunked" }

const refuse = (
  response: ServerResponse,
  refusal: AnyRefusal,
  { headers, status }: { readonly status: number; readonly headers: Readonly<Record<string, string>> }
): void => {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "service-request-id": randomUUID(),
    link: linkOf(refusal._tag),
    ...headers
  }).end(JSON.stringify(Envelope.refusalBody(refusal)))
}

const refuseUnknown = (response: ServerResponse): void =>
  refuse(response, new Unauthenticated(), { status: 401, headers: { "www-authenticate": "Bearer" } })

const refuseAway = (response: ServerResponse): void =>
  refuse(response, new TemporarilyUnavailable({ retryAfterSeconds: 1 }), {
    status: 503,
    headers: { "retry-after": "1" }
  })

/** The beginning of a request's body, as far as it may be sent once more. */
class KeptBody {
  readonly #chunks: Array<Buffer> = []
  #bytes = 0
  #whole = false

  constructor(request: IncomingMessage) {
    request.on("data", (chunk: Buffer) => {
      this.#bytes += chunk.length
      if (this.#bytes <= keptBody) this.#chunks.push(chunk)
      else this.#chunks.length = 0
    })
    request.on("end", () => {
      this.#whole = true
    })
  }

  /** None: it is too long, or has not come yet. */
  get again(): Buffer | undefined {
    return this.#whole && this.#bytes <= keptBody ? Buffer.concat(this.#chunks) : undefined
  }
}

/** Sends the body on as it comes. What a cell does not take any more is read off, so that its answer arrives. */
const pass = (incoming: IncomingMessage, sent: ClientRequest): void => {
  incoming.pipe(sent)
  sent.once("close", () => {
    incoming.unpipe(sent)
    incoming.resume()
  })
}

/** Not listening yet. Cells are told where a request came from, and believe it (`FREEHOLD_TRUSTED_PROXIES`). */
export const create = (
  routes: Routes,
  bounds: Bounds = defaults,
  serverBounds: Parameters<typeof NodeServer.create>[0] = {}
): NodeServer.BoundedServer => {
  const moved = new Moved()
  const options = { keepAlive: true, maxSockets: bounds.connections, timeout: bounds.idle }
  const agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) }

  /** The cell alone is asked, whatever the path looks like: it may begin with the name of a host. */
  const open = (origin: URL, incoming: IncomingMessage): ClientRequest => {
    const secure = origin.protocol === "https:"
    const forwarded = [incoming.headers["x-forwarded-for"], incoming.socket.remoteAddress].flat().filter(Boolean)
    return (secure ? httpsRequest : httpRequest)(origin, {
      agent: secure ? agents["https:"] : agents["http:"],
      method: incoming.method,
      path: incoming.url,
      headers: {
        ...passedOn(incoming.headers),
        ...framed(incoming.headers),
        "x-forwarded-for": forwarded.join(", ")
      }
    })
  }

  /** Sends the request, and passes the answer on unless it says that the organization is elsewhere. */
  const hand = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    [name, cell]: readonly [name: string, cell: URL],
    body: Buffer | null,
    elsewhere: (cell: string) => boolean
  ): void => {
    const sent = open(cell, incoming)
    let reason: FrontMetrics.Refused = "away"
    const late = setTimeout(() => {
      reason = "late"
      sent.destroy(new Error("late"))
    }, bounds.patience)
    const gone = () => {
      clearTimeout(late)
      if (!outgoing.writableFinished) sent.destroy()
    }
    // Node tells of it and ends nothing.
    sent.on("timeout", () => sent.destroy(new Error("idle")))
    sent.on("error", () => {
      clearTimeout(late)
      // Whoever went away was not refused.
      if (!outgoing.destroyed) FrontMetrics.refused(name, reason)
      refuseAway(outgoing)
    })
    sent.on("response", (answer) => {
      clearTimeout(late)
      const named = answer.headers[Envelope.movedHeader]
      if (answer.statusCode === 503 && typeof named === "string" && elsewhere(named)) {
        outgoing.off("close", gone)
        // Whatever else comes of it, the other cell answers.
        sent.destroy()
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, passedOn(answer.headers))
      outgoing.flushHeaders()
      pipeline(answer, outgoing, () => {})
    })
    outgoing.on("close", gone)
    if (body === null) pass(incoming, sent)
    else sent.end(body)
  }

  /** Counts the request when it has ended. */
  const measure = (cell: string | null, outgoing: ServerResponse): void => {
    const startedAt = performance.now()
    outgoing.on("close", () => {
      const status = outgoing.writableFinished ? outgoing.statusCode : null
      FrontMetrics.ended(cell, status, (performance.now() - startedAt) / 1000)
    })
  }

  FrontMetrics.begin(routes.cells.keys())
  const server = NodeServer.create(serverBounds)
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const bearer = bearerOf(incoming.headers.authorization)
    const name = moved.cellOf(bearer) ?? cellFor(routes, { host: incoming.headers.host, bearer })
    const cell = name === null ? undefined : routes.cells.get(name)
    measure(cell === undefined ? null : name, outgoing)
    if (name === null || cell === undefined) {
      incoming.resume()
      FrontMetrics.refused(null, "unknown")
      refuseUnknown(outgoing)
      return
    }
    const kept = new KeptBody(incoming)
    hand(incoming, outgoing, [name, cell], null, (named) => {
      const next = routes.cells.get(named)
      if (next === undefined || named === name) return false
      if (bearer !== null) moved.learn(bearer, named)
      const again = kept.again
      if (again === undefined) return false
      hand(incoming, outgoing, [named, next], again, () => false)
      return true
    })
  })
  server.on("close", () => {
    for (const agent of Object.values(agents)) agent.destroy()
  })
  return server
}

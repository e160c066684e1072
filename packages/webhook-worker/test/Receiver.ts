/**
 * Receivers of webhooks on loopback, for tests: real sockets, real TLS, and what they were sent.
 *
 * The certificates are made up for one run, by an authority that nobody else trusts.
 */
import { Effect, type Scope } from "effect"
import * as Http from "node:http"
import * as Https from "node:https"
import * as Net from "node:net"
import { generate } from "selfsigned"

export interface Received {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: Http.IncomingHttpHeaders
  readonly body: Buffer
}

export interface Receiver {
  readonly port: number
  readonly received: Array<Received>
  /** Connections accepted so far. */
  connections: number
  /** Completes when no connection is open any more. */
  readonly allClosed: Effect.Effect<void>
}

export interface Identity {
  readonly key: string
  readonly cert: string
}

const attributes = (commonName: string) => [{ name: "commonName", value: commonName }]
const algorithms = { keyType: "ec", curve: "P-256", algorithm: "sha256" } as const

/** An authority and what it vouches for. */
export const makeAuthority = Effect.fnUntraced(function*() {
  const authority = yield* Effect.promise(() =>
    generate(attributes("Made-up authority for tests"), {
      ...algorithms,
      extensions: [
        { name: "basicConstraints", cA: true, critical: true },
        { name: "keyUsage", keyCertSign: true, cRLSign: true, critical: true }
      ]
    })
  )
  const issue = (name: string, ca?: { readonly key: string; readonly cert: string }) =>
    Effect.promise(() =>
      generate(attributes(name), {
        ...algorithms,
        ...(ca === undefined ? {} : { ca }),
        extensions: [
          { name: "basicConstraints", cA: false },
          { name: "keyUsage", digitalSignature: true },
          { name: "extKeyUsage", serverAuth: true },
          { name: "subjectAltName", altNames: [{ type: 2, value: name }] }
        ]
      })
    ).pipe(Effect.map((made): Identity => ({ key: made.private, cert: made.cert })))
  return {
    cert: authority.cert,
    issue: (name: string) => issue(name, { key: authority.private, cert: authority.cert }),
    selfSigned: (name: string) => issue(name)
  }
})

const listening = (server: Net.Server, received: Array<Received>): Effect.Effect<Receiver, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly receiver: Receiver; readonly sockets: Set<Net.Socket> }>((resume) => {
      const sockets = new Set<Net.Socket>()
      const closed: Array<() => void> = []
      server.listen(0, "127.0.0.1", () => {
        const bound = server.address()
        const port = bound !== null && typeof bound === "object" ? bound.port : 0
        const receiver: Receiver = {
          port,
          received,
          connections: 0,
          allClosed: Effect.callback((resume) => {
            if (sockets.size === 0) resume(Effect.void)
            else closed.push(() => resume(Effect.void))
          })
        }
        server.on("connection", (socket: Net.Socket) => {
          receiver.connections += 1
          sockets.add(socket)
          socket.on("error", () => socket.destroy())
          socket.once("close", () => {
            sockets.delete(socket)
            if (sockets.size === 0) closed.splice(0).forEach((listener) => listener())
          })
        })
        resume(Effect.succeed({ receiver, sockets }))
      })
    }),
    ({ sockets }) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        sockets.forEach((socket) => socket.destroy())
      })
  ).pipe(Effect.map(({ receiver }) => receiver))

const recording =
  (received: Array<Received>, listener: Http.RequestListener): Http.RequestListener => (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      received.push({
        method: request.method,
        path: request.url,
        headers: request.headers,
        body: Buffer.concat(chunks)
      })
      listener(request, response)
    })
  }

/** A plain HTTP receiver. It never closes an idle connection by itself. */
export const http = (listener: Http.RequestListener) => {
  const received: Array<Received> = []
  return listening(Http.createServer({ keepAliveTimeout: 0 }, recording(received, listener)), received)
}

/** A TLS receiver. */
export const https = (identity: Identity, listener: Http.RequestListener) => {
  const received: Array<Received> = []
  return listening(Https.createServer({ ...identity, keepAliveTimeout: 0 }, recording(received, listener)), received)
}

/** A receiver that speaks for itself: `talk` gets each connection once a request has begun to arrive. */
export const raw = (talk: (socket: Net.Socket) => void) =>
  listening(Net.createServer((socket) => void socket.once("data", () => talk(socket))), [])

/** A server that accepts connections and stays silent. */
export const silent = () => listening(Net.createServer((socket) => void socket.resume()), [])

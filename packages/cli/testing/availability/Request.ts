/** Requests as attackers send them: whole ones that wait for the answer, and raw ones of which anything may be wrong. */
import { request as begin } from "node:http"
import { connect, type Socket } from "node:net"
import { type Force, spread, stay } from "./Attack.ts"

export interface Request {
  readonly method: "GET" | "POST"
  /** Below the origin. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; text is sent as it is. */
  readonly body?: unknown
}

export const read = (path: string): Request => ({ method: "GET", path: `/v1${path}` })

export const post = (path: string, body: unknown, headers: Request["headers"] = {}): Request => ({
  method: "POST",
  path: `/v1${path}`,
  headers,
  body
})

/** One JSON-RPC request to the endpoint of the tools. */
export const rpc = (method: string, params: unknown): Request =>
  post("/mcp", { jsonrpc: "2.0", id: 1, method, params }, { accept: "application/json, text/event-stream" })

export const tool = (name: string, args: unknown): Request => rpc("tools/call", { name, arguments: args })

const textOf = (body: unknown): string =>
  body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body)

const headersOf = ({ body, headers }: Request, bearer: string | undefined): Record<string, string> => ({
  ...bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
  ...body === undefined ? {} : { "content-type": "application/json" },
  ...headers
})

/** An answer, or null where the connection ended without one. */
export interface Answer {
  readonly status: number
  readonly body: string
}

/** Somebody without a key comes from so many addresses. */
const anonymous = 50

/** Sends one request by the n-th bearer (none where there are none) and waits for the whole answer. */
export const ask = (force: Force, n: number, request: Request): Promise<Answer | null> =>
  new Promise((resolve) => {
    const { bearers, origin } = force
    const place = n % (bearers.length === 0 ? anonymous : bearers.length)
    const outgoing = begin(new URL(request.path, origin), {
      agent: force.agent(place),
      method: request.method,
      headers: headersOf(request, bearers[place])
    }, (incoming) => {
      const chunks: Array<Buffer> = []
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
      incoming.once("error", () => resolve(null))
      incoming.once("end", () =>
        resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") }))
    })
    outgoing.once("error", () =>
      resolve(null))
    outgoing.end(textOf(request.body))
  })

/** Sends requests in turn by all bearers, at the pace of the attack. */
export const flood = (force: Force, requestOf: (n: number) => Request, atOnce = 100): Promise<void> =>
  spread(force, atOnce, async (n) => {
    const answer = await ask(force, n, requestOf(n))
    force.count(answer === null ? "cut" : String(answer.status))
  })

/** The request as text, for a connection that is written to by hand. */
export const written = (request: Request, bearer?: string): string => {
  const body = textOf(request.body)
  const headers = {
    host: "service.example",
    ...headersOf(request, bearer),
    ...body === "" ? {} : { "content-length": String(Buffer.byteLength(body)) }
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`${request.method} ${request.path} HTTP/1.1`, ...lines, "", body].join("\r\n")
}

/** Opens a connection from the n-th address and keeps it for the attack; null: it was not let in. */
export const open = (force: Force, n: number): Promise<Socket | null> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(force.origin)
    const socket = force.hold(connect({ host: hostname, port: Number(port), localAddress: force.address(n) }))
    socket.once("connect", () => resolve(socket))
    socket.on("error", () => resolve(null))
    socket.once("close", () => resolve(null))
  })

/** What is met once all connections of `occupy` were tried, and the server knows of them. */
export const allTried = "all tried"

/** Opens four times as many connections as it has requests, from so many addresses, and notes which the server closed. */
export const occupy = async (
  force: Force,
  addresses: number,
  use: (socket: Socket, n: number) => void | Promise<void>
): Promise<void> => {
  await spread({ ...force, requests: 4 * force.requests }, 200, async (n) => {
    const socket = await open(force, n % addresses)
    force.count(socket === null ? "refused" : "open")
    if (socket === null) return
    socket.once("close", () => force.count("closed"))
    await use(socket, n)
  })
  // The server takes connections in their order: whoever is answered now came after all of them.
  await ask(force, addresses, read("/me"))
  force.count(allTried)
  await stay(force)
}

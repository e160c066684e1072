/**
 * A server on node:http that unlocks properties and delivers leads through Freehold's core. `--sample` makes a made-up
 * organization.
 *
 * | request                               | what it does                                          |
 * | ------------------------------------- | ----------------------------------------------------- |
 * | `POST /properties/{property}/unlock`  | opens it for 10 credits, once                         |
 * | `POST /leads/{property}?deal_value=N` | qualifies it: a lead                                  |
 * | `GET /leads?cursor=C`                 | the feed of leads, the oldest first                   |
 * | `GET /leads/{property}`               | delivers the lead: its bundle, metered like an export |
 */
import * as Database from "@freehold/adapters-pg/database/Database"
import { ManagedRuntime } from "effect"
import { SqlError } from "effect/sql"
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import * as Freehold from "./Freehold.ts"
import { type Answer, Leads } from "./Leads.ts"
import * as SampleOrganization from "./SampleOrganization.ts"

const runtime = ManagedRuntime.make(Freehold.layer(process.env["BILLING_ACCOUNTS"]))

/** Without its database there is nothing to serve. */
const stop = (cause: unknown): never => {
  const { message } = cause instanceof SqlError.SqlError ? Database.failureOf(cause) : new Error(String(cause))
  console.error(`no database can be used: ${message}; start that of DATABASE_URL, or leave it out for an embedded one`)
  return process.exit(1)
}
await runtime.context().catch(stop)

const leads = await runtime.runPromise(Leads)

/** Who answers a request, by its method and path, and with which input. */
const routes = [
  { method: "POST", path: /^\/properties\/([^/]+)\/unlock$/, offer: leads.unlock, input: (id: string) => ({ id }) },
  {
    method: "POST",
    path: /^\/leads\/([^/]+)$/,
    offer: leads.qualify,
    input: (id: string, query: URLSearchParams) => ({ property_id: id, deal_value: Number(query.get("deal_value")) })
  },
  {
    method: "GET",
    path: /^\/leads()$/,
    offer: leads.list,
    input: (_: string, query: URLSearchParams) => Object.fromEntries(query)
  },
  { method: "GET", path: /^\/leads\/([^/]+)$/, offer: leads.deliver, input: (id: string) => ({ property_id: id }) }
]

const answerTo = async (request: IncomingMessage, requestId: string): Promise<Answer> => {
  const [pathname = "", query] = (request.url ?? "").split("?", 2)
  for (const { input, method, offer, path } of routes) {
    const [, id] = request.method === method ? path.exec(pathname) ?? [] : []
    if (id === undefined) continue
    return runtime.runPromise(offer({
      address: request.socket.remoteAddress ?? "",
      authorization: request.headers.authorization,
      requestId,
      input: input(decodeURIComponent(id), new URLSearchParams(query))
    }))
  }
  return { status: 404, headers: {}, body: { error: "There is nothing here." } }
}

/** Refusals are answers; what is thrown is a path that cannot be read, or a fault of this program. */
const failed = (fault: unknown, requestId: string): Answer => {
  if (fault instanceof URIError) return { status: 400, headers: {}, body: { error: "The path cannot be read." } }
  console.error(requestId, fault)
  return { status: 500, headers: {}, body: { error: "A fault of ours; nothing was charged twice.", requestId } }
}

const server = createServer((request, response) => {
  const requestId = crypto.randomUUID()
  request.resume()
  void answerTo(request, requestId).catch((fault: unknown) => failed(fault, requestId)).then(
    ({ body, headers, status }) =>
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  )
})

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => server.close(() => void runtime.dispose()))
}

if (process.argv.includes("--sample")) {
  const secret = await runtime.runPromise(SampleOrganization.make)
  console.log(secret === null ? "the sample key is the one that was printed before" : `the sample key is ${secret}`)
}
server.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1")
await once(server, "listening")
const address = server.address()
console.log(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : address}`)

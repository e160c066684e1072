/** A tiny HTTP server on loopback that mounts the endpoint for one made-up caller: what a host does, without admission. */
import { Effect, Layer } from "effect"
import { McpEndpoint } from "../src/McpEndpoint.ts"
import { served } from "./Loopback.ts"
import * as StubCatalogue from "./StubCatalogue.ts"

export const key = `fhk_${"A".repeat(43)}`

const Endpoint = McpEndpoint.layer({
  publicUrl: "http://127.0.0.1",
  allowedOrigins: [],
  serverInfo: { name: "freehold", version: "1.2.3" }
}).pipe(Layer.provide(StubCatalogue.answers))

/** Serves until the scope ends; answers the API root. Without the key: 401 in REST's envelope. */
export const start = Effect.gen(function*() {
  const endpoint = yield* McpEndpoint
  const run = Effect.runPromiseWith(yield* Effect.context<never>())

  const origin = yield* served(async (incoming, outgoing) => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of incoming) chunks.push(chunk)
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value])
    )
    if (headers["authorization"] !== `Bearer ${key}`) {
      outgoing.writeHead(401, { "content-type": "application/json" })
      outgoing.end(JSON.stringify({ success: false, error: "A valid API key is required." }))
      return
    }
    const request = { method: incoming.method ?? "", headers, body: Buffer.concat(chunks) }
    const response = await run(StubCatalogue.asCaller(endpoint.handle(request)))
    outgoing.writeHead(response.status, response.headers).end(response.body)
  })
  return `${origin}/v1`
}).pipe(Effect.provide(Endpoint))

/** One server over the ports in memory, on loopback: REST beside MCP, and its client. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Admission } from "@freehold/core/access/Admission"
import { Catalogue } from "@freehold/core/catalogue/Catalogue"
import { AddressLimiter } from "@freehold/core/rate/AddressLimiter"
import type { Drafter } from "@freehold/core/research/Drafter"
import * as MemoryPorts from "@freehold/core/testing/MemoryPorts"
import * as AdmittedRoute from "@freehold/http-host/AdmittedRoute"
import * as NodeServer from "@freehold/http-host/NodeServer"
import * as RestHost from "@freehold/http-host/RestHost"
import { Answers } from "@freehold/mcp-host/Answers"
import * as EntranceAdvice from "@freehold/mcp-host/EntranceAdvice"
import { McpEndpoint } from "@freehold/mcp-host/McpEndpoint"
import { Toolbox } from "@freehold/mcp-host/Toolbox"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"

/** The endpoint of the tools on loopback. */
export const mcp = Layer.unwrap(Effect.map(McpEndpoint, ({ handle }) =>
  AdmittedRoute.layer({
    path: "/v1/mcp",
    access: { scope: "mcp", plan: "enterprise", feature: "apiAccess", person: "allowed" },
    handle,
    advise: EntranceAdvice.of
  }))).pipe(
    Layer.provide(McpEndpoint.layer({
      publicUrl: "http://127.0.0.1",
      allowedOrigins: [],
      serverInfo: { name: "sample", version: "0.0.0" }
    })),
    Layer.provide(Answers.layer),
    Layer.provide(Toolbox.layer)
  )

/** A server of ours on a free port, and the lane of it. */
const onLoopback = Layer.suspend(() => {
  const server = NodeServer.create()
  return Layer.merge(
    NodeHttpServer.layerServer(() => server, { host: "127.0.0.1", port: 0 }),
    NodeServer.lane(server)
  )
})

/** The server, and the toolbox behind it, with what `seed` puts in. */
export const layer = <E>(
  seed: Effect.Effect<void, E, Layer.Success<typeof MemoryPorts.layer>>,
  drafter: Layer.Layer<Drafter>
) =>
  Layer.merge(RestHost.serve(Layer.merge(RestHost.layer, mcp)), Toolbox.layer).pipe(
    Layer.provideMerge(Layer.merge(Catalogue.layer, Admission.layer)),
    Layer.provide(AddressLimiter.layer),
    Layer.provideMerge(Layer.effectDiscard(seed)),
    Layer.provideMerge(MemoryPorts.layer),
    Layer.provideMerge(drafter),
    Layer.provideMerge(onLoopback)
  )

export const send = (secret: string, path: string, init: RequestInit) =>
  Effect.gen(function*() {
    const { address } = yield* HttpServer.HttpServer
    const port = "port" in address ? address.port : 0
    return yield* Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" }
      })
      // Of any shape: what it has is what is asserted.
      const body: ReturnType<typeof JSON.parse> = await response.json()
      return { status: response.status, headers: response.headers, body }
    })
  })

/** One JSON-RPC call to the endpoint of the tools. */
export const rpc = (secret: string, method: string, params: object) =>
  send(secret, "/mcp", { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) })

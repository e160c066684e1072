/** A collector of OpenTelemetry that keeps what it was sent as JSON: the spans, and the names of the metrics. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"

export interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly attributes: Readonly<Record<string, unknown>>
}

type Wire = ReturnType<typeof JSON.parse>

const attributesOf = (attributes: ReadonlyArray<Wire> = []) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

export const collector = async () => {
  const spans: Array<Span> = []
  const metrics = new Set<string>()
  const server = createServer(async (request, response) => {
    const body: Wire = await json(request)
    for (const { scopeSpans } of body.resourceSpans ?? []) {
      for (const { name, traceId, spanId, attributes } of scopeSpans.flatMap((scope: Wire) => scope.spans)) {
        spans.push({ name, traceId, spanId, attributes: attributesOf(attributes) })
      }
    }
    for (const { scopeMetrics } of body.resourceMetrics ?? []) {
      for (const { name } of scopeMetrics.flatMap((scope: Wire) => scope.metrics)) metrics.add(name)
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}")
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, spans, metrics, close: () => server.close() }
}

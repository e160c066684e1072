/** The duty that every contender has besides its queue: one signed POST of the same bytes over a kept connection. */
import * as Signature from "@freehold/webhook-worker/Signature"
import * as WebhookBody from "@freehold/webhook-worker/WebhookBody"
import { Redacted } from "effect"
import { Agent, request } from "node:http"

/** As many as ten endpoints with ten places each have under way. */
export const atOnce = 100

const secret = Redacted.make(`whsec_${Buffer.alloc(32, "made up").toString("base64")}`)

/** What a change of the benchmark carries. */
export const data = JSON.stringify({
  payload_version: "signal.v1",
  event_id: "00000000-0000-4000-8000-000000000000",
  kind: "sale",
  subject: { type: "property", id: "00000000-0000-4000-8000-000000000000" },
  detected_at: "2026-01-01T00:00:00.000Z",
  source: "county_record",
  signal_id: "00000000-0000-4000-8000-000000000000"
})

/** Sends to paths below `root`; answers the status. */
export const make = (root: string) => {
  const { hostname, port } = new URL(root)
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce, maxFreeSockets: atOnce })
  return (id: string, path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const now = Date.now()
      const eventType = "signal.sale"
      const body = WebhookBody.encode({ eventId: id, feedEventId: id, eventType, test: false, data }, now)
      const headers = Signature.headers({ secrets: [secret], id, unixSeconds: Math.floor(now / 1000), body })
      const outgoing = request({
        agent,
        method: "POST",
        hostname,
        port,
        path,
        headers: {
          "Content-Type": "application/json",
          "Content-Length": body.byteLength,
          "User-Agent": "Freehold-Webhooks/1",
          ...headers,
          "Service-Event-Id": id,
          "Service-Event-Type": eventType
        }
      }, (response) => {
        response.resume().once("end", () => resolve(response.statusCode ?? 0))
      })
      outgoing.once("error", reject)
      outgoing.end(body)
    })
}

/** The paths of the ten endpoints. */
export const paths = Array.from({ length: 10 }, (_, index) => `/at-once/${index}`)

export const pathOf = (index: number): string => paths[index % paths.length] ?? "/"

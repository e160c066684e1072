/**
 * A webhook receiver to try Freehold with: it registers itself, then prints what arrives and whether the signature is
 * right. It needs Node 22.18 or newer and nothing else.
 *
 *     FREEHOLD_API_KEY=fhk_... node examples/webhook-receiver.ts [API_ROOT] [PORT] [EVENTS]
 *
 * EVENTS are separated by commas, such as signal.ownership_transfer; without them it waits for leads.
 *
 * A server accepts a receiver on this machine only when it runs with FREEHOLD_WEBHOOK_TARGETS=any. The key needs the scope
 * events:subscribe. The endpoint is removed again when the receiver is stopped with Ctrl-C.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import { buffer } from "node:stream/consumers"

const [apiRoot = "http://127.0.0.1:8080/v1", port = "9090", events = "lead.qualified"] = process.argv.slice(2)
const key = process.env["FREEHOLD_API_KEY"]
const toleranceSeconds = 300

const stop = (reason: string): never => {
  console.error(reason)
  process.exit(1)
}

/** Of any shape: what is wanted of it is looked for. */
type Answer = ReturnType<typeof JSON.parse>

/** Calls the API; anything but a success ends the receiver. */
const call = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(`${apiRoot}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...body === undefined ? {} : { "content-type": "application/json" } },
    ...body === undefined ? {} : { body: JSON.stringify(body) }
  }).catch(() =>
    stop(
      `no server answers at ${apiRoot}; give another address as the first argument, or start one with: `
        + "FREEHOLD_WEBHOOK_TARGETS=any pnpm start"
    )
  )
  const answer: Answer = await response.json().catch(() => stop(`${apiRoot} is no API root of Freehold`))
  if (!answer.success) {
    const issues = answer.meta?.issues?.map(({ message }: { message: string }) => ` ${message}`).join("") ?? ""
    stop(`${method} ${path}: ${response.status} ${answer.error}${issues}`)
  }
  return answer.data
}

/** `Service-Signature: t=<unix seconds>,v1=<hex>`: HMAC-SHA256 with the secret over `<t>.<body as received>`. */
const isGenuine = (header: string, body: Buffer, secret: string): boolean => {
  const parts = header.split(",").map((part) => part.split("="))
  const time = parts.find(([name]) => name === "t")?.[1] ?? ""
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest()
  const signed = parts.some(([name, value = ""]) => {
    const given = Buffer.from(value, "hex")
    return name === "v1" && given.length === expected.length && timingSafeEqual(given, expected)
  })
  return signed && Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds
}

const report = (body: Buffer): void => {
  const { event_id, event_type, data } = JSON.parse(body.toString("utf8"))
  const { property, pipeline, contacts, partial } = data
  console.log(`${event_type} ${event_id}: the signature is right`)
  if (pipeline === undefined) return console.log(`  ${JSON.stringify(data)}`)
  console.log(
    `  ${property.address}, ${property.city}: ${pipeline.status}, ${pipeline.deal_value} ${pipeline.currency}`
  )
  console.log(`  contacts: ${partial ? "none, since it was not unlocked" : contacts.length}`)
}

if (key === undefined) stop("Set FREEHOLD_API_KEY to the organization's key.")

let secret = ""
const server = createServer((request, response) => {
  void buffer(request).then((body) => {
    const genuine = isGenuine(String(request.headers["service-signature"] ?? ""), body, secret)
    if (genuine) report(body)
    else console.log("refused: something arrived whose signature is wrong")
    response.writeHead(genuine ? 200 : 401).end()
  })
})

server.once(
  "error",
  (error) => stop(`cannot listen on port ${port}: ${error.message}; give another port as the second argument`)
)
server.listen(Number(port), "127.0.0.1", () => {
  const address = server.address()
  const url = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : port}/`
  void call("POST", "/webhooks", { url, events: events.split(",") }).then(
    ({ endpoint, signing_secret }) => {
      secret = signing_secret
      console.log(`waiting for ${events} on ${url} (Ctrl-C ends)`)
      process.once("SIGINT", () => void call("DELETE", `/webhooks/${endpoint.id}`).then(() => process.exit(0)))
    }
  )
})

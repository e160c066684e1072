/** Recorded changes from outside: imported by command, read over HTTP, received as signed webhooks, taken back. */
import { verifySignature } from "@freehold/webhook-worker/VerifySignature"
import { once } from "node:events"
import { createServer } from "node:http"
import { assert, test } from "vitest"
import { run, runJson, serve } from "../Freehold.ts"
import { ndjson, orgId, properties, sampleDatabase, secret } from "../Sample.ts"

interface Received {
  readonly event_id: string
  readonly event_type: string
  readonly data: Record<string, unknown>
}

const [first] = properties.map(({ key }) => key)
const detectedAt = new Date(Date.now() - 60_000).toISOString()
const sale = {
  key: "sale-1",
  kind: "sale",
  propertyKey: first,
  before: null,
  after: { date: "2026-08-14", price: 900_000, document_type: "deed" },
  detectedAt,
  effectiveDate: "2026-08-14",
  source: "county_record"
}
const departure = {
  key: "departure-1",
  kind: "contact_departure",
  contactKey: "ada",
  before: { value: "Sample Managers" },
  detectedAt,
  source: "web"
}

test("a change reaches its subscribers once, is listed, filters the search, and is taken back", async () => {
  const { drop, env } = await sampleDatabase()
  const reader = `fhk_${"e".repeat(43)}`
  const withSignals = {
    organizations: [{
      org_id: orgId,
      features: { signals: true },
      keys: [{ name: "events", scopes: ["events:read"], secret: reader }]
    }]
  }
  const received: Array<Received> = []
  let signingSecret = ""
  const receiver = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks)
      const header = String(request.headers["service-signature"])
      assert.isTrue(verifySignature({ header, body, secret: signingSecret }).valid)
      received.push(JSON.parse(body.toString("utf8")))
      response.end()
      receiver.emit("delivery")
    })
  })
  receiver.listen(0, "127.0.0.1")
  await once(receiver, "listening")
  const address = receiver.address()
  const port = typeof address === "object" ? address?.port : 0
  const server = await serve([], { ...env, FREEHOLD_WEBHOOK_TARGETS: "any" })
  const call = async (method: string, path: string, body?: object, key = secret) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })
    // Of any shape: what it has is what is asserted.
    const answer: ReturnType<typeof JSON.parse> = await response.json()
    return { status: response.status, body: answer }
  }
  const load = async (kind: string, ...rows: ReadonlyArray<object>) => {
    const { code, stderr } = await run(["import", kind, "-"], env, ndjson(rows))
    assert.strictEqual(code, 0, stderr)
  }
  const subscription = {
    url: `http://127.0.0.1:${port}/`,
    events: ["signal.sale", "signal.contact_departure", "signal.withdrawn"],
    include_evidence: true
  }
  const changed = { filters: { countyFips: ["53903"], changedKinds: ["sale"], changedWithinDays: 1 } }

  try {
    const refused = await call("POST", "/webhooks", subscription)
    assert.deepStrictEqual([refused.status, refused.body.meta.code], [400, "SIGNALS_NOT_ENABLED"])
    const unread = await call("POST", "/properties/search", changed)
    assert.deepStrictEqual([unread.status, unread.body.meta.code], [400, "SIGNALS_NOT_ENABLED"])

    await runJson(["apply", "-"], env, JSON.stringify(withSignals))
    await load("contacts", {
      key: "ada",
      fullName: "Ada Sample",
      properties: [{ propertyKey: first, role: "executive" }]
    })
    const made = await call("POST", "/webhooks", subscription)
    assert.strictEqual(made.status, 200)
    signingSecret = made.body.data.signing_secret

    const sold = once(receiver, "delivery")
    await load("changes", sale)
    await sold
    assert.containSubset(received, [{
      event_type: "signal.sale",
      data: {
        payload_version: "signal.v1",
        kind: "sale",
        source: "county_record",
        detected_at: detectedAt,
        evidence: { field: "last_sale", after: { date: "2026-08-14", price: 900_000 }, dates_withheld: false }
      }
    }])
    const listed = await call("GET", "/changes")
    assert.lengthOf(listed.body.data.changes, 1)
    assert.strictEqual(listed.body.data.changes[0].event_id, received[0]?.data["event_id"])
    assert.strictEqual((await call("POST", "/properties/search", changed)).body.data.total_matching, 1)

    const events = await call("GET", "/events?eventType=signal.sale", undefined, reader)
    assert.containSubset(events.body.data, {
      total: 1,
      events: [{
        id: received[0]?.data["event_id"],
        type: "signal.sale",
        subject_type: "property",
        status: "fanned_out"
      }]
    })

    const left = once(receiver, "delivery")
    await load("changes", departure)
    await left
    const removed = once(receiver, "delivery")
    await runJson(["suppress", "--contact", "ada"], env)
    await removed
    assert.containSubset(received[2], {
      event_type: "signal.withdrawn",
      data: { kind: "withdrawn", reason: "suppressed", withdraws_event_id: received[1]?.data["event_id"] }
    })
    assert.lengthOf((await call("GET", "/changes")).body.data.changes, 1)

    const takenBack = once(receiver, "delivery")
    await load("changes", { key: "withdrawal-1", kind: "withdrawn", withdraws: "sale-1" })
    await takenBack
    assert.containSubset(received[3], {
      event_type: "signal.withdrawn",
      data: { reason: "source_correction", withdraws_event_id: received[0]?.data["event_id"] }
    })
    assert.isTrue((await call("GET", "/changes")).body.data.changes[0].withdrawn)
    assert.strictEqual((await call("POST", "/properties/search", changed)).body.data.total_matching, 0)

    // Loaded again, nothing is new; and nothing of all this was metered.
    await load("changes", sale, departure)
    const account = await call("GET", "/allowance")
    assert.strictEqual(account.status, 200)
    assert.lengthOf(received, 4)
    assert.containSubset(await runJson(["credits", "show", "--org", orgId], env), {
      credit_balance: { total: 100 },
      usage: { exports_used: 0 }
    })
    assert.containSubset(await runJson(["audit"], env), { ok: true })
  } finally {
    await server.stop()
    receiver.close()
    await drop()
  }
})

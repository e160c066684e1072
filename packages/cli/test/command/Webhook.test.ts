/** `freehold webhook test`, `resend`, `enable` and `rotate-secret` from outside, with a receiver that checks signatures. */
import { verifySignature } from "@freehold/webhook-worker/VerifySignature"
import { once } from "node:events"
import { createServer } from "node:http"
import { assert, test } from "vitest"
import { run, runJson, serve } from "../Freehold.ts"
import { orgId, sampleDatabase, secret } from "../Sample.ts"
import { until } from "../TwoCustomers.ts"

// Of any shape: what it has is what is asserted.
type Answer = ReturnType<typeof JSON.parse>

test("an endpoint is tried, given a new secret that overlaps, and enabled again", async () => {
  const { drop, env } = await sampleDatabase()
  const received: Array<{ readonly header: string; readonly body: Buffer }> = []
  let status = 200
  const receiver = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      received.push({ header: String(request.headers["service-signature"]), body: Buffer.concat(chunks) })
      response.writeHead(status).end()
      receiver.emit("delivery")
    })
  })
  receiver.listen(0, "127.0.0.1")
  await once(receiver, "listening")
  const address = receiver.address()
  const port = typeof address === "object" ? address?.port : 0
  const server = await serve([], { ...env, FREEHOLD_WEBHOOK_TARGETS: "any" })
  const tried = async (endpoint: string): Promise<Answer> => {
    const delivery = once(receiver, "delivery")
    const sent: Answer = await runJson(["webhook", "test", endpoint], env)
    await delivery
    const body: Answer = JSON.parse(received.at(-1)?.body.toString("utf8") ?? "")
    assert.containSubset(body, { event_id: sent.event_id, event_type: "lead.qualified", test: true })
    return body
  }
  const isSignedWith = (key: string): boolean => {
    const { body, header } = received.at(-1) ?? assert.fail("received")
    return verifySignature({ header, body, secret: key }).valid
  }
  try {
    const made = await fetch(`${server.url}/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ url: `http://127.0.0.1:${port}/` })
    })
    const { data }: Answer = await made.json()
    const endpoint: string = data.endpoint.id
    assert.strictEqual((await tried(endpoint)).data.bundle_version, 1)
    assert.isTrue(isSignedWith(data.signing_secret))

    const rotated: Answer = await runJson(["webhook", "rotate-secret", endpoint, "--overlap", "24h"], env)
    assert.match(rotated.signing_secret, /^whsec_/)
    await tried(endpoint)
    assert.isTrue(isSignedWith(rotated.signing_secret))
    assert.isTrue(isSignedWith(data.signing_secret))
    const last: Answer = await runJson(["webhook", "rotate-secret", endpoint, "--overlap", "0 millis"], env)

    const [first] = received
    const before: Answer = JSON.parse(first?.body.toString("utf8") ?? "")
    const arrived = once(receiver, "delivery")
    assert.containSubset(await runJson(["webhook", "resend", before.event_id], env), {
      event_id: before.event_id,
      endpoint_id: endpoint,
      state: "queued"
    })
    await arrived
    const deliveries: Answer = await runJson(["webhook", "deliveries", endpoint], env)
    const delivery: Answer = deliveries.items.find((each: Answer) => each.event_id === before.event_id)
    assert.strictEqual(before.feed_event_id, delivery.feed_event_id)
    const { created_at: signedAt, ...again }: Answer = JSON.parse(received.at(-1)?.body.toString("utf8") ?? "")
    const { created_at: firstSignedAt, ...same }: Answer = before
    assert.deepStrictEqual(again, same)
    assert.isAbove(Date.parse(signedAt), Date.parse(firstSignedAt))
    assert.isTrue(isSignedWith(last.signing_secret))
    assert.isFalse(isSignedWith(data.signing_secret))

    // It is recorded after it has arrived.
    const detail = await until(
      (): Promise<Answer> => runJson(["webhook", "show", before.event_id, "--org", orgId], env),
      ({ attempts }) => attempts.length === 2
    )
    assert.deepInclude(detail, { endpoint_id: endpoint, state: "delivered", test: true })
    assert.deepStrictEqual(
      detail.attempts.map(({ answer, attempt, error, status: answered }: Answer) => [attempt, answered, error, answer]),
      [[1, 200, null, null], [2, 200, null, null]]
    )
    assert.containSubset(await runJson(["event", "show", before.event_id, "--org", orgId], env), {
      type: before.event_type,
      ended_deliveries: [{ endpoint_id: endpoint, state: "delivered", resends: 1 }]
    })

    status = 410
    await tried(endpoint)
    assert.isTrue(isSignedWith(last.signing_secret))
    assert.isFalse(isSignedWith(rotated.signing_secret))
    const shown = await until(
      (): Promise<Answer> => runJson(["webhook", "deliveries", endpoint], env),
      ({ items }) => items[0].state === "endpoint_gone"
    )
    const refused = await run(["webhook", "test", endpoint], env)
    assert.deepStrictEqual([refused.code, refused.stderr.trim()], [1, "freehold: the endpoint is not active (gone)"])
    const kept: Answer = shown.items.find((each: Answer) => each.event_id === before.event_id)
    assert.deepInclude(kept, { state: "delivered", attempts: 2, last_status: 200 })
    const stopped = await run(["webhook", "resend", before.event_id], env)
    assert.deepStrictEqual([stopped.code, stopped.stderr.trim()], [1, "freehold: the endpoint is not active (gone)"])
    const stoppedEvent = await run(["webhook", "resend", before.feed_event_id], env)
    assert.deepStrictEqual([stoppedEvent.code, stoppedEvent.stderr.trim()], [1, "freehold: nothing was sent again"])
    assert.include(stoppedEvent.stdout, "the endpoint is not active (gone)")
    status = 200
    assert.containSubset(await runJson(["webhook", "enable", endpoint], env), { active: true, disabledReason: null })
    await tried(endpoint)

    const arrivedAgain = once(receiver, "delivery")
    assert.deepStrictEqual(await runJson(["webhook", "resend", before.feed_event_id], env), {
      feed_event_id: before.feed_event_id,
      items: [{ event_id: before.event_id, state: "queued", reason: null }]
    })
    await arrivedAgain
    assert.include(JSON.parse(received.at(-1)?.body.toString("utf8") ?? ""), {
      event_id: before.event_id,
      feed_event_id: before.feed_event_id
    })

    const { items: log }: Answer = await runJson(["log", "--limit", "100"], env)
    const about: Answer = log.filter(({ subject }: Answer) => subject === endpoint)
    assert.deepStrictEqual([...new Set(about.map(({ action }: Answer) => action))], [
      "endpoint.resent",
      "endpoint.tested",
      "endpoint.enabled",
      "endpoint.secret_rotated"
    ])
    assert.containSubset(about.find(({ action }: Answer) => action === "endpoint.enabled"), {
      before: { disabled_reason: "gone" },
      after: { disabled_reason: null }
    })

    const nobody = "00000000-0000-4000-8000-000000000000"
    const { code, stderr } = await run(["webhook", "enable", nobody], env)
    assert.deepStrictEqual([code, stderr.trim()], [1, `freehold: there is no webhook endpoint ${nobody}`])
    const unknown = await run(["webhook", "resend", nobody], env)
    assert.deepStrictEqual([unknown.code, unknown.stderr.trim()], [
      1,
      `freehold: there is no delivery or event ${nobody}`
    ])
    assert.containSubset(await runJson(["audit"], env), { ok: true })
  } finally {
    await server.stop()
    receiver.close()
    await drop()
  }
})

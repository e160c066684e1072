/**
 * Somebody is told, from outside: two servers over one database, an endpoint that is gone, a source that cannot be read, a customer
 * who asks for support, and a mail server.
 *
 * All data is made up. Mails come at intervals, so the tests go on beside each other.
 */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import { assert, test } from "vitest"
import { type Environment, run, runJson, serve, type Server } from "./Freehold.ts"
import { smtpReceiver } from "./mail/SmtpReceiver.ts"
import { sampleDatabase, secret } from "./Sample.ts"

// Of any shape: what it has is what is asserted.
type Answer = ReturnType<typeof JSON.parse>

const operator = "ops@operator.example"

const source = (address: string) => ({
  name: "made-up",
  title: "Parcels (made up)",
  publisher: "a county (made up)",
  licence: "public domain",
  attribution: "Parcels: a county (made up)",
  kind: "file",
  address,
  schedule: "1 day",
  map: { key: "made-up:{number}", fields: { countyFips: { const: "53903" }, address: "street" } }
})

test.concurrent("the operator and the admins are mailed once each, and see what they were told (W8)", async () => {
  const { drop, env: common } = await sampleDatabase()
  const mails = await smtpReceiver()
  const elsewhere = createServer((request, response) => {
    request.resume()
    if (request.method === "POST") response.writeHead(410).end()
    else response.writeHead(200, { "content-type": "text/csv" }).end("number\n1\n")
  }).listen(0, "127.0.0.1")
  await once(elsewhere, "listening")
  const address = elsewhere.address()
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  const env = {
    ...common,
    FREEHOLD_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    FREEHOLD_MAIL_FROM: "freehold@service.example",
    FREEHOLD_OPERATOR_MAIL: operator,
    FREEHOLD_WEBHOOK_TARGETS: "any",
    FREEHOLD_SOURCE_TARGETS: "any"
  }
  const servers: Array<Server> = []
  try {
    await runJson(["source", "add", "-"], env, JSON.stringify(source(`${origin}/parcels.csv`)))
    servers.push(...await Promise.all([serve([], env), serve([], env)]))
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
    const ask = async (path: string, body: unknown): Promise<Answer> =>
      (await fetch(`${servers[0]?.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json()

    const made = await ask("/webhooks", { url: `${origin}/hooks/a-secret-in-the-path` })
    await runJson(["webhook", "test", made.data.endpoint.id], env)
    await ask("/mcp", {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "service_request_support", arguments: { subject: "The roof leaks", message: "Confidential." } }
    })

    await mails.arrived(4)
    assert.deepStrictEqual(mails.taken.map(({ subject, to }) => `${to} ${subject}`).toSorted(), [
      "ana@sample.example Freehold: A webhook endpoint was disabled",
      `${operator} Freehold: A source could not be synced`,
      `${operator} Freehold: A webhook endpoint was disabled`,
      `${operator} Freehold: An organization asks for support`
    ])
    const all = mails.taken.map(({ text }) => text).join("\n")
    for (const untold of ["a-secret-in-the-path", "Confidential.", secret]) assert.notInclude(all, untold)
    assert.include(all, "The roof leaks")

    const listed: Answer = await runJson(["notice", "list"], env)
    assert.deepStrictEqual(
      listed.items.map(({ kind, org_id }: Answer) => [org_id, kind]).toSorted(),
      [["org_sample", "endpoint_disabled"], ["org_sample", "support_requested"], [null, "source_failed"]].toSorted()
    )

    mails.refusals.set("nobody@operator.example", 550)
    assert.deepStrictEqual(await runJson(["notice", "test"], env), { to: operator, sent: true })
    const refused = await run(["notice", "test", "--to", "nobody@operator.example"], env)
    assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
    assert.match(refused.stderr, /the mail was not taken: .*550/)
    const off = await run(["notice", "test", "--to", operator], common)
    assert.deepStrictEqual(off.code, 2)
    assert.match(off.stderr, /FREEHOLD_SMTP_URL must be set to send mail, and FREEHOLD_MAIL_FROM beside it/)
    assert.strictEqual(mails.taken.length, 5)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    await mails.close()
    elsewhere.close()
    elsewhere.closeAllConnections()
    await drop()
  }
})

test.concurrent("the operator is told of a secret that opens neither with the new encryption key nor with the one before", async () => {
  const { drop, env: common } = await sampleDatabase()
  const mails = await smtpReceiver()
  const env: Environment = { ...common, FREEHOLD_WEBHOOK_TARGETS: "any" }
  try {
    const before = await serve([], env)
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
    for (const path of ["spoilt", "sound"]) {
      const body = JSON.stringify({ url: `http://127.0.0.1:9/${path}` })
      assert.strictEqual((await fetch(`${before.url}/webhooks`, { method: "POST", headers, body })).status, 200)
    }
    await before.stop()
    await Effect.runPromise(
      administer(
        Redacted.make(env["DATABASE_URL"] ?? ""),
        (sql) =>
          sql`UPDATE webhook_endpoint SET secret_sealed = substring(secret_sealed FROM 2) WHERE url LIKE '%spoilt'`
      )
    )

    const replaced = {
      ...env,
      FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 2).toString("base64"),
      FREEHOLD_ENCRYPTION_KEY_PREVIOUS: env["FREEHOLD_ENCRYPTION_KEY"] ?? "",
      FREEHOLD_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      FREEHOLD_MAIL_FROM: "freehold@service.example",
      FREEHOLD_OPERATOR_MAIL: operator
    }
    const after = await serve([], replaced)
    await mails.arrived(1)
    assert.deepStrictEqual(mails.taken.map(({ subject, to }) => `${to} ${subject}`), [
      `${operator} Freehold: Secrets could not be sealed anew`
    ])
    assert.match(mails.taken[0]?.text ?? "", /1 open with neither key\./)
    await after.stop()
    const listed: Answer = await runJson(["notice", "list"], replaced)
    assert.deepStrictEqual(listed.items.map(({ kind, org_id }: Answer) => [org_id, kind]), [[null, "resealing_failed"]])
  } finally {
    await mails.close()
    await drop()
  }
})

test.concurrent("a notice waits for no mail where nothing sends one", async () => {
  const { drop, env } = await sampleDatabase()
  try {
    await Effect.runPromise(
      administer(
        Redacted.make(env["DATABASE_URL"] ?? ""),
        (sql) =>
          sql`SELECT notice_record('org_sample', gen_random_uuid(), 'coverage_requested', 'made-up', 'Made up.', now())`
      )
    )
    const mailing = {
      FREEHOLD_SMTP_URL: "smtp://127.0.0.1:9",
      FREEHOLD_MAIL_FROM: "freehold@service.example",
      FREEHOLD_OPERATOR_MAIL: operator
    }
    for (const [settings, mail] of [[env, "none"], [{ ...env, ...mailing }, "waiting"]] as const) {
      const { items }: Answer = await runJson(["notice", "list"], settings)
      assert.deepStrictEqual(items.map((item: Answer) => [item.text, item.mail]), [["Made up.", mail]])
    }
  } finally {
    await drop()
  }
})

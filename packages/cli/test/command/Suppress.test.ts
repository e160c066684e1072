/** `freehold suppress` from outside: what the API and the webhooks tell afterwards. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, test } from "vitest"
import { run, runJson, serve } from "../Freehold.ts"
import { ndjson, properties, sampleDatabase, secret } from "../Sample.ts"

const [first, second] = properties.map(({ key }) => key)
const contacts = ["ada", "bob"].map((key) => ({
  key,
  fullName: `${key} sample`,
  title: `${key} the manager`,
  email: `${key}@sample.example`,
  firmKey: "managers",
  properties: [{ propertyKey: first, role: "executive", relationshipStatus: "current" }]
}))
const firms = [
  { key: "managers", name: "Sample Managers", role: "property_manager", attributionType: "web" },
  { key: "owners", name: "Ada Sample Trust", role: "owner", attributionType: "county_record" }
].map(({ attributionType, role, ...firm }) => ({
  ...firm,
  properties: [{ propertyKey: first, role, attributionType }]
}))

/** The name as a word of its own: the letters alone may stand in any identifier, which is hexadecimal. */
const adasName = /\bada\b/i

/** Rows anywhere in the database in which the pattern is found. */
const wordsIn = (url: string, pattern: string): Promise<ReadonlyArray<string>> =>
  Effect.runPromise(administer(Redacted.make(url), (sql) =>
    Effect.gen(function*() {
      const tables = yield* sql<{ readonly name: string }>`
        SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`
      const found = yield* Effect.forEach(tables, ({ name }) =>
        sql<{ readonly row: string }>`SELECT to_jsonb(t)::text AS row FROM ${
          sql(name)
        } t WHERE to_jsonb(t)::text ~* ${pattern}`)
      return found.flat().map(({ row }) =>
        row
      )
    })))

test("a suppressed person and owner are gone from every answer, though unlocked, and come back when lifted", async () => {
  const { drop, env } = await sampleDatabase()
  const owned = properties.map(({ countyFips, key }) => ({ countyFips, key, recordOwner: "ADA SAMPLE TRUST" }))
  await runJson(["import", "properties", "-"], env, ndjson(owned))
  await runJson(["import", "firms", "-"], env, ndjson(firms))
  await runJson(["import", "contacts", "-"], env, ndjson(contacts))

  const received: Array<string> = []
  const receiver = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += String(chunk)
    })
    request.on("end", () => {
      received.push(body)
      response.end()
      receiver.emit("delivery")
    })
  })
  receiver.listen(0, "127.0.0.1")
  await once(receiver, "listening")
  const { port } = receiver.address() as AddressInfo
  const server = await serve([], { ...env, FREEHOLD_WEBHOOK_TARGETS: "any" })
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      ...body === undefined ? {} : { body: JSON.stringify(body) }
    })
    return { status: response.status, text: await response.text() }
  }
  const firmIds: Array<string> = []
  const search = (filters: object) => call("POST", "/properties/search", { filters, detail: "full" })
  const everything = async () =>
    (await Promise.all([
      call("GET", `/properties/${first}/detail`),
      call("GET", `/properties/${first}`),
      call("GET", `/properties/${second}/detail`),
      search({ countyFips: ["53903"] }),
      call("POST", "/properties/search", { query: "trust" }),
      call("GET", "/contacts/search?query=sample"),
      call("POST", "/contacts/browse", {}),
      call("POST", "/organizations/browse", {}),
      ...firmIds.map((firm) => call("GET", `/organizations/${firm}`)),
      search({ countyFips: ["53903"], ownerName: "trust", includeUnknown: ["ownerName"] })
    ])).map(({ text }) => text).join("\n")

  try {
    assert.strictEqual((await call("POST", `/properties/${first}/unlock`)).status, 200)
    assert.strictEqual((await call("POST", "/webhooks", { url: `http://127.0.0.1:${port}/` })).status, 200)
    const browsed = await call("POST", "/organizations/browse", {})
    firmIds.push(...Array.from(browsed.text.matchAll(/"organization_id":"([^"]+)"/g), ([, id = ""]) => id))
    assert.lengthOf(firmIds, 2)
    const shown = await everything()
    assert.include(shown, "ada sample")
    assert.include(shown, "ADA SAMPLE TRUST")
    const ada = /"id":"([^"]+)","fullName":"ada sample"/.exec(shown)?.[1] ?? ""
    assert.strictEqual((await call("GET", `/contacts/${ada}`)).status, 200)

    const person = await runJson(["suppress", "--contact", "ada"], env)
    assert.containSubset(person, { kind: "contact", id: ada, key: "ada", outcome: "created", properties: 1 })
    const owner = await runJson(["suppress", "--owner", "ada sample trust"], env)
    assert.containSubset(owner, { kind: "owner", name: "ada sample trust", outcome: "created", properties: 3 })

    const hidden = await everything()
    assert.notMatch(hidden, adasName)
    assert.include(hidden, "bob sample")
    assert.include(hidden, "\"ownerWithheld\":true")
    assert.match(hidden, /"contactCount":1/)
    assert.notMatch(hidden, /"contactCount":2/)
    // The same as for a name that nobody has: not even that there is somebody.
    const dataOf = async (path: string): Promise<unknown> => JSON.parse((await call("GET", path)).text).data
    assert.deepStrictEqual(
      await dataOf("/contacts/search?query=ada%20sample"),
      await dataOf("/contacts/search?query=nobody%20sample")
    )
    const answers = [
      call("GET", `/contacts/${ada}`),
      call("GET", `/contacts/${ada}/relationships`),
      call("POST", `/contacts/${ada}/reveal`)
    ]
    for (const answer of answers) {
      const { status, text } = await answer
      assert.strictEqual(status, 404)
      assert.include(text, "NOT_FOUND")
    }
    const delivery = once(receiver, "delivery")
    await runJson(["lead", "qualify", "--org", "org_sample", "--property", first ?? "", "--deal-value", "5"], env)
    await delivery
    assert.lengthOf(received, 1)
    assert.include(received[0] ?? "", "bob sample")
    assert.notMatch(received[0] ?? "", adasName)
    assert.notMatch((await call("GET", `/leads/${first}`)).text, adasName)

    const items = await runJson(["suppress", "list"], env)
    assert.containSubset(items, { items: [{ kind: "contact", key: "ada" }, { kind: "owner" }] })
    assert.containSubset(await runJson(["suppress", "--contact", "ada"], env), { outcome: "unchanged", properties: 0 })
    await runJson(["suppress", "--contact", "ada", "--lift"], env)
    await runJson(["suppress", "--owner", "Ada Sample, Trust.", "--lift"], env)
    assert.strictEqual(await everything(), shown)

    // For good: nothing in the whole database tells of the person, and no import brings them back.
    const words = () => wordsIn(env["DATABASE_URL"] ?? "", "ada@|ada the manager|ada sample(?!,? trust)")
    const change = {
      key: "ada-promoted",
      kind: "contact_title_change",
      contactKey: "ada",
      before: { value: "ada the manager" },
      after: { value: "ada the director" },
      detectedAt: "2026-06-01T00:00:00Z",
      source: "research"
    }
    await runJson(["import", "changes", "-"], env, ndjson([change]))
    await Effect.runPromise(
      administer(
        Redacted.make(env["DATABASE_URL"] ?? ""),
        (sql) => sql`UPDATE delivery_log SET data = '{"contacts":[{"fullName":"Ada Sample"}]}'`
      )
    )
    assert.isAbove((await words()).length, 2)
    const unsure = await run(["contact", "erase", "ada"], env)
    assert.deepStrictEqual([unsure.code, unsure.stderr], [1, "freehold: say that it is meant: --confirm ada\n"])
    const reason = ["--confirm", "ada", "--reason", "asked by letter"]
    assert.deepStrictEqual(await runJson(["contact", "erase", "ada", ...reason], env), { erased: [ada] })
    assert.deepStrictEqual(await words(), [])
    assert.strictEqual((await call("GET", `/contacts/${ada}`)).status, 404)
    const back = await run(["import", "contacts", "-"], env, ndjson(contacts))
    assert.strictEqual(back.code, 1)
    assert.include(back.stderr, "this person was erased for good")
    assert.deepStrictEqual(await words(), [])
    assert.containSubset(await runJson(["log"], env), {
      items: [{ action: "contact.erased", reason: "asked by letter" }]
    })
    assert.containSubset(await runJson(["audit"], env), { ok: true })
  } finally {
    await server.stop()
    receiver.close()
    await drop()
  }
})

test("exactly one of contact, owner and property; nothing that is not there", async () => {
  const { drop, env } = await sampleDatabase()
  try {
    for (const args of [[], ["--contact", "a", "--owner", "b"]]) {
      const { code, stderr } = await run(["suppress", ...args], env)
      assert.strictEqual(code, 2, args.join(" "))
      assert.strictEqual(stderr, "freehold: Expected exactly one of --contact, --owner, --property\n")
    }
    const unknown = await run(["suppress", "--property", "nowhere"], env)
    assert.deepStrictEqual([unknown.code, unknown.stderr.trim()], [1, "freehold: there is no property nowhere"])
    const blank = await run(["suppress", "--owner", " . "], env)
    assert.strictEqual(blank.code, 1)
    const never = await run(["suppress", "--owner", "Nobody", "--lift"], env)
    assert.deepStrictEqual([never.code, never.stderr.trim()], [1, "freehold: owner \"Nobody\" is not suppressed"])
  } finally {
    await drop()
  }
})

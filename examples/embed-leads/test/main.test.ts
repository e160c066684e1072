/** The server as a person runs it: a process of its own over an empty PostgreSQL database, beside a billing system. */
import { assert, it } from "@effect/vitest"
import * as AuditorPg from "@freehold/adapters-pg/credit/AuditorPg"
import * as Database from "@freehold/adapters-pg/database/Database"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Auditor } from "@freehold/core/credit/Auditor"
import { property, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer, Redacted } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

const oakPlaza = property({
  id: "00000000-0000-4000-8000-000000000001",
  key: "36061-OAK",
  countyFips: "36061",
  research: {
    beneficialOwner: "Sample Family",
    beneficialOwnerType: "family_trust",
    managementCompany: null,
    aiRationale: "Made up.",
    researchedAt: "2026-01-02T03:04:05.678Z",
    tier: "Standard"
  }
})

/** A billing system whose every account stands as `standing` says; null: it fails. */
const billing = Effect.acquireRelease(
  Effect.promise(async () => {
    const system = { url: "", standing: "open" as "open" | "suspended" | null, asked: new Set<string | undefined>() }
    const server = createServer((request, response) => {
      system.asked.add(request.url)
      response.writeHead(system.standing === null ? 500 : 200).end(JSON.stringify({ standing: system.standing }))
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    system.url = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}/accounts`
    return { system, server }
  }),
  ({ server }) => Effect.promise(async () => void await server[Symbol.asyncDispose]())
).pipe(Effect.map(({ system }) => system))

/** The laws that something in the database breaks. */
const brokenLaws = Effect.gen(function*() {
  const auditor = yield* Auditor
  const laws = yield* auditor.audit
  return laws.filter(({ count }) => count > 0)
})

/** A running server until the scope closes. */
const serve = (databaseUrl: string, accounts: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [main, "--sample"], {
        env: { ...process.env, DATABASE_URL: databaseUrl, BILLING_ACCOUNTS: accounts, PORT: "0" },
        stdio: ["ignore", "pipe", "inherit"]
      })
      const closed = once(child, "close")
      let secret = ""
      for await (const line of createInterface({ input: child.stdout })) {
        secret = /^the sample key is (fhk_\S+)$/.exec(line)?.[1] ?? secret
        const url = /^listening on (\S+)$/.exec(line)?.[1]
        if (url !== undefined) return { child, closed, secret, url }
      }
      throw new Error(`the server ended with ${child.exitCode}`)
    }),
    ({ child, closed }) =>
      Effect.promise(async () => {
        child.kill("SIGTERM")
        await closed
      })
  )

it.live("unlocks, qualifies and delivers a lead, refuses without money, key or standing, and keeps the laws", () =>
  Effect.gen(function*() {
    const database = yield* TestDatabase.makeEmpty
    const accounts = yield* billing
    const { child, closed, secret, url } = yield* serve(Redacted.value(database), accounts.url)
    const stored = Layer.mergeAll(AuditorPg.layer, SeederPg.layer).pipe(
      Layer.provide(Database.layer({ url: database, maxConnections: 2 }))
    )
    const call = (method: string, path: string, key = secret) =>
      Effect.promise(async () => {
        const response = await fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${key}` } })
        return { status: response.status, body: JSON.parse(await response.text()) }
      })
    yield* Effect.provide(Seeder.use((seeder) => seeder.add({ properties: [oakPlaza] })), stored)

    assert.deepInclude(yield* call("GET", "/leads/36061-OAK"), { status: 403 })
    assert.deepStrictEqual(yield* call("POST", "/properties/36061-OAK/unlock"), {
      status: 200,
      body: { alreadyRevealed: false, creditsCharged: 10 }
    })
    assert.strictEqual((yield* call("POST", "/leads/36061-OAK?deal_value=1")).body.code, "DEAL_VALUE_REQUIRED")
    assert.deepInclude((yield* call("POST", "/leads/36061-OAK?deal_value=25000")).body, {
      property_id: oakPlaza.id,
      status: "qualified",
      first_time: true
    })
    assert.deepInclude((yield* call("GET", "/leads?cursor=nonsense")).body, {
      code: "INVALID_ARGUMENTS",
      issues: [{ field: "cursor", message: "Expected the next_cursor of an earlier page" }]
    })
    assert.deepInclude((yield* call("GET", "/leads")).body, { has_more: false })

    const { body: { bundle, ...billed } } = yield* call("GET", `/leads/${oakPlaza.id}`)
    assert.deepInclude(billed, { billed_via: "credit", credits_charged: 1 })
    assert.deepInclude(bundle, { service_property_id: oakPlaza.id, partial: false })
    assert.deepInclude(bundle.pipeline, { status: "qualified", deal_value: 25000 })
    assert.strictEqual((yield* call("GET", `/leads/${oakPlaza.id}`)).status, 200)
    assert.deepInclude(yield* call("GET", `/leads/${oakPlaza.id}`), { status: 402 })

    assert.strictEqual((yield* call("GET", "/leads", "fhk_nobody")).status, 401)
    assert.strictEqual((yield* call("GET", "/leads/%E0%A4")).status, 400)
    assert.strictEqual((yield* call("DELETE", "/leads")).status, 404)

    accounts.standing = "suspended"
    assert.deepInclude((yield* call("GET", "/leads")).body, { code: "ORG_SUSPENDED" })
    accounts.standing = null
    assert.deepInclude(yield* call("GET", "/leads"), { status: 503 })
    accounts.standing = "open"
    assert.strictEqual((yield* call("GET", "/leads")).status, 200)
    assert.deepStrictEqual([...accounts.asked], ["/accounts/sample_org"])

    assert.deepStrictEqual(yield* Effect.provide(brokenLaws, stored), [])

    child.kill("SIGTERM")
    yield* Effect.promise(() => closed)
    assert.strictEqual(child.exitCode, 0)
  }))

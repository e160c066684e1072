/** The server as a person runs it: a process of its own over an empty PostgreSQL database. */
import { assert, it } from "@effect/vitest"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

/** A running server until the scope closes. */
const serve = (databaseUrl: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [main, "--sample"], {
        env: { ...process.env, DATABASE_URL: databaseUrl, PORT: "0" },
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

const order = (url: string, parcel: string, secret: string | null) =>
  Effect.promise(async () => {
    const response = await fetch(`${url}/reports/${encodeURIComponent(parcel)}`, {
      method: "POST",
      headers: secret === null ? {} : { authorization: `Bearer ${secret}` }
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  })

it.live(
  "charges each report once, refuses without money or key, and keeps what was paid over a restart",
  () =>
    Effect.gen(function*() {
      const database = Redacted.value(yield* TestDatabase.makeEmpty)
      const { child, closed, secret, url } = yield* serve(database)
      const report = { parcel: "48001 / 1", usd: (yield* order(url, "48001 / 1", secret)).body.report.usd }
      assert.isNumber(report.usd)
      assert.deepStrictEqual(yield* order(url, "48001 / 1", secret), {
        status: 200,
        body: { report, alreadyPaid: true, creditsCharged: 0, entry: 2 }
      })

      const together = yield* Effect.all(Array.from({ length: 8 }, () => order(url, "48001-2", secret)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(together.filter(({ body }) => body.creditsCharged === 3).length, 1)
      for (const { body, status } of together) {
        if (status !== 200) assert.deepInclude({ status, ...body }, { status: 409, code: "ACTION_IN_PROGRESS" })
      }

      assert.deepStrictEqual(yield* order(url, "48001-3", secret), {
        status: 402,
        body: {
          error: "This costs 3 credits, and you have 1 credit; nothing was charged.",
          code: "INSUFFICIENT_CREDITS",
          required: 3,
          available: 1
        }
      })
      assert.strictEqual((yield* order(url, "48001-1", null)).status, 401)
      assert.strictEqual((yield* order(url, "\0", secret)).status, 400)

      child.kill("SIGTERM")
      yield* Effect.promise(() => closed)
      assert.strictEqual(child.exitCode, 0)

      const again = yield* serve(database)
      assert.strictEqual(again.secret, "")
      assert.strictEqual((yield* order(again.url, "48001 / 1", secret)).body.creditsCharged, 0)
    })
)

/** A database that answers and cannot write, as on a full disk: what callers and the operator are told, and what is left. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, run, serve } from "./Freehold.ts"
import { sampleDatabase, secret } from "./Sample.ts"

let env: Environment
let drop: () => Promise<void>

beforeAll(async () => {
  ;({ drop, env } = await sampleDatabase())
})

afterAll(() => drop())

const change = (statement: string) =>
  Effect.runPromise(administer(Redacted.make(env["DATABASE_URL"] ?? ""), (sql) => sql.unsafe(statement)))

/** From now on every write to the table fails as PostgreSQL's own do when the disk is full. */
const fill = (table: string) =>
  change(`CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION full_disk()`)

const free = (table: string) => change(`DROP TRIGGER full_disk ON ${table}`)

describe("a full disk", () => {
  it("is told to callers as 503 and to the operator in one line, and everything goes on once there is room", async () => {
    await change(`
      CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file "base/5/1": No space left on device' USING ERRCODE = '53100'; END $$`)
    const server = await serve(["--no-worker"], env)
    const call = async (path: string, body?: object) => {
      const answer = await fetch(`${server.url}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        ...body === undefined ? {} : { body: JSON.stringify(body) }
      })
      const told: ReturnType<typeof JSON.parse> = await answer.json()
      return answer.status === 200 ? 200 : `${answer.status} ${told.meta.code} ${answer.headers.get("retry-after")}`
    }
    const unlock = () => call("/properties/53903-SAMPLE1/unlock", {})

    await fill("property_access")
    for (let attempt = 1; attempt <= 5; attempt++) {
      assert.strictEqual(await unlock(), "503 TEMPORARILY_UNAVAILABLE 1")
      assert.strictEqual(await call("/me"), 200)
    }
    await free("property_access")
    assert.strictEqual(await unlock(), 200)

    await fill("credential_window")
    for (let attempt = 1; attempt <= 5; attempt++) {
      assert.strictEqual(await call("/me"), "503 rate_limit_unavailable 1")
    }
    await free("credential_window")
    assert.strictEqual(await call("/me"), 200)
    assert.strictEqual(await unlock(), 200)

    assert.strictEqual(await server.stop(), 0)
    const told = (await server.errors).trimEnd().split("\n")
    assert.strictEqual(told.length, 1)
    assert.include(told[0], "the database is away or cannot work (53100): could not extend file")
    const audit = await run(["audit"], env)
    assert.strictEqual(audit.code, 0, audit.stdout)
  })
})

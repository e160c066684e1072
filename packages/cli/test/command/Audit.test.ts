/** `freehold audit` from outside. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, run, runJson } from "../Freehold.ts"
import { emptyDatabase } from "../FreshDatabase.ts"
import { orgId, sampleDatabase } from "../Sample.ts"

let env: Environment
let drop: () => Promise<void>

beforeAll(async () => {
  ;({ drop, env } = await sampleDatabase())
  await runJson(["lead", "qualify", "--org", orgId, "--property", "53903-SAMPLE1", "--deal-value", "1000"], env)
})

afterAll(() => drop())

const change = (statement: string) =>
  Effect.runPromise(administer(Redacted.make(env["DATABASE_URL"] ?? ""), (sql) => sql.unsafe(statement)))

describe("freehold audit", () => {
  it("lists every law and exits 0 while all hold", async () => {
    const { code, stderr, stdout } = await run(["audit"], env)
    assert.strictEqual(code, 0, stderr)
    for (const law of ["L1", "L5", "L13", "deliveries"]) assert.match(stdout, new RegExp(`^${law} +0  `, "m"))
  })

  it("prints the records that break a law and exits 1, as a table and as JSON", async () => {
    await change("UPDATE credit_account SET included = included + 5")
    const broken = await run(["audit"], env)
    const asJson = await run(["audit", "--json"], env)
    await change("UPDATE credit_account SET included = included - 5")

    assert.strictEqual(broken.code, 1)
    assert.strictEqual(broken.stderr, "freehold: broken: L13 (1)\n")
    assert.match(broken.stdout, new RegExp(`^L13  ${orgId}  account  holds trial 0, included 105`, "m"))
    assert.strictEqual(asJson.code, 1)
    const { laws, ok } = JSON.parse(asJson.stdout)
    assert.isFalse(ok)
    const [first, ...rest] = laws.filter(({ violations }: { violations: ReadonlyArray<unknown> }) =>
      violations.length > 0
    )
    assert.deepStrictEqual(rest, [])
    assert.strictEqual(first.law, "L13")
    assert.strictEqual(first.count, 1)
    assert.strictEqual(first.violations[0].org_id, orgId)
    assert.deepInclude(await runJson(["audit"], env), { ok: true })
  })

  it("refuses a database that is not migrated", async () => {
    const empty = await emptyDatabase()
    const { code, stderr, stdout } = await run(["audit"], { ...env, DATABASE_URL: empty.url })
    await empty.drop()
    assert.strictEqual(code, 1)
    assert.include(stderr, "freehold migrate")
    assert.strictEqual(stdout, "")
  })
})

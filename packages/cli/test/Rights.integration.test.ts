/** A role of the database that lacks rights: the operator is told which, in a line, before anything is half done. */
import { administer, uniqueName } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { run } from "./Freehold.ts"
import { emptyDatabase, type FreshDatabase, migratedDatabase } from "./FreshDatabase.ts"
import { document } from "./Sample.ts"

const role = uniqueName()

const server = Redacted.make(inject("postgres").url)

const administered = (url: Redacted.Redacted, ...statements: ReadonlyArray<string>) =>
  Effect.runPromise(administer(url, (sql) => Effect.forEach(statements, (statement) => sql.unsafe(statement))))

const asRole = ({ url }: FreshDatabase) => {
  const named = new URL(url)
  named.username = role
  named.password = "made-up"
  return { DATABASE_URL: named.href }
}

let [empty, filled, importer]: Array<FreshDatabase | undefined> = []

beforeAll(async () => {
  await administered(server, `CREATE ROLE ${role} LOGIN PASSWORD 'made-up'`)
  empty = await emptyDatabase()
  filled = await migratedDatabase()
  await administered(
    Redacted.make(filled.url),
    `GRANT USAGE ON SCHEMA public TO ${role}`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`
  )
})

afterAll(async () => {
  await empty?.drop()
  await filled?.drop()
  await importer?.drop()
  await administered(server, `DROP ROLE ${role}`)
})

const given = (database: FreshDatabase | undefined): FreshDatabase => database ?? assert.fail("no database")

describe("a role that lacks rights", () => {
  it("is told why nothing can be migrated, by migrate and by the doctor", async () => {
    const env = asRole(given(empty))
    const { code, stderr } = await run(["migrate"], env)
    assert.deepStrictEqual([code, stderr], [1, "freehold: the database failed: permission denied for schema public\n"])
    const doctor = await run(["doctor"], env)
    assert.strictEqual(doctor.code, 1)
    assert.include(doctor.stdout, `the role ${role} may make no tables; connect as the owner of the database`)
  })

  it("that may only read is a fault for the doctor, and a line for whoever writes", async () => {
    const env = asRole(given(filled))
    const doctor = await run(["doctor"], env)
    assert.strictEqual(doctor.code, 1)
    assert.match(doctor.stdout, new RegExp(`the role ${role} may not write to \\d+ tables, such as \\w+; connect as`))
    const { code, stderr } = await run(["apply", "-"], env, JSON.stringify(document))
    assert.deepStrictEqual([code, stderr], [
      1,
      "freehold: the database failed: permission denied for table organization\n"
    ])
  })

  it("makes no cell, as a dry run tells before", async () => {
    importer = await migratedDatabase()
    assert.strictEqual((await run(["cell", "publish"], { DATABASE_URL: importer.url })).code, 0)
    const { code, stderr } = await run(["cell", "join", "nowhere", "--dry-run"], {
      ...asRole(given(filled)),
      FREEHOLD_IMPORTER_URL: importer.url
    })
    assert.strictEqual(code, 1)
    assert.include(stderr, `the role ${role} may make no subscription here; a superuser lets it: GRANT`)
  })
})

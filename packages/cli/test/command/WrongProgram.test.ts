/** A program that does not fit its database: an older one over a newer schema, and one with another encryption key. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { ConfigProvider, Effect, Redacted } from "effect"
import { Command } from "effect/cli"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { called, whole } from "../CommandTree.ts"
import { type Environment, run, runJson, serve } from "../Freehold.ts"
import { document, orgId, properties, sampleDatabase, secret } from "../Sample.ts"
import type { Told } from "../Told.ts"

let env: Environment
let drop: () => Promise<void>

const folder = mkdtempSync(join(tmpdir(), "freehold-wrong-program-"))
const tokenFile = join(folder, "token.txt")
writeFileSync(tokenFile, "made-up")

beforeAll(async () => {
  const sample = await sampleDatabase()
  ;({ drop } = sample)
  env = { ...sample.env, FREEHOLD_API_KEY: secret, FREEHOLD_WEBHOOK_TARGETS: "any" }
})

afterAll(() => {
  rmSync(folder, { recursive: true })
  return drop()
})

const change = (statement: string) =>
  Effect.runPromise(administer(Redacted.make(env["DATABASE_URL"] ?? ""), (sql) => sql.unsafe(statement)))

/** In processes of their own: what runs until it is stopped, reads standard input or a file, and some of the others. */
const started: ReadonlyArray<readonly [command: string, input: string]> = [
  ["serve --port 0", ""],
  ["migrate", ""],
  ["audit", ""],
  ["worker", ""],
  ["mcp", ""],
  ["apply -", JSON.stringify(document)],
  ["import properties -", JSON.stringify(properties[0])],
  [`search save --org ${orgId} --by ana@sample.example --name Offices -`, JSON.stringify({ limit: 10 })],
  [`crm add hubspot --org ${orgId} --credentials-file ${tokenFile} --stage qualified=new`, ""],
  [`key list --org ${orgId}`, ""],
  [`webhook list --org ${orgId}`, ""],
  ["webhook replace-key", ""]
]

/** What meets no database, or is there for one that is wrong. */
const exempt: Readonly<Record<string, string>> = {
  "cell front": "stands before the cells, and speaks with them alone",
  settings: "prints what is set",
  doctor: "says what is wrong, as below",
  "notice test": "sends a mail",
  "import fields": "prints what the program knows",
  schema: "prints what the program knows",
  "source catalogue": "prints what comes along with the program",
  "source try": "looks at a portal, and keeps nothing"
}

const isStarted = (name: string): boolean => started.some(([command]) => `${command} `.startsWith(`${name} `))

/** Every other command of the program by an example of its own, so that one that is added is tried by itself. */
const others = called.filter(({ name }) => !isStarted(name) && !(name in exempt))

it("spares only commands that there are", () => {
  assert.includeMembers(called.map(({ name }) => name), Object.keys(exempt))
})

/** Runs the command within this process, since a hundred processes take their time; answers what it is refused with. */
const refusalOf = (words: ReadonlyArray<string>) =>
  Command.runWith(whole, { version: "" })(words).pipe(
    Effect.flip,
    Effect.map((error) => error instanceof Error ? error.message : String(error)),
    Effect.provide([NodeServices.layer, ConfigProvider.layer(ConfigProvider.fromEnv({ env }))]),
    Effect.runPromise
  )

describe.each([
  {
    database: "of a newer program",
    begin: `
      WITH broke AS (INSERT INTO schema_break (migration_id, since) VALUES (9999, '9.9.9'))
      INSERT INTO freehold_migration (migration_id, name) VALUES (9999, 'later')`,
    end: `
      WITH broke AS (DELETE FROM schema_break)
      DELETE FROM freehold_migration WHERE migration_id = 9999`,
    refused: started,
    told: "the schema of the database is newer than this program; upgrade the program to 9.9.9 or later"
  },
  {
    database: "of a program before the first release",
    begin: "UPDATE freehold_migration SET name = 'schema' WHERE migration_id = 1",
    end: "UPDATE freehold_migration SET name = 'baseline' WHERE migration_id = 1",
    // The others ask the same question.
    refused: started.slice(0, 3),
    told: "the database was made by a program of no release (it ran 0001_schema where this program has 0001_baseline), "
      + "and no migration leads from its schema to this one; start with an empty database, and import again"
  }
])("a database $database", ({ begin, end, refused, told }) => {
  beforeAll(() => change(begin))
  afterAll(() => change(end))

  it.concurrent.each(refused)("is refused, and what to do is said: %s", async (command, input) => {
    const { code, stderr } = await run(command.split(" "), env, input)
    assert.strictEqual(code, 1)
    assert.strictEqual(stderr, `freehold: ${told}\n`)
  })

  it.concurrent.each(others)("is refused by every other command: $name", async ({ name, words }) => {
    assert.isNotNull(words, `no example of ${name} runs without a shell or a file: name it above`)
    assert.strictEqual(await refusalOf(words), told)
  })

  it("is told by doctor", async () => {
    const { code, stdout } = await run(["doctor"], env)
    assert.strictEqual(code, 1)
    assert.include(stdout.replaceAll(/ +/g, " "), `fault schema ${told}\n`)
  })
})

describe("another encryption key", () => {
  const other = (): Environment => ({ ...env, FREEHOLD_ENCRYPTION_KEY: Buffer.alloc(32, 2).toString("base64") })
  const told =
    /^freehold: the encryption key in FREEHOLD_ENCRYPTION_KEY is wrong: it is not the key .+ replace-key --help\n$/

  const endpoint = async (): Promise<string> => {
    const server = await serve(["--no-worker"], env)
    const answer = await fetch(`${server.url}/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({ url: "http://127.0.0.1:1/" })
    })
    await server.stop()
    const told: ReturnType<typeof JSON.parse> = await answer.json()
    return told.data.endpoint.id
  }

  it.each([["serve --port 0"], ["worker"], ["mcp"], [`webhook list --org ${orgId}`]])(
    "than the first one is refused: %s",
    async (command) => {
      await runJson(["webhook", "list", "--org", orgId], env)
      const { code, stderr } = await run(command.split(" "), other())
      assert.strictEqual(code, 1)
      assert.match(stderr, told)
    }
  )

  it("than that of the stored secrets is refused where no start has kept a proof yet", async () => {
    await endpoint()
    await change("DELETE FROM key_proof")
    assert.match((await run(["worker"], other())).stderr, told)
    await runJson(["webhook", "list", "--org", orgId], env)
  })

  it("takes the place of one that is lost, and ends what it cannot sign", async () => {
    const id = await endpoint()
    assert.deepStrictEqual(await runJson(["webhook", "replace-key"], other()), { deleted: [id], tokens_deleted: [] })
    const { items } = await runJson(["webhook", "list", "--org", orgId], other()) as Told
    assert.deepStrictEqual(items.map(({ disabledReason }) => disabledReason), ["deleted"])
    assert.match((await run(["worker"], env)).stderr, told)
    assert.deepStrictEqual(await runJson(["webhook", "replace-key"], env), { deleted: [], tokens_deleted: [] })
  })
})

/** `freehold doctor` from outside: a line for each check, and what it says when something is wrong. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { generateKeyPairSync } from "node:crypto"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { freeSpace } from "../../src/Doctor.ts"
import { type Environment, hoursAhead, run, runJson, serve } from "../Freehold.ts"
import { emptyDatabase } from "../FreshDatabase.ts"
import { orgId, sampleDatabase } from "../Sample.ts"

let env: Environment
let drop: () => Promise<void>
let folder: string

beforeAll(async () => {
  const sample = await sampleDatabase()
  folder = await mkdtemp(join(tmpdir(), "freehold-doctor-"))
  ;({ drop } = sample)
  env = { ...sample.env, FREEHOLD_DATA_DIR: folder }
})

afterAll(async () => {
  await drop()
  await rm(folder, { recursive: true })
})

const change = (statement: string) =>
  Effect.runPromise(administer(Redacted.make(env["DATABASE_URL"] ?? ""), (sql) => sql.unsafe(statement)))

/** On the server's own database, since the other one may refuse it. */
const administerAnyway = (statement: string) =>
  Effect.runPromise(administer(Redacted.make(inject("postgres").url), (sql) => sql.unsafe(statement)))

const otherKey = Buffer.alloc(32, 2).toString("base64")

interface Finding {
  readonly check: string
  readonly outcome: string
  readonly detail: string
}

const examine = async (given: Environment) => {
  const { code, stderr, stdout } = await run(["doctor", "--json"], given)
  const { checks, ok }: { readonly checks: ReadonlyArray<Finding>; readonly ok: boolean } = JSON.parse(stdout)
  assert.strictEqual(code, ok ? 0 : 1, stderr)
  return {
    checks,
    ok,
    faults: checks.filter(({ outcome }) => outcome === "fault").map(({ check, detail }) => `${check}: ${detail}`)
  }
}

const everyCheck = [
  "settings",
  "data directory",
  "database",
  "connections",
  "tuning",
  "storage",
  "schema",
  "clock",
  "encryption key",
  "worker",
  "keys",
  "history",
  "monthly grants",
  "ledger"
]

describe("freehold doctor", () => {
  it("adds up the connections that a server may take, and says when the database has too few", async () => {
    const enough = await examine(env)
    assert.match(
      enough.checks.find(({ check }) => check === "connections")?.detail ?? "",
      /^a server takes at most 55 with its workers, a command 14; of \d+ \(max_connections\) \d+ are reserved/
    )
    const { faults } = await examine({ ...env, FREEHOLD_WORKERS: "3", FREEHOLD_DATABASE_POOLS: "ledger=500,reads=2" })
    assert.lengthOf(faults, 1)
    assert.match(faults[0] ?? "", /^connections: a server of 3 processes takes at most 1587 .*: too few; raise/)
  })

  it("advises what fits the machine of the database, with the statement, and finds no fault in it", async () => {
    const advised = async (machine: string) => {
      const { checks, ok } = await examine({ ...env, FREEHOLD_DATABASE_MACHINE: machine })
      assert.isTrue(ok)
      return checks.flatMap(({ check, detail, outcome }) => check === "tuning" && outcome === "advice" ? [detail] : [])
    }
    const large = await advised("memory=64GB,processors=16,disk=2TB")
    assert.match(
      large.find((detail) => detail.startsWith("shared_buffers")) ?? "",
      /^shared_buffers is \d+MB, where 16GB fits 64\.0 GB of memory, 16 processors, a disk of 2048\.0 GB: .+; ALTER SYSTEM SET shared_buffers = '16GB', and restart PostgreSQL$/
    )
    assert.isFalse((await advised("processors=2")).some((detail) => detail.startsWith("shared_buffers")))
  })

  it("tells a machine whose clock is wrong, by the command and by a server alike", async () => {
    const shifted = { ...env, ...hoursAhead(1) }
    const told = /^this machine is \d+\.\d s ahead of the database$/
    const clockOf = (checks: ReadonlyArray<Finding>) => checks.find(({ check }) => check === "clock")?.detail ?? ""
    assert.match(clockOf((await examine(shifted)).checks), told)

    // A server goes by the database's clock, and the machine's is as wrong.
    const server = await serve(["--no-worker"], shifted)
    const { origin } = new URL(server.url)
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      fetch(`${origin}/console/operator/${path}`, {
        method: "POST",
        headers: { origin, "content-type": "application/json", ...headers },
        body: JSON.stringify(body)
      })
    const { url }: { readonly url: string } = JSON.parse((await run(["operator", "link", "--json"], env)).stdout)
    const { headers } = await post("sign-in", { link: new URL(url).hash.slice(1) })
    const health = await post("operator_get_health", {}, { cookie: headers.get("set-cookie")?.split(";")[0] ?? "" })
    const { data }: { readonly data: { readonly findings: ReadonlyArray<Finding> } } = JSON.parse(await health.text())
    assert.match(clockOf(data.findings), told)
    assert.strictEqual(await server.stop(), 0)
  })

  it("lets no cell that was restored or promoted go on receiving unnoticed", async () => {
    const subscription = "freehold_cell_restored"
    // As pg_restore makes it: disabled, without tables, and with the slot of the cell that was lost.
    await change(`
      CREATE SUBSCRIPTION ${subscription} CONNECTION 'host=127.0.0.1 port=1' PUBLICATION freehold
      WITH (connect = false, slot_name = '${subscription}')`)
    try {
      const { faults } = await examine(env)
      assert.deepStrictEqual(faults.map((fault) => /^cell: the cell \w+ was restored/.exec(fault)?.[0]), [
        "cell: the cell restored was restored"
      ])

      // As a standby of it has it that was promoted.
      await change(`ALTER SUBSCRIPTION ${subscription} ENABLE`)
      await change("INSERT INTO cell_timeline (timeline) VALUES ('000000AA')")
      const [promoted] = (await examine(env)).faults
      assert.match(promoted ?? "", /^cell: the server of the cell restored was promoted .* --nothing-lost/)
    } finally {
      await change("DELETE FROM cell_timeline")
      await change(`ALTER SUBSCRIPTION ${subscription} DISABLE`)
      await change(`ALTER SUBSCRIPTION ${subscription} SET (slot_name = NONE)`)
      await change(`DROP SUBSCRIPTION ${subscription}`)
    }
  })

  it("names a database whose locale knows no letters beyond A to Z", async () => {
    const url = new URL(inject("postgres").url)
    const name = `freehold_c_${process.pid}`
    await administerAnyway(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER libc LOCALE 'C'`
    )
    try {
      url.pathname = `/${name}`
      const { faults } = await examine({ ...env, DATABASE_URL: url.href })
      assert.match(faults[0] ?? "", /^database: its locale knows no letters beyond A to Z/)
    } finally {
      await administerAnyway(`DROP DATABASE ${name} WITH (FORCE)`)
    }
  })

  it("prints a line for each check and exits 0 when all is well", async () => {
    const { code, stderr, stdout } = await run(["doctor"], env)
    assert.strictEqual(code, 0, stdout + stderr)
    assert.strictEqual(stderr, "")
    // How the server is set is not up to these tests, and what does not fit has a line each.
    const lines = stdout.trimEnd().split("\n").filter((line) => !/^(ok|advice) +tuning /.test(line))
    const others = everyCheck.filter((check) => check !== "tuning")
    assert.strictEqual(lines.length, others.length)
    for (const [index, check] of others.entries()) assert.match(lines[index] ?? "", new RegExp(`^ok +${check} `))
    assert.deepStrictEqual([...new Set((await examine(env)).checks.map(({ check }) => check))], everyCheck)
  })

  it("names every setting that does not parse, and never its secret", async () => {
    const { checks, faults } = await examine({
      ...env,
      PORT: "many",
      FREEHOLD_ENCRYPTION_KEY: "too-short-to-be-shown",
      FREEHOLD_FEED_DELAY: "soon"
    })
    assert.deepStrictEqual(faults.map((fault) => /^settings: (\w+)/.exec(fault)?.[1]).toSorted(), [
      "FREEHOLD_ENCRYPTION_KEY",
      "FREEHOLD_FEED_DELAY",
      "PORT"
    ])
    assert.notInclude(JSON.stringify(checks), "too-short-to-be-shown")
    assert.isTrue(checks.every(({ outcome }) => outcome !== "ok"))
  })

  it("says that the database cannot be reached, and skips what needs it", async () => {
    const { checks, faults } = await examine({ ...env, DATABASE_URL: "postgres://nobody:hidden@127.0.0.1:1/none" })
    assert.strictEqual(faults.length, 1)
    assert.match(faults[0] ?? "", /^database: the database cannot be reached/)
    assert.notInclude(JSON.stringify(checks), "hidden")
    assert.strictEqual(checks.filter(({ outcome }) => outcome === "skipped").length, 11)
  })

  it("says that the schema is missing", async () => {
    const empty = await emptyDatabase()
    const { checks, faults } = await examine({ ...env, DATABASE_URL: empty.url })
    await empty.drop()
    assert.strictEqual(faults.length, 1)
    assert.match(faults[0] ?? "", /^schema: .*freehold migrate$/)
    assert.deepStrictEqual(
      checks.filter(({ outcome }) => outcome === "skipped").map(({ check }) => check),
      ["encryption key", "worker", "keys", "history", "monthly grants", "ledger"]
    )
  })

  it("says which keys of the authorization server verify nothing", async () => {
    const rsa = (modulusLength: number) =>
      generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ format: "jwk" })
    const weak = { ...rsa(512), kid: "weak" }
    let keys: ReadonlyArray<object> = [weak, { ...rsa(2048), kid: "good" }]
    const issuer = createServer(({ url }, response) =>
      response.end(JSON.stringify(url === "/keys" ? { keys } : { issuer: at, jwks_uri: `${at}/keys` }))
    ).listen(0, "127.0.0.1")
    await once(issuer, "listening")
    const at = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`
    const { checks } = await examine({ ...env, OAUTH_ISSUER: at })
    assert.deepInclude(checks.at(-1), { check: "sign-in", outcome: "advice" })
    assert.match(checks.at(-1)?.detail ?? "", /verify nothing here: weak has 512 bits, and RSA needs 2048$/)
    keys = [weak]
    const { faults } = await examine({ ...env, OAUTH_ISSUER: at })
    issuer.close()
    assert.lengthOf(faults, 1)
    assert.match(faults[0] ?? "", /^sign-in: .* no key that verifies signatures here: weak has 512 bits/)
  })

  it("makes no database where there is none", async () => {
    const missing = join(folder, "nothing-here")
    const { DATABASE_URL: _, ...embedded } = env
    const { faults } = await examine({ ...embedded, FREEHOLD_DATA_DIR: missing })
    assert.strictEqual(faults.length, 2)
    assert.isTrue(faults.every((fault) => fault.endsWith("freehold migrate")))
    assert.isFalse(existsSync(missing))
  })

  it("says which file of the data directory others can read", async () => {
    const file = join(folder, "encryption-key")
    await writeFile(file, "made up")
    await chmod(file, 0o644)
    const { faults } = await examine(env)
    await rm(file)
    assert.deepStrictEqual(faults, [`data directory: others can read ${file}; run: chmod 600`])
  })

  it("asks for an encryption key, and says that another one is not that of the database, and which secrets are damaged", async () => {
    const { FREEHOLD_ENCRYPTION_KEY: _, ...keyless } = env
    const asked = await examine(keyless)
    assert.strictEqual(asked.faults.length, 1)
    assert.match(asked.faults[0] ?? "", /^encryption key: FREEHOLD_ENCRYPTION_KEY must be set/)

    await runJson(["webhook", "list", "--org", orgId], env)
    const { faults: [other, ...more] } = await examine({ ...env, FREEHOLD_ENCRYPTION_KEY: otherKey })
    assert.deepStrictEqual(more, [])
    assert.match(other ?? "", /^encryption key: it is not the key that this database was first used with/)

    const earlier = env["FREEHOLD_ENCRYPTION_KEY"] ?? ""
    const both = { ...env, FREEHOLD_ENCRYPTION_KEY: otherKey, FREEHOLD_ENCRYPTION_KEY_PREVIOUS: earlier }
    const taking = await examine(both)
    assert.deepStrictEqual(taking.faults, [])
    assert.include(
      taking.checks.find(({ check }) => check === "encryption key")?.detail,
      "takes the place of FREEHOLD_ENCRYPTION_KEY_PREVIOUS"
    )
    const alone = await examine({ ...keyless, FREEHOLD_ENCRYPTION_KEY_PREVIOUS: earlier })
    assert.match(
      alone.faults[0] ?? "",
      /^settings: FREEHOLD_ENCRYPTION_KEY must be set when FREEHOLD_ENCRYPTION_KEY_PREVIOUS is/
    )

    const id = "00000000-0000-4000-8000-000000000001"
    await change(`
      INSERT INTO webhook_endpoint (org_id, id, url, target_key, events, created_via, secret_sealed)
      VALUES ('${orgId}', '${id}', 'https://sample.example', 'sample', '{}', 'api', '\\x01')`)
    const { faults } = await examine(env)
    await change("DELETE FROM webhook_endpoint")
    assert.deepStrictEqual(faults, [`encryption key: 1 of 1 signing secrets do not open with it: endpoint ${id}`])
  })

  it("says that the database cannot write", async () => {
    const name = new URL(env["DATABASE_URL"] ?? "").pathname.slice(1)
    await change(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`)
    const { faults } = await examine(env)
    await administerAnyway(`ALTER DATABASE "${name}" RESET default_transaction_read_only`)
    assert.deepStrictEqual(faults, [
      "storage: the database cannot write: cannot execute CREATE TABLE AS in a read-only transaction"
    ])
  })

  it("says that the disk of an embedded database has little room", () => {
    assert.deepStrictEqual(freeSpace("/data", { bavail: 100_000, bsize: 4096 }), {
      check: "data directory",
      outcome: "fault",
      detail: "/data is on a disk with 0.4 GB free; without room the database stops"
    })
    assert.deepStrictEqual(freeSpace("/data", { bavail: 10_000_000, bsize: 4096 }), {
      check: "data directory",
      outcome: "ok",
      detail: "/data, 41.0 GB free"
    })
  })

  it("says for how long work has been waiting", async () => {
    await change("ALTER TABLE event DISABLE TRIGGER event_order")
    await change(`
      INSERT INTO event (org_id, id, type, by_agent, occurred_at, created_at)
      VALUES ('${orgId}', gen_random_uuid(), 'signal.sale', false, now(), now() - interval '2 hours')`)
    const { faults } = await examine(env)
    await change("DELETE FROM event")
    assert.strictEqual(faults.length, 1)
    assert.match(faults[0] ?? "", /^worker: the oldest due event waits for 720\d\.\d s; is a worker running\?$/)
  })

  it("says which allotment grants nothing, and whose grant of the month is missing", async () => {
    const setting = (given: object) =>
      change(`UPDATE organization SET profile = profile || '${JSON.stringify(given)}' WHERE org_id = '${orgId}'`)
    await setting({ monthly_credit_allotment: 40 })
    const { checks, faults: none } = await examine(env)
    assert.deepStrictEqual(none, [])
    assert.include(
      checks.find(({ check }) => check === "monthly grants")?.detail,
      `the monthly_credit_allotment of ${orgId} grants no credits without "monthly_grant": true`
    )
    await setting({ monthly_grant: true })
    const { faults } = await examine(env)
    await setting({ monthly_credit_allotment: 0 })
    // In the first minute of a month it is not late.
    if (faults.length > 0) {
      assert.deepStrictEqual(faults, [
        `monthly grants: this month's is not granted to ${orgId}; is a server or a worker running?`
      ])
    }
  })

  it("says that a balance does not follow from its entries", async () => {
    await change("UPDATE credit_account SET purchased = purchased + 1")
    const { faults } = await examine(env)
    const text = await run(["doctor"], env)
    await change("UPDATE credit_account SET purchased = purchased - 1")
    assert.strictEqual(faults.length, 1)
    assert.match(faults[0] ?? "", /^ledger: L13 is broken 1 times/)
    assert.strictEqual(text.code, 1)
    assert.strictEqual(text.stderr, "freehold: found a fault\n")
    assert.match(text.stdout, /^fault +ledger +L13/m)
  })
})

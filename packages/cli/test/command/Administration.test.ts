/** The operator's commands over one database: organizations, keys, credits, leads. */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, hoursAhead, run, runJson } from "../Freehold.ts"
import { document, orgId, sampleDatabase, secret } from "../Sample.ts"
import type { Told } from "../Told.ts"

let env: Environment
let drop: () => Promise<void>

beforeAll(async () => {
  ;({ drop, env } = await sampleDatabase())
})

afterAll(() => drop())

const json = async (...args: ReadonlyArray<string>): Promise<Told> => await runJson(args, env) as Told

const apply = async (given: unknown): Promise<Told> => await runJson(["apply", "-"], env, JSON.stringify(given)) as Told

describe("freehold apply", () => {
  it("changes nothing and shows no secret when it is repeated", async () => {
    const [organization] = (await apply(document)).organizations
    assert.strictEqual(organization?.outcome, "unchanged")
    assert.strictEqual(organization?.keys[0]?.outcome, "unchanged")
    assert.notProperty(organization?.keys[0], "secret")
  })

  it("shows the secret of a key that it made, once", async () => {
    const given = { organizations: [{ org_id: "org_other", keys: [{ name: "new", scopes: ["account:read"] }] }] }
    const [first] = (await apply(given)).organizations
    assert.strictEqual(first?.outcome, "created")
    assert.match(first?.keys[0]?.secret ?? "", /^fhk_[\w-]{43}$/)
    const [second] = (await apply(given)).organizations
    assert.notProperty(second?.keys[0], "secret")
  })

  it("tells with --dry-run what it would change and cut off, in words, and changes nothing", async () => {
    const before = await json("org", "show", orgId)
    const next = JSON.stringify({ organizations: [{ org_id: orgId, plan: "team", requests_per_minute: 7 }] })
    const { code, stderr, stdout } = await run(["apply", "-", "--dry-run"], env, next)
    assert.strictEqual(code, 0, stderr)
    assert.match(stdout, /^ {2}plan: enterprise -> team$/m)
    assert.match(stdout, /^ {2}requests_per_minute: none -> 7$/m)
    assert.match(
      stdout,
      /^ {2}warning: key sample cannot use data:read, data:unlock, mcp: the plan is team, enterprise is needed$/m
    )
    assert.match(stdout, /Nothing was changed: this was a dry run\.$/m)
    assert.deepStrictEqual(await json("org", "show", orgId), before)
  })

  it("takes the example of the documents", async () => {
    const file = fileURLToPath(new URL("../../../../examples/apply/organizations.json", import.meta.url))
    assert.strictEqual((await run(["apply", file, "--dry-run"], env)).code, 0)
    assert.strictEqual((await json("apply", file)).organizations[0]?.outcome, "created")
    const again = (await json("apply", file)).organizations[0]
    assert.deepInclude(again, { outcome: "unchanged", changes: [] })
  })

  it("names the path of every fault and applies nothing", async () => {
    const given = { organizations: [{ org_id: "org_faulty", plan: "gold", colour: "blue" }] }
    const { code, stderr, stdout } = await run(["apply", "-"], env, JSON.stringify(given))
    assert.strictEqual(code, 1)
    assert.include(stderr, "organizations.0.plan")
    assert.include(stderr, "organizations.0.colour: Unknown key")
    const mistyped = JSON.stringify({
      organizations: [{ org_id: "org_faulty", servicable_area: {}, keys: [{ nam: "a" }] }]
    })
    const second = await run(["apply", "-"], env, mistyped)
    assert.include(second.stderr, "servicable_area: Unknown key; did you mean serviceable_area?")
    assert.include(second.stderr, "organizations.0.keys.0.nam: Unknown key; did you mean name?")
    assert.strictEqual(stdout, "")
    assert.strictEqual((await run(["org", "show", "org_faulty"], env)).code, 1)
  })

  it("refuses a grant that would be over when it is made, and names it", async () => {
    const grants = [{ ref: "2019", bucket: "included", amount: 10, expires_at: "2020-01-01T00:00:00Z" }]
    const given = JSON.stringify({ organizations: [{ org_id: "org_over", grants }] })
    const stderr = "freehold: organizations.0.grants.0.expires_at: Expected a time that is still to come "
      + "(INVALID_ARGUMENTS)\n"
    for (const how of [["--dry-run"], []]) {
      assert.deepStrictEqual(await run(["apply", "-", ...how], env, given), { code: 1, stdout: "", stderr })
    }
    assert.strictEqual((await run(["org", "show", "org_over"], env)).code, 1)
  })

  it("CREDENTIAL_LIMIT_REACHED: makes nothing for an organization that would have an eleventh active key", async () => {
    const keys = Array.from({ length: 11 }, (_, index) => ({ name: `key ${index}`, scopes: ["mcp"] }))
    const applied = (count: number) =>
      run(["apply", "-"], env, JSON.stringify({ organizations: [{ org_id: "org_keys", keys: keys.slice(-count) }] }))
    const refusal = "freehold: org_keys can have 10 active keys; revoke one first. (CREDENTIAL_LIMIT_REACHED)\n"
    assert.deepInclude(await applied(11), { code: 1, stdout: "", stderr: refusal })
    assert.strictEqual((await run(["org", "show", "org_keys"], env)).code, 1)
    assert.strictEqual((await applied(10)).code, 0)
    const oneMore = JSON.stringify({ organizations: [{ org_id: "org_keys", keys: [{ name: "one more" }] }] })
    assert.deepInclude(await run(["apply", "-"], env, oneMore), { code: 1, stdout: "", stderr: refusal })
    assert.lengthOf((await json("key", "list", "--org", "org_keys")).items, 10)
  })

  it("keeps and prints what it did before an organization that is refused, with the new secrets", async () => {
    const second = (key: object) => ({
      organizations: [
        { org_id: "org_first", keys: [{ name: "ci", scopes: ["mcp"] }] },
        { org_id: "org_second", keys: [{ name: "ci", ...key }] },
        { org_id: "org_third" }
      ]
    })
    const given = JSON.stringify(second({ expires_at: "2020-01-01T00:00:00Z" }))
    const stderr = "freehold: organizations.1.keys.0.expires_at: Expected a time that is still to come "
      + "(INVALID_ARGUMENTS)\n"
    const tried = await run(["apply", "-", "--dry-run", "--json"], env, given)
    assert.deepInclude(tried, { code: 1, stderr })
    assert.containSubset(JSON.parse(tried.stdout), { dry_run: true, organizations: [{ org_id: "org_first" }] })
    assert.strictEqual((await run(["org", "show", "org_first"], env)).code, 1)

    const refused = await run(["apply", "-", "--json"], env, given)
    assert.deepInclude(refused, { code: 1, stderr })
    const { organizations: [first, ...others] }: Told = JSON.parse(refused.stdout)
    assert.deepStrictEqual(others, [])
    assert.match(first?.keys[0]?.secret ?? "", /^fhk_[\w-]{43}$/)
    assert.lengthOf((await json("key", "list", "--org", "org_first")).items, 1)
    const actions = async (org: string) => (await json("log", "--org", org)).items.map(({ action }) => action)
    assert.deepStrictEqual(await actions("org_first"), ["org.applied"])
    assert.deepStrictEqual(await actions("org_second"), [])
    for (const org of ["org_second", "org_third"]) assert.strictEqual((await run(["org", "show", org], env)).code, 1)

    const repeated = (await apply(second({}))).organizations
    assert.deepStrictEqual(repeated.map(({ outcome }) => outcome), ["unchanged", "created", "created"])
  })

  it("says why a text on standard input cannot be applied", async () => {
    const { code, stderr } = await run(["apply", "-"], env, "{")
    assert.strictEqual(code, 1)
    assert.match(stderr, /^freehold: - is not JSON: .+\n$/)
    const latin = Buffer.from(JSON.stringify({ organizations: [{ org_id: "la", name: "Stra\u00dfe" }] }), "latin1")
    const refused = await run(["apply", "-"], env, latin)
    assert.deepStrictEqual([refused.code, refused.stderr], [1, "freehold: - is not UTF-8\n"])
  })

  it.each([
    [["apply", "no-such.json"], "no-such.json cannot be read: there is no such file or folder"],
    [["apply", "/"], "/ cannot be read: it is a directory"],
    [["import", "contacts", "no-such.ndjson"], "no-such.ndjson: cannot be read: there is no such file or folder"],
    [["org", "export", orgId, "--to", "/no-such/file"], "cannot write /no-such/file: there is no such file or folder"]
  ])("says in words why a file cannot be read or written: %j", async (args, said) => {
    assert.deepStrictEqual(await run(args, env), { code: 1, stdout: "", stderr: `freehold: ${said}\n` })
  })
})

describe("freehold cell", () => {
  it.each([
    [["cell", "join", "west"], "FREEHOLD_IMPORTER_URL must be set to the database of the importing installation"],
    [["cell", "leave"], "FREEHOLD_IMPORTER_URL must be set to the database of the importing installation"],
    [["cell", "move", orgId, "--to", "west"], "FREEHOLD_TARGET_URL must be set to the database of the cell to move to"]
  ])("exits 2 where the address of the other database is missing: %j", async (args, said) => {
    assert.deepStrictEqual(await run(args, env), { code: 2, stdout: "", stderr: `freehold: ${said}\n` })
  })
})

describe("freehold key", () => {
  it("makes, lists, limits, widens and revokes a key", async () => {
    const made = await json(
      "key",
      "create",
      "--org",
      orgId,
      "--name",
      "ci",
      "--scopes",
      "data:read,mcp",
      "--daily-limit",
      "contact_reveal=5"
    )
    assert.match(made.secret, /^fhk_[\w-]{43}$/)
    assert.deepStrictEqual(made.scopes, ["data:read", "mcp"])
    assert.strictEqual(made.label, `ci ${made.secret.slice(0, 12)}`)

    const { items } = await json("key", "list", "--org", orgId)
    assert.includeDeepMembers(items.map((key) => [key.name, key.status]), [["sample", "active"], ["ci", "active"]])
    assert.notInclude(JSON.stringify(items), made.secret)

    const limited = await json("key", "set-limit", made.credential_id, "contact_reveal=none", "lead_export=0")
    assert.deepStrictEqual(limited.daily_limits, { contact_reveal: null, lead_export: 0 })

    const widened = await json("key", "allow", made.credential_id, "pipeline:transitions_full")
    assert.deepStrictEqual(widened.scopes, ["data:read", "mcp", "pipeline:transitions_full"])

    assert.strictEqual((await json("key", "revoke", made.credential_id)).status, "revoked")
  })

  it.each([
    ["revoke", "nonsense"],
    ["revoke", "00000000-0000-4000-8000-000000000000"],
    ["allow", "00000000-0000-4000-8000-000000000000", "pipeline:transitions_full"]
  ])("exits 1 for an unknown key: key %s %s", async (...args) => {
    const { code, stderr } = await run(["key", ...args], env)
    assert.strictEqual(code, 1)
    assert.strictEqual(stderr, `freehold: there is no key ${args[1]}\n`)
  })
})

describe("freehold key, over time", () => {
  it("rotates with an overlap, sets an end and lifts it, and shows both", async () => {
    const made = await json("key", "create", "--org", orgId, "--name", "rotated", "--scopes", "data:read")
    const rotated = await json("key", "rotate", made.credential_id, "--overlap", "48h", "--reason", "it was in a log")
    assert.match(rotated.secret, /^fhk_[\w-]{43}$/)
    assert.notStrictEqual(rotated.secret, made.secret)
    assert.strictEqual(rotated.credential_id, made.credential_id)
    assert.isAbove(Date.parse(String(rotated.previous_until)), Date.now() + 47 * 3_600_000)

    for (const overlap of ["-3 hours", "40000 days", "a day"]) {
      const { code, stderr } = await run(["key", "rotate", made.credential_id, `--overlap=${overlap}`], env)
      assert.strictEqual(code, 2, overlap)
      assert.include(stderr, "a duration of at most 36500 days")
    }
    assert.strictEqual(
      (await json("key", "expire", made.credential_id, "never")).previous_until,
      rotated.previous_until
    )

    const end = "2099-01-01T00:00:00.000Z"
    assert.strictEqual((await json("key", "expire", made.credential_id, end)).expires_at, end)
    assert.include((await run(["org", "show", orgId], env)).stdout, "rotated (expires 2099-01-01)")
    assert.isNull((await json("key", "expire", made.credential_id, "never")).expires_at)
    const past = await run(["key", "expire", made.credential_id, "2020-01-01T00:00:00Z"], env)
    assert.strictEqual(past.code, 1)
    assert.include(past.stderr, "freehold: time: Expected a time that is still to come")

    const soon = new Date(Date.now() + 86_400_000).toISOString()
    const short = await json(
      "key",
      "create",
      "--org",
      orgId,
      "--name",
      "short",
      "--scopes",
      "data:read",
      "--expires",
      soon
    )
    assert.include((await run(["doctor"], env)).stdout, `${short.label} of ${orgId} on ${soon.slice(0, 10)}`)
    for (const id of [made.credential_id, short.credential_id]) await json("key", "revoke", id)
    assert.include((await run(["key", "rotate", made.credential_id], env)).stderr, "freehold: id: This key is revoked")
  })
})

describe("freehold log", () => {
  it("tells who did what and why, page by page, also of an organization that is gone", async () => {
    await apply({ organizations: [{ org_id: "org_logged", grants: [{ ref: "a", bucket: "included", amount: 1 }] }] })
    await json("org", "suspend", "org_logged", "--as", "ana", "--reason", "an unpaid invoice")
    await runJson(["org", "resume", "org_logged"], { ...env, FREEHOLD_OPERATOR: "bo" })
    await json("org", "delete", "org_logged", "--no-export", "--confirm", "org_logged", "--as", "ana")
    const lines = async (...args: ReadonlyArray<string>) => {
      const found = await json("log", "--org", "org_logged", ...args)
      return found.items.map(({ action, actor, reason }) => [action, actor, reason])
    }
    const all = await lines()
    assert.deepStrictEqual(all.slice(0, 4), [
      ["org.deleted", "ana", null],
      ["org.closed", "ana", null],
      ["org.resumed", "bo", null],
      ["org.suspended", "ana", "an unpaid invoice"]
    ])
    assert.strictEqual(all[4]?.[0], "org.applied")
    const first = await json("log", "--org", "org_logged", "--limit", "1")
    assert.deepStrictEqual(await lines("--after", String(first.next_cursor)), all.slice(1))
    assert.include((await run(["log", "--org", "org_logged"], env)).stdout, "an unpaid invoice")
  })
})

describe("the log of an organization's admins", () => {
  /** The lines that stand in an organization's own log, the oldest first. */
  const entries = async (organization: string): Promise<ReadonlyArray<Told>> => {
    const { stdout } = await run(["org", "export", organization], env)
    return stdout.split("\n").filter((line) => line.includes("administration_log")).flatMap((line) => {
      const { row, table }: { readonly row: Told; readonly table: string } = JSON.parse(line)
      return table === "administration_log" ? [row] : []
    })
  }

  it("tells what a command did to it, before and after, and nothing of what changed nothing", async () => {
    const given = (name: string) => ({
      organizations: [{
        org_id: "org_told",
        name,
        members: [{ email: "ana@told.example", name: "Ana Told (made up)", role: "admin" }]
      }]
    })
    await apply(given("Told Roofing (made up)"))
    for (const name of ["Told Roofs (made up)", "Told Roofs (made up)"]) await apply(given(name))
    for (const status of ["suspend", "suspend", "resume"]) await json("org", status, "org_told", "--as", "bo")
    const grant = ["credits", "grant", "--org", "org_told", "--bucket", "included", "--amount", "7", "--ref", "told"]
    for (const args of [grant, grant]) await json(...args)
    const made = await json("key", "create", "--org", "org_told", "--name", "told", "--scopes", "data:read")
    for (
      const args of [
        ["set-limit", made.credential_id, "contact_reveal=5"],
        ["set-limit", made.credential_id, "contact_reveal=5"],
        ["allow", made.credential_id, "pipeline:transitions_full"],
        ["expire", made.credential_id, "2099-01-01T00:00:00Z"],
        ["rotate", made.credential_id],
        ["revoke", made.credential_id],
        ["revoke", made.credential_id]
      ]
    ) await json("key", ...args)
    await json("member", "link", "--org", "org_told", "--email", "ana@told.example")

    const told = await entries("org_told")
    assert.deepStrictEqual(told.map(({ action }) => action), [
      "org.applied",
      "org.applied",
      "org.suspended",
      "org.resumed",
      "credits.granted",
      "key.created",
      "key.changed",
      "key.changed",
      "key.changed",
      "key.rotated",
      "key.revoked",
      "member.link_issued"
    ])
    assert.containSubset(told[1], {
      after: { outcome: "changed", changes: ["name: Told Roofing (made up) -> Told Roofs (made up)"] }
    })
    assert.containSubset(told[2], {
      actor: { kind: "operator", name: "bo" },
      subject_name: "Told Roofs (made up)",
      before: { status: "active" },
      after: { status: "suspended" }
    })
    assert.containSubset(told[4], { before: { credits: 0 }, after: { credits: 7, amount: 7, ref: "told" } })
    assert.containSubset(told[6], { before: { contact_reveal: null }, after: { contact_reveal: 5 } })
    assert.containSubset(told[10], { before: { status: "active" }, after: { status: "revoked" } })
    assert.notInclude(JSON.stringify(told), made.secret)

    const { items } = await json("log", "--org", "org_told", "--limit", "100")
    assert.lengthOf(items, told.length)
    assert.containSubset(items.at(-3), { action: "org.suspended", before: { status: "active" } })
  })
})

describe("freehold org export and delete", () => {
  it("takes everything along and removes it, once it is told twice", async () => {
    await apply({
      organizations: [{
        org_id: "org_leaving",
        keys: [{ name: "sample", scopes: ["data:read"] }],
        members: [{ email: "ana@leaving.example", name: "Ana Leaving", role: "admin", seat: true }],
        grants: [{ ref: "a", bucket: "included", amount: 1 }]
      }]
    })
    const folder = await mkdtemp(join(tmpdir(), "freehold-export-"))
    const file = join(folder, "org_leaving.ndjson")
    const refused = async (...args: ReadonlyArray<string>) =>
      (await run(["org", "delete", "org_leaving", ...args], env)).code
    assert.strictEqual(await refused("--confirm", "org_leaving"), 2)
    assert.strictEqual(await refused("--no-export"), 1)
    assert.strictEqual(await refused("--no-export", "--confirm", "org_other"), 1)
    // What closes it writes a line of its log, which is exported as well.
    await json("org", "close", "org_leaving")
    const dry = await json("org", "delete", "org_leaving", "--dry-run")
    assert.containSubset(dry.rows, { organization: 1, credential: 1, member: 1, credit_entry: 1 })

    const { stdout } = await run(["org", "export", "org_leaving"], env)
    assert.deepStrictEqual(
      await json("org", "delete", "org_leaving", "--export", file, "--confirm", "org_leaving"),
      { ...dry, dry_run: false } as Told
    )
    assert.strictEqual(await readFile(file, "utf8"), stdout)
    const lines = stdout.trimEnd().split("\n")
    assert.include(lines[0], "\"export\":\"org_leaving\"")
    assert.include(lines.at(-1), "\"end\":\"org_leaving\"")
    assert.include(stdout, "Ana Leaving")
    assert.strictEqual((await run(["org", "show", "org_leaving"], env)).code, 1)
    assert.strictEqual((await run(["audit"], env)).code, 0)
    await rm(folder, { recursive: true })
  })
})

/** For a process that can open files, and write nothing into them. */
const fullDisk = (): Environment => {
  const full = `import { open } from "node:fs/promises"
    const file = await open(${JSON.stringify(fileURLToPath(import.meta.url))})
    Object.getPrototypeOf(file).appendFile = async () => { throw Object.assign(new Error("full"), { code: "ENOSPC" }) }
    await file.close()`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(full)}` }
}

it("says of an organization whose export failed that it is closed, in the logs as well, and lets it be resumed", async () => {
  await apply({ organizations: [{ org_id: "org_unwritten", plan: "enterprise" }] })
  const folder = await mkdtemp(join(tmpdir(), "freehold-export-"))
  const deleting = (file: string) => ["org", "delete", "org_unwritten", "--export", file, "--confirm", "org_unwritten"]
  const [first, second] = [join(folder, "first.ndjson"), join(folder, "second.ndjson")]
  const closed = "org_unwritten is closed;"
  for (
    const [file, told] of [
      [first, `${closed} if its export fails, \`freehold org resume org_unwritten\` opens it again`],
      [second, `${closed} it was closed before`]
    ] as const
  ) {
    assert.deepStrictEqual(await run([...deleting(file), "--as", "bo"], { ...env, ...fullDisk() }), {
      code: 1,
      stdout: "",
      stderr: `${told}\nfreehold: cannot write ${file}: the disk is full\n`
    })
  }
  const { items } = await json("log", "--org", "org_unwritten")
  assert.deepStrictEqual(items.map(({ action }) => action), ["org.closed", "org.applied"])
  assert.containSubset(items[0], { actor: "bo", before: { status: "active" }, after: { status: "closed" } })
  assert.strictEqual((await json("org", "resume", "org_unwritten")).status, "active")
  await json(...deleting(join(folder, "third.ndjson")))
  await rm(folder, { recursive: true })
})

describe("freehold credits", () => {
  it("books by the database's time, so that a machine a day ahead ends no grant that stands (R11)", async () => {
    await apply({ organizations: [{ org_id: "org_booked" }] })
    const grant = (
      ref: string
    ) => ["credits", "grant", "--org", "org_booked", "--bucket", "included", "--amount", "5", "--ref", ref]
    await json(...grant("standing"), "--expires", new Date(Date.now() + 43_200_000).toISOString())
    await runJson(grant("later"), { ...env, ...hoursAhead(24) })
    const { entries } = await json("credits", "ledger", "--org", "org_booked")
    assert.deepStrictEqual(entries.map((entry: Told) => [entry.kind, entry.ref, entry.balance_after]), [
      ["grant", "standing", 5],
      ["grant", "later", 10]
    ])
  })

  it("grants once for each reference and shows the ledger", async () => {
    const grant = ["credits", "grant", "--org", orgId, "--bucket", "purchased", "--amount", "50", "--ref", "invoice-1"]
    const first = await json(...grant)
    assert.deepStrictEqual([first.outcome, first.kind, first.ref, first.credits], ["created", "grant", "invoice-1", 50])
    assert.strictEqual(first.actor.kind, "operator")
    const again = await json(...grant)
    assert.deepStrictEqual(again, { ...first, outcome: "unchanged" })
    const over = ["--expires", "2020-01-01T00:00:00Z"]
    const late = await run([...grant.slice(0, -1), "invoice-0", ...over], env)
    assert.deepStrictEqual(late, {
      code: 1,
      stdout: "",
      stderr: "freehold: expires_at: Expected a time that is still to come (INVALID_ARGUMENTS)\n"
    })
    assert.strictEqual((await json(...grant, ...over)).outcome, "unchanged")

    const { credit_balance } = await json("credits", "show", "--org", orgId)
    assert.deepStrictEqual(credit_balance, { total: 150, included: 100, purchased: 50, trial: 0, enterprise_pool: 0 })

    const ledger = await json("credits", "ledger", "--org", orgId)
    assert.deepStrictEqual(ledger.entries.map((entry) => [entry.entry, entry.balance_after]), [[1, 100], [2, 150]])
    assert.isNull(ledger.next_cursor)
    const page = await json("credits", "ledger", "--org", orgId, "--limit", "1")
    assert.strictEqual(page.next_cursor, "1")
  })

  it("refunds nothing but a charge", async () => {
    const { code, stderr } = await run(["credits", "refund", "--org", orgId, "--entry", "1", "--reason", "test"], env)
    assert.strictEqual(code, 1)
    assert.match(stderr, /^freehold: entry: .+\n$/)
  })
})

describe("freehold org", () => {
  it("shows a document that apply takes back and that changes nothing, without secrets", async () => {
    const shown = await json("org", "show", orgId)
    assert.containSubset(shown.organizations, [{
      name: "Sample Roofing (made up)",
      serviceable_area: { county_fips: ["53903"] }
    }])
    assert.notInclude(JSON.stringify(shown), secret)
    const { credit_balance, usage } = await json("credits", "show", "--org", orgId)
    assert.containSubset(shown, { credit_balance, usage })
    const [applied] = (await apply(shown)).organizations
    assert.deepInclude(applied, { outcome: "unchanged", changes: [] })
    assert.deepStrictEqual(await json("org", "show", orgId), shown)
    const { stdout } = await run(["org", "show", orgId], env)
    assert.match(stdout, /^exports +0 of 10 since /m)
  })

  it("lists every organization", async () => {
    const { items } = await json("org", "list")
    const expected = { org_id: orgId, name: "Sample Roofing (made up)", plan: "enterprise", status: "active" }
    assert.containSubset(items, [expected])
  })

  it("suspends, resumes and closes", async () => {
    assert.deepStrictEqual<unknown>(await json("org", "suspend", orgId), { org_id: orgId, status: "suspended" })
    assert.deepStrictEqual<unknown>(await json("org", "resume", orgId), { org_id: orgId, status: "active" })
    await apply({ organizations: [{ org_id: "org_gone" }] })
    assert.deepStrictEqual<unknown>(await json("org", "close", "org_gone"), { org_id: "org_gone", status: "closed" })
  })

  it.each([
    [["org", "show", "org_nobody"]],
    [["org", "suspend", "org_nobody"]],
    [["key", "list", "--org", "org_nobody"]],
    [["credits", "show", "--org", "org_nobody"]],
    [["lead", "list", "--org", "org_nobody"]],
    [["webhook", "list", "--org", "org_nobody"]]
  ])("exits 1 with a sentence for an unknown organization: %j", async (args) => {
    const { code, stderr } = await run(args, env)
    assert.strictEqual(code, 1)
    assert.strictEqual(stderr, "freehold: there is no organization org_nobody\n")
  })
})

describe("freehold lead", () => {
  it("qualifies a property once, by a member", async () => {
    const qualify = ["lead", "qualify", "--org", orgId, "--property", "53903-SAMPLE1", "--deal-value", "2500", "--by"]
    const first = await json(...qualify, "ANA@sample.example")
    assert.deepStrictEqual([first.status, first.deal_value, first.first_time], ["qualified", 2500, true])
    const again = await json(...qualify, "ana@sample.example")
    assert.deepStrictEqual([again.first_time, again.event_id], [false, null])
    const told = await run([...qualify, "ana@sample.example"], env)
    assert.match(told.stdout, /^The property was a lead already: no lead\.qualified event is sent\.$/m)
    const other = await run(qualify.map((word) => word === "2500" ? "3000" : word).concat("ana@sample.example"), env)
    assert.strictEqual(other.code, 1)
    assert.include(other.stderr, "qualified")

    const { items } = await json("lead", "list", "--org", orgId)
    assert.includeDeepMembers(items.map((lead) => [lead.property_key, lead.status]), [["53903-SAMPLE1", "qualified"]])
  })

  it.each([
    [["--property", "53903-SAMPLE2", "--deal-value", "1"], "deal value"],
    [["--property", "53903-NONE", "--deal-value", "2"], ""],
    [["--property", "53903-SAMPLE2", "--deal-value", "2", "--by", "eve@sample.example"], "eve@sample.example"]
  ])("refuses %j", async (args, named) => {
    const { code, stderr } = await run(["lead", "qualify", "--org", orgId, ...args], env)
    assert.strictEqual(code, 1)
    assert.match(stderr, /^freehold: .+\n$/)
    assert.include(stderr, named)
  })
})

describe("freehold lead, once qualified", () => {
  const lead = (
    command: string,
    ...args: ReadonlyArray<string>
  ) => ["lead", command, "--org", orgId, "--property", "53903-SAMPLE3", ...args]

  it("moves, disqualifies and shows a lead with its history", async () => {
    await json(...lead("qualify", "--deal-value", "300"))
    const moved = await json(...lead("move", "--to", "lost", "--loss-reason", "price", "--note", "far off"))
    assert.deepStrictEqual([moved.previous_status, moved.status, moved.deal_value], ["qualified", "lost", 300])
    await json(...lead("move", "--to", "attempted_contact", "--deal-value", "400"))
    await json(...lead("disqualify", "--reason", "too_small", "--by", "ana@sample.example"))

    await json(...lead("assign", "--to", "ana@sample.example"))
    const shown = await json(...lead("show"))
    assert.deepStrictEqual(
      [shown.status, shown.deal_value, shown.owner_name, shown.disqualified_reason],
      ["disqualified", 400, "Ana Sample", "too_small"]
    )
    assert.deepStrictEqual(
      shown.history.map((move) => [move.from, move.to, move.reason_code, move.note, move.by_agent]),
      [
        [null, "qualified", null, null, false],
        ["qualified", "lost", "price", "far off", false],
        ["lost", "attempted_contact", null, null, false],
        ["attempted_contact", "disqualified", "too_small", null, false]
      ]
    )
    const { code, stdout } = await run(lead("show"), env)
    assert.strictEqual(code, 0)
    assert.match(stdout, /owner_name +Ana Sample\n/)
    assert.match(stdout, /\nAT +FROM +TO +DEAL_VALUE/)

    for (
      const [refused, named] of [
        [lead("disqualify", "--reason", "other"), "already disqualified"],
        [lead("move", "--to", "won"), "cannot go from disqualified to won"]
      ] as const
    ) {
      const { code, stderr } = await run(refused, env)
      assert.strictEqual(code, 1)
      assert.include(stderr, named)
    }
  })

  it("has nothing to show of a property that is no lead", async () => {
    const { code, stderr } = await run(["lead", "show", "--org", orgId, "--property", "53903-SAMPLE2"], env)
    assert.strictEqual(code, 1)
    assert.include(stderr, "not in your organization's pipeline")
  })
})

describe("freehold webhook", () => {
  it("lists endpoints, and refuses one that is not there", async () => {
    assert.deepStrictEqual<unknown>(await json("webhook", "list", "--org", orgId), { items: [] })
    const { code, stderr } = await run(["webhook", "deliveries", "00000000-0000-4000-8000-000000000000"], env)
    assert.strictEqual(code, 1)
    assert.match(stderr, /^freehold: there is no webhook endpoint .+\n$/)
  })
})

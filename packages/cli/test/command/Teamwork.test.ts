/** What members do through commands: notes, tasks and lists, and what bundles show of it. */
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { Effect, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Environment, run, runJson, serve } from "../Freehold.ts"
import { document, orgId, properties, sampleDatabase, secret } from "../Sample.ts"

let env: Environment
let drop: () => Promise<void>

const members = [
  { email: "ana@sample.example", name: "Ana Sample", role: "admin" },
  { email: "ben@sample.example", name: "Ben Sample", role: "member" },
  { email: "rae@sample.example", name: "Rae Sample", role: "read_only" },
  // Sees nothing of the sample.
  { email: "far@sample.example", name: "Far Sample", role: "member", territory: { county_fips: ["48113"] } },
  { email: "gone@sample.example", name: "Gone Sample", role: "member", seat: false }
]

beforeAll(async () => {
  ;({ drop, env } = await sampleDatabase())
  const [organization] = document.organizations
  await runJson(["apply", "-"], env, JSON.stringify({ organizations: [{ ...organization, members }] }))
})

afterAll(() => drop())

/** Of any shape: what it has is what is asserted. */
type Told = ReturnType<typeof JSON.parse>

const property = properties[0]?.key ?? ""

const json = async (...args: ReadonlyArray<string>): Promise<Told> => await runJson([...args, "--org", orgId], env)

const refused = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { code, stderr, stdout } = await run([...args, "--org", orgId], env)
  assert.deepStrictEqual([code, stdout], [1, ""])
  return stderr
}

describe("freehold task and lead", () => {
  it("give nothing to a member who does not see the property, or has no seat", async () => {
    // One that no other test takes up.
    const own = properties[1]?.key ?? ""
    const ofProperty = ["--property", own, "--by", "ana@sample.example"]
    await json("lead", "qualify", ...ofProperty, "--deal-value", "25000")
    for (
      const [email, why] of [["far", /outside of this member's territory/], [
        "gone",
        /no such member with a seat/
      ]] as const
    ) {
      const who = `${email}@sample.example`
      assert.match(await refused("task", "add", ...ofProperty, "--title", "Call", "--assignee", who), why)
      assert.match(await refused("lead", "assign", ...ofProperty, "--to", who), why)
    }
    assert.deepStrictEqual((await json("task", "list", "--property", own)).items, [])
    assert.strictEqual((await json("lead", "show", "--property", own)).owner_name, "Ana Sample")
  })
})

describe("freehold note and task", () => {
  it("write what a bundle then shows", async () => {
    const note = await json("note", "add", "--property", property, "--by", "ANA@sample.example", "Roof leaks")
    assert.deepInclude(note, { content: "Roof leaks", author: "Ana Sample" })
    assert.deepStrictEqual((await json("note", "list", "--property", property)).items, [note])

    const make = ["task", "add", "--property", property, "--by", "ana@sample.example"]
    const details = ["--type", "call", "--due", "2026-12-01", "--assignee", "ben@sample.example"]
    const task = await json(...make, "--title", "Call the manager", ...details)
    assert.deepInclude(task, {
      property_id: note.property_id,
      type: "call",
      status: "open",
      due_at: "2026-12-01T00:00:00.000Z",
      assignee_name: "Ben Sample",
      completed_at: null
    })
    const other = await json(...make, "--title", "Later")
    assert.strictEqual((await json("task", "cancel", other.id)).status, "cancelled")
    const done = await json("task", "done", task.id)
    assert.strictEqual(done.status, "done")
    assert.isString(done.completed_at)
    assert.deepStrictEqual(await json("task", "done", task.id), done)
    assert.match(await refused("task", "cancel", task.id), /done already/)
    const listed = async (...more: ReadonlyArray<string>) =>
      (await json("task", "list", ...more)).items.map(({ id }: Told) => id)
    assert.deepStrictEqual(
      await Promise.all([listed(), listed("--status", "done", "--property", property), listed("--status", "open")]),
      [[other.id, task.id], [task.id], []]
    )

    const server = await serve([], env)
    const tool = async (name: string, input: object): Promise<Told> => {
      const response = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } })
      })
      const { result }: Told = await response.json()
      return result.structuredContent
    }
    try {
      await tool("service_reveal_property", { id: property })
      const { bundle } = await tool("service_get_lead_bundle", { property_id: note.property_id })
      const { property_id: _, ...shown } = note
      assert.deepStrictEqual(bundle.notes, [{ ...shown, user_content: true }])
      assert.strictEqual(bundle.notes_digest, `${note.created_at.slice(0, 10)} Ana Sample: Roof leaks`)
      assert.deepStrictEqual(bundle.actions.map(({ id, status, user_content }: Told) => [id, status, user_content]), [
        [other.id, "cancelled", true],
        [task.id, "done", true]
      ])
      assert.strictEqual(bundle.actions_digest, "[cancelled] Later\n[done] Call the manager, due 2026-12-01")
    } finally {
      assert.strictEqual(await server.stop(), 0)
    }
  })

  it("say what does not fit", async () => {
    const note = ["note", "add", "--property", property, "--by"]
    const task = ["task", "add", "--property", property, "--by", "ana@sample.example", "--title", "a"]
    await Promise.all(([
      [/no active member eve@sample.example/, [...note, "eve@sample.example", "a"]],
      [/read/, [...note, "rae@sample.example", "a"]],
      [/blank/, [...note, "ana@sample.example", " "]],
      [/No such property/, ["note", "list", "--property", "none"]],
      [/due: /, [...task, "--due", "2026-02-30"]],
      [/no such task/, ["task", "done", "made-up"]]
    ] as const).map(async ([sentence, args]) => assert.match(await refused(...args), sentence)))
  })
})

describe("freehold list", () => {
  it("makes, lists and shows lists, members' private ones included", async () => {
    const create = ["list", "create", "--type", "properties", "--by"]
    const own = await json(...create, "ana@sample.example", "--name", "Roofs")
    assert.deepInclude(own, { list_name: "Roofs", visibility: "private", owner_name: "Ana Sample", item_count: 0 })
    const share = ["--visibility", "shared", "--share-with", "ben@sample.example"]
    const shared = await json(...create, "ana@sample.example", "--name", "Ours", ...share)
    assert.strictEqual(shared.visibility, "shared")
    assert.deepStrictEqual((await json("list", "list", "--type", "properties")).items, [shared, own])
    assert.deepStrictEqual(await json("list", "show", own.id), { list: own, items: [] })
    await Promise.all(([
      [/name exists/, [...create, "ana@sample.example", "--name", "ROOFS"]],
      [/--share-with/, [...create, "ana@sample.example", "--name", "a", "--visibility", "shared"]],
      [/No such list/, ["list", "show", "made-up"]]
    ] as const).map(async ([sentence, args]) => assert.match(await refused(...args), sentence)))
  })
})

describe("freehold search", () => {
  it("saves, lists and deletes a member's searches", async () => {
    const search = { filters: { countyFips: ["53903"] }, sortBy: "city" }
    const save = async (name: string, given: unknown) =>
      await run(
        ["search", "save", "-", "--org", orgId, "--by", "ana@sample.example", "--name", name, "--json"],
        env,
        JSON.stringify(given)
      )
    const made: Told = JSON.parse((await save("North", search)).stdout)
    assert.deepInclude(made, { name: "North", owner_name: "Ana Sample", search })
    const [taken, wrong, other, listed] = await Promise.all([
      save("NORTH", search),
      save("South", { filters: { countyFips: ["53903"], colour: "red" } }),
      refused("search", "delete", made.id, "--by", "ben@sample.example"),
      json("search", "list", "--by", "ana@sample.example")
    ])
    assert.deepStrictEqual([taken.code, wrong.code], [1, 1])
    assert.match(taken.stderr, /name exists/)
    assert.match(wrong.stderr, /filters.colour/)
    assert.match(other, /no such saved search/)
    assert.deepStrictEqual(listed.items, [made])
    assert.isTrue((await json("search", "delete", made.id, "--by", "ana@sample.example")).deleted)
    assert.deepStrictEqual((await json("search", "list")).items, [])
  })

  it("lists all searches of an organization, which are more than one member may have", async () => {
    const told = await Effect.runPromise(administer(
      Redacted.make(env["DATABASE_URL"] ?? ""),
      (sql) =>
        sql<{ readonly id: string }>`
        INSERT INTO saved_search (org_id, id, owner_id, owner_name, name, name_key, search, created_at)
        SELECT m.org_id, gen_random_uuid(), m.member_id, m.name, 'Search ' || n, 'search ' || n, '{}', to_timestamp(n % 7)
        FROM member m, generate_series(1, 300) n
        WHERE m.org_id = ${orgId} AND m.email IN ('ana@sample.example', 'ben@sample.example')
        RETURNING id`
    ))
    const ids = (await json("search", "list")).items.map(({ id }: Told) => id)
    assert.lengthOf(ids, 600)
    assert.sameMembers(ids, told.map(({ id }) => id))
  })
})

describe("freehold request", () => {
  it("shows what an organization asked for until it is closed", async () => {
    const server = await serve([], env)
    try {
      await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "service_request_support", arguments: { subject: "Search", message: "Nothing is found" } }
        })
      })
    } finally {
      assert.strictEqual(await server.stop(), 0)
    }
    const { items: [request] }: Told = await json("request", "list", "--status", "open")
    assert.deepInclude(request, { org_id: orgId, kind: "support", subject: "Search", message: "Nothing is found" })
    const closed: Told = await runJson(["request", "close", request.id, "--answer", "The index was away"], env)
    assert.deepInclude(closed, { status: "closed", answer: "The index was away" })
    const late = await run(["request", "close", request.id], env)
    assert.deepStrictEqual(
      [late.code, late.stderr],
      [1, "freehold: it was closed before, with the answer: The index was away\n"]
    )
    const listed = await run(["request", "list"], env)
    assert.include(listed.stdout, "Search: Nothing is found; answered: The index was away")
    assert.deepStrictEqual((await json("request", "list", "--status", "open")).items, [])
    assert.strictEqual((await run(["request", "close", "made-up"], env)).code, 1)
  })
})

/**
 * What is asked while a property is merged away, by every operation that writes, spends or counts: a call that looked before
 * the merge and writes after it answers like one that came after, or what it did is the survivor's.
 */
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import { administer } from "@freehold/adapters-pg/testing/TestDatabase"
import { type AppOperation, appOperations } from "@freehold/core/catalogue/AppCatalogue"
import { type CatalogueOperation, operations } from "@freehold/core/catalogue/Catalogue"
import { contact, firm, property, type Seed, Seeder, tie } from "@freehold/core/testing/Seed"
import { type Route, routes } from "@freehold/http-host/Routes"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { recordId } from "../../src/import/RecordId.ts"
import { signedIn } from "../cells/CellPeople.ts"
import { type Environment, run, runJson, serve, type Server } from "../Freehold.ts"
import { migratedDatabase } from "../FreshDatabase.ts"
import { document, environmentOf, orgId, secret } from "../Sample.ts"
import { requestOf } from "../tools/RestTwin.ts"
import { caller, holding, toolCaller, until, waiting } from "../TwoCustomers.ts"

type Operation = CatalogueOperation | AppOperation
type Name = Operation["name"]

const all: ReadonlyArray<Operation> = [...operations, ...appOperations]

/** Of any shape: what it has is what is used. */
type Told = ReturnType<typeof JSON.parse>

interface Answer {
  readonly status: number
  /** Of a refusal; null: it was done. */
  readonly code: string | null
  readonly told: Told
}

/** A property that is merged away, and who is there and nowhere else. */
interface Place {
  readonly key: string
  readonly id: string
  readonly contact: string
  readonly firm: string
}

const placeOf = (name: string): Place => {
  const key = `53903-${name}`
  return {
    key,
    id: recordId("properties", key),
    contact: recordId("contacts", key),
    firm: recordId("firms", key)
  }
}

const heir = placeOf("heir").id
const other = { orgId: "org_external", secret: `fhk_${"e".repeat(43)}` }

let env: Environment
let url: Redacted.Redacted
let drop: () => Promise<void>
let server: Server
let session: string

const inApp = async (name: Name, input: object): Promise<Answer> => {
  const { origin, port } = new URL(server.url)
  const answer = await fetch(`${origin}/console/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin, cookie: `freehold-${port}=${session}` },
    body: JSON.stringify(input)
  })
  const { data, refusal }: Told = await answer.json()
  return { status: answer.status, code: refusal?.code ?? null, told: refusal ?? data }
}

const overRest = async (name: Name, input: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> => {
  const route = routes.find((each: Route) => each.operation.name === name)
  assert.isDefined(route, name)
  const { body: json, method, path } = requestOf(route, { ...input })
  const bearer = name === "service_write_back_status" ? other.secret : secret
  const { body, status } = await caller(server, bearer)(method, path, { json, headers })
  return { status, code: body.meta?.code ?? null, told: body.data ?? body.meta }
}

/** In the app, where it is offered there. */
const ask = (name: Name, input: object): Promise<Answer> =>
  all.some((each) => each.name === name && each.access.app === "nobody") ? overRest(name, input) : inApp(name, input)

/** What must be done; answers what is told. */
const must = async (name: Name, input: object): Promise<Told> => {
  const { code, told } = await ask(name, input)
  assert.isNull(code, name)
  return told
}

const unlock = ({ id }: Place) => must("service_reveal_property", { id })
const qualify = ({ id }: Place) => must("service_qualify_lead", { property_id: id, deal_value: 5000 })

const newTask = ({ id }: Place) => ({
  property_id: id,
  title: "Call",
  description: null,
  type: "call",
  due: null,
  assignee_id: null
})
const newNote = ({ id }: Place) => ({ property_id: id, content: "A note (made up)." })

const taskOf = async (place: Place): Promise<string> => (await must("app_add_task", newTask(place))).id
const noteOf = async (place: Place): Promise<string> => (await must("service_add_note", newNote(place))).id
const emptyList = async ({ key }: Place): Promise<string> =>
  (await must("service_create_list", { list_name: key, list_type: "properties" })).list.id
const listOf = async (place: Place): Promise<string> => {
  const id = await emptyList(place)
  await must("service_add_to_list", { list_id: id, item_ids: [place.id] })
  return id
}

/** By a worker that is there for no longer. */
const strategyOf = async ({ contact, id }: Place) => {
  const { run_id } = await must("service_deep_research_contact", { contact_id: contact, property_id: id })
  const working = await serve([], env)
  await until(() => must("service_get_research_status", { run_id }), (told) => told.finished_at !== null)
  await working.stop()
}

const byId = ({ id }: Place) => ({ id })
const byProperty = ({ id }: Place) => ({ property_id: id })
const byContact = ({ contact }: Place) => ({ id: contact })

interface Asked {
  /** The answer of a call that is overtaken. Whoever read a lead that has moved is told to read it again. */
  readonly answer: "PROPERTY_RETIRED" | "CHANGED_IN_FLIGHT" | "EMPTY_SELECTION" | null
  /** Of what is told of something that may be done in part. */
  readonly told?: object
  /** Puts there what is needed before the merge; answers the arguments. */
  readonly prepare: (place: Place) => object | Promise<object>
}

const after = (first: (place: Place) => Promise<unknown>, input: (place: Place) => object) => async (place: Place) => {
  await first(place)
  return input(place)
}

/** A call of each, about a place. */
const asked: Partial<Readonly<Record<Name, Asked>>> = {
  service_draft_email: {
    answer: null,
    prepare: after(
      (place) => unlock(place).then(() => strategyOf(place)),
      ({ contact, id }) => ({ contact_id: contact, property_id: id })
    )
  },
  service_get_property: { answer: "PROPERTY_RETIRED", prepare: after(unlock, byId) },
  service_get_property_record: { answer: "PROPERTY_RETIRED", prepare: after(unlock, byId) },
  service_get_lead_bundle: { answer: "PROPERTY_RETIRED", prepare: after(unlock, byProperty) },
  service_reveal_property: { answer: "PROPERTY_RETIRED", prepare: byId },
  service_reveal_contact: { answer: null, prepare: byContact },
  service_research_property: { answer: "PROPERTY_RETIRED", prepare: byId },
  service_research_properties: {
    answer: "EMPTY_SELECTION",
    prepare: ({ id }) => ({ property_ids: [id], maxCredits: 10 })
  },
  service_research_contact: { answer: null, prepare: after(unlock, byContact) },
  service_research_organization: { answer: null, prepare: ({ firm }) => ({ id: firm }) },
  service_find_email: { answer: null, prepare: after(unlock, ({ contact }) => ({ contact_id: contact })) },
  service_deep_research_contact: {
    answer: null,
    prepare: after(unlock, ({ contact, id }) => ({ contact_id: contact, property_id: id }))
  },
  service_qualify_lead: { answer: "PROPERTY_RETIRED", prepare: ({ id }) => ({ property_id: id, deal_value: 5000 }) },
  service_disqualify_lead: {
    answer: "CHANGED_IN_FLIGHT",
    prepare: after(qualify, ({ id }) => ({ property_id: id, reason_code: "not_a_fit" }))
  },
  service_update_lead_status: {
    answer: "CHANGED_IN_FLIGHT",
    prepare: after(qualify, ({ id }) => ({ property_id: id, status: "won", deal_value: 5000 }))
  },
  service_write_back_status: {
    answer: "CHANGED_IN_FLIGHT",
    prepare: after(
      ({ id }) => toolCaller(server, other.secret)("service_qualify_lead", { property_id: id, deal_value: 5000 }),
      ({ id }) => ({ property_id: id, status: "won" })
    )
  },
  service_sync_customer_accounts: {
    answer: null,
    told: { synced_count: 0, error_count: 1, results: [{ error: (error: string) => error.includes(heir) }] },
    prepare: ({ id }) => ({ accounts: [{ property_id: id, status: "active" }] })
  },
  service_add_to_list: {
    answer: null,
    prepare: async (place) => ({ list_id: await emptyList(place), item_ids: [place.id] })
  },
  service_remove_from_list: {
    answer: null,
    prepare: async (place) => ({ list_id: await listOf(place), item_ids: [place.id] })
  },
  service_add_note: { answer: "PROPERTY_RETIRED", prepare: newNote },
  app_edit_note: { answer: null, prepare: async (place) => ({ id: await noteOf(place), content: "Another." }) },
  app_delete_note: { answer: null, prepare: async (place) => ({ id: await noteOf(place) }) },
  app_move_lead: {
    answer: "CHANGED_IN_FLIGHT",
    prepare: after(qualify, ({ id }) => ({ property_id: id, version: 1, status: "won", deal_value: 5000 }))
  },
  app_undo_move: {
    answer: "CHANGED_IN_FLIGHT",
    prepare: async (place) => {
      await qualify(place)
      const disqualified = { property_id: place.id, version: 1, status: "disqualified", reason_code: "not_a_fit" }
      await must("app_move_lead", disqualified)
      return { property_id: place.id, version: 2 }
    }
  },
  app_assign_lead: {
    answer: "PROPERTY_RETIRED",
    prepare: after(qualify, ({ id }) => ({ property_id: id, member_id: null }))
  },
  app_add_task: { answer: "PROPERTY_RETIRED", prepare: newTask },
  app_edit_task: { answer: null, prepare: async (place) => ({ id: await taskOf(place), title: "Write" }) },
  app_end_task: { answer: null, prepare: async (place) => ({ id: await taskOf(place), status: "done" }) },
  app_change_list: {
    answer: null,
    prepare: async (place) => ({ list_id: await listOf(place), list_name: `Other ${place.key}` })
  },
  app_delete_list: { answer: null, prepare: async (place) => ({ list_id: await listOf(place) }) }
}

/** What keeps nothing about a property. */
const elsewhere: ReadonlyArray<Name> = [
  "service_get_contact",
  "service_get_organization",
  "service_get_research_status",
  "service_create_list",
  "service_save_search",
  "service_delete_saved_search",
  "service_create_webhook",
  "service_delete_webhook",
  "service_test_webhook",
  "service_resend_webhook_delivery",
  "service_resend_failed_deliveries",
  "service_rotate_webhook_secret",
  "service_enable_webhook",
  "service_disable_webhook",
  "service_change_webhook",
  "service_request_support",
  "service_request_coverage",
  "app_revoke_session",
  "app_rename_search",
  "app_create_key",
  "app_change_key",
  "app_revoke_key",
  "app_add_member",
  "app_change_member",
  "app_remove_member",
  "app_issue_sign_in_link",
  "app_revoke_member_sessions",
  "app_set_member_connections",
  "app_change_settings"
]

const calls = all.flatMap(({ name }) => {
  const call = asked[name]
  return call === undefined ? [] : [{ name, ...call }]
})

const organizations = () => {
  const [sample] = document.organizations
  const [key] = sample?.keys ?? []
  const scopes = [...key?.scopes ?? [], "leads:read_single", "pipeline:write", "accounts:sync"]
  const common = {
    requests_per_minute: 1_000_000,
    daily_limits: { records_taken_per_day: { organization: 1_000_000 } },
    grants: [{ ref: "more", bucket: "included", amount: 10_000 }]
  }
  return [
    {
      ...sample,
      ...common,
      keys: [{ name: "sample", scopes, secret }],
      members: [...sample?.members ?? [], { email: "ben@sample.example", name: "Ben Sample", role: "member" }]
    },
    {
      ...sample,
      ...common,
      org_id: other.orgId,
      crm_mode: "external",
      keys: [{ name: "sample", scopes, secret: other.secret }],
      members: []
    }
  ]
}

const research = {
  beneficialOwner: "Sample Holdings (made up)",
  beneficialOwnerType: null,
  managementCompany: null,
  aiRationale: null,
  researchedAt: "2026-06-01T00:00:00Z",
  tier: "Standard" as const
}

/** Every place that is merged away, and the survivor. */
const seed = (): Partial<Seed> => {
  const places = ["heir", "command", "once", ...calls.map(({ name }) => name)].map(placeOf)
  return {
    properties: places.map(({ id, key }) => property({ id, key, address: `1 ${key}`, countyFips: "53903", research })),
    firms: places.map(({ firm: id }) => firm({ id, name: "Sample Managers (made up)" })),
    propertyFirms: places.map(({ firm: firmId, id: propertyId }) => ({
      firmId,
      propertyId,
      role: "property_manager",
      attributionType: "web"
    })),
    contacts: places.map(({ contact: id, key }) =>
      contact({ id, roleType: "property_manager", email: key.endsWith("find_email") ? null : "maria@sample.example" })
    ),
    relationships: places.map((place) => tie(place.id, place.contact))
  }
}

beforeAll(async () => {
  const database = await migratedDatabase()
  ;({ drop } = database)
  env = environmentOf(database.url)
  url = Redacted.make(database.url)
  await Effect.runPromise(
    administer(url, (sql) =>
      Effect.provide(
        Seeder.use((seeder) => seeder.add(seed())),
        SeederPg.layer.pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, sql)))
      ))
  )
  await runJson(["apply", "-"], env, JSON.stringify({ organizations: organizations() }))
  server = await serve(["--no-worker"], env)
  session = await signedIn(url, server, "ana@sample.example")
})

afterAll(async () => {
  await server.stop()
  await drop()
})

/** What is answered while the place is merged away: the merge ends when the call waits for it. */
const during = async <A>(
  { id }: Place,
  act: () => Promise<A>
): Promise<{ readonly waited: boolean; readonly answer: A }> => {
  const merge = await holding(url, `SELECT property_merge('${id}', '${heir}')`)
  let isAnswered = false
  const acting = act().finally(() => {
    isAnswered = true
  })
  const waits = await until(() => waiting(url), (pools) => isAnswered || Object.keys(pools).length > 0)
  await merge()
  return { waited: Object.keys(waits).length > 0, answer: await acting }
}

const credits = async (): Promise<number> => (await must("service_get_credit_balance", {})).total

/** What organizations keep about properties, with the column that names one. */
const kept = {
  property_access: "property_id",
  lead: "property_id",
  note: "property_id",
  task: "property_id",
  customer_account: "property_id",
  list_item: "item_id",
  record_taken: "record_id"
}

/** Where something is kept under the id of the place itself. */
const leftOf = ({ id }: Place): Promise<ReadonlyArray<string>> =>
  Effect.runPromise(administer(url, (sql) =>
    Effect.filter(
      Object.keys(kept),
      (table) =>
        Effect.map(
          sql`SELECT FROM ${sql(table)} WHERE ${sql(kept[table as keyof typeof kept])} = ${id}::uuid LIMIT 1`,
          (found) => found.length > 0
        )
    )))

it("every operation that writes, spends or counts is asked, or keeps nothing about a property", () => {
  const changing = all.filter(({ effect }) => effect !== "read").map(({ name }) => name)
  assert.sameMembers(changing, [...calls.map(({ name }) => name), ...elsewhere])
})

describe("a call that a merge overtakes", () => {
  it.each(calls)(
    "answers like one that came after, or for the survivor: $name",
    async ({ answer: code, name, prepare, told = {} }) => {
      const place = placeOf(name)
      const input = await prepare(place)
      const before = await credits()
      const { answer, waited } = await during(place, () => ask(name, input))
      assert.isTrue(waited, JSON.stringify(answer))
      assert.strictEqual(answer.code, code)
      assert.strictEqual(answer.status, code === null ? 200 : 409)
      if (code === "PROPERTY_RETIRED") assert.strictEqual(answer.told.successorPropertyId, heir)
      assert.containSubset(answer.told, told)
      if (code !== null) assert.strictEqual(await credits(), before)
      assert.deepStrictEqual(await leftOf(place), [])
    }
  )

  it("is not done under an Idempotency-Key either, nor when it is sent again", async () => {
    const place = placeOf("once")
    const call = () => overRest("service_reveal_property", { id: place.id }, { "idempotency-key": "once" })
    const { answer, waited } = await during(place, call)
    assert.isTrue(waited)
    for (const each of [answer, await call()]) {
      assert.deepInclude(each, { status: 409, code: "PROPERTY_RETIRED" })
      assert.strictEqual(each.told.successorPropertyId, heir)
    }
    assert.deepStrictEqual(await leftOf(place), [])
  })

  it("is refused as a command, too", async () => {
    const place = placeOf("command")
    await qualify(place)
    const lead = ["--org", orgId, "--property", place.key, "--to", "ben@sample.example"]
    const { answer: { code, stderr }, waited } = await during(place, () => run(["lead", "assign", ...lead], env))
    assert.isTrue(waited)
    assert.strictEqual(code, 1)
    assert.match(stderr, /\(CHANGED_IN_FLIGHT\)\n$/)
  })

  it("leaves the laws in force", async () => assert.containSubset(await runJson(["audit"], env), { ok: true }))
})

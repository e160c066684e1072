/** That how far people and firms reach, how many do, and where counties lie, is kept whoever writes what, also by two at once. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as Database from "@freehold/adapters-pg/database/Database"
import * as RetentionPg from "@freehold/adapters-pg/retention/RetentionPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { defaultKept } from "@freehold/core/retention/Retention"
import { sweepAll } from "@freehold/core/retention/Sweeper"
import { contact, firm, property, startOver } from "@freehold/core/testing/Seed"
import { Effect, Fiber, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
const properties = [1, 2, 3, 4].map(id)
const contacts = [11, 12].map(id)
const firms = [21, 22].map(id)
const counties = ["48001", "48003", "06001", "72001"] as const

const Step = Schema.Union([
  Schema.Struct({
    _tag: Schema.Literals(["tie", "untie"]),
    property: Schema.Literals(properties),
    contact: Schema.Literals(contacts),
    firm: Schema.Literals(firms),
    attribution: Schema.Literals(["county_record", "management_research"])
  }),
  Schema.Struct({ _tag: Schema.Literal("move"), property: Schema.Literals(properties), county: Schema.Literals(counties) }),
  Schema.Struct({ _tag: Schema.Literal("pass"), from: Schema.Literals(contacts), to: Schema.Literals(contacts) }),
  Schema.Struct({ _tag: Schema.Literals(["retire", "merge"]), property: Schema.Literals(properties) }),
  Schema.Struct({
    _tag: Schema.Literal("role"),
    contact: Schema.Literals(contacts),
    role: Schema.NullOr(Schema.Literals(["leasing_agent", "asset_manager"]))
  }),
  Schema.Struct({
    _tag: Schema.Literal("title"),
    contact: Schema.Literals(contacts),
    title: Schema.NullOr(Schema.Literals(["Asset Manager", "asset manager", ""]))
  }),
  Schema.Struct({
    _tag: Schema.Literal("load"),
    contact: Schema.Literals(contacts),
    title: Schema.NullOr(Schema.Literals(["Asset Manager", "Owner"])),
    role: Schema.NullOr(Schema.Literals(["leasing_agent", "asset_manager"]))
  }),
  Schema.Struct({ _tag: Schema.Literals(["suppress", "list", "erase"]), contact: Schema.Literals(contacts) }),
  Schema.Struct({ _tag: Schema.Literal("fold"), atMost: Schema.Literals([0, 1, 100]) }),
  Schema.Struct({ _tag: Schema.Literal("forget"), title: Schema.Literals(["Asset Manager", "asset manager"]) })
])

const world = startOver({
  properties: properties.map((each) => property({ id: each, countyFips: "48001", lat: 30, lon: -97 })),
  contacts: contacts.map((each) => contact({ id: each, title: "Asset Manager" })),
  firms: firms.map((each) => firm({ id: each }))
})

const happen = Effect.fnUntraced(function*(step: typeof Step.Type) {
  const sql = yield* SqlClient.SqlClient
  switch (step._tag) {
    case "tie":
      yield* sql`INSERT INTO property_contact (property_id, contact_id)
        VALUES (${step.property}::uuid, ${step.contact}::uuid) ON CONFLICT DO NOTHING`
      yield* sql`INSERT INTO property_firm (property_id, firm_id, role, attribution_type)
        VALUES (${step.property}::uuid, ${step.firm}::uuid, 'owner', ${step.attribution})
        ON CONFLICT (property_id, firm_id, role) DO UPDATE SET attribution_type = excluded.attribution_type`
      break
    case "untie":
      yield* sql`DELETE FROM property_contact WHERE property_id = ${step.property}::uuid`
      yield* sql`DELETE FROM property_firm WHERE firm_id = ${step.firm}::uuid`
      break
    case "move":
      yield* sql`UPDATE property SET county_fips = ${step.county}, lat = lat + 1, lon = lon - 1 WHERE id = ${step.property}::uuid`
      break
    case "pass":
      yield* sql`UPDATE property_contact t SET contact_id = ${step.to}::uuid WHERE contact_id = ${step.from}::uuid
        AND NOT EXISTS (SELECT FROM property_contact o
          WHERE o.contact_id = ${step.to}::uuid AND o.property_id = t.property_id)`
      break
    case "role":
      yield* sql`UPDATE contact SET role_type = ${step.role}::text WHERE id = ${step.contact}::uuid`
      break
    case "title":
      yield* sql`UPDATE contact SET title = ${step.title}::text WHERE id = ${step.contact}::uuid`
      break
    case "load":
      yield* sql`INSERT INTO contact (id, key, full_name, title, role_type)
        VALUES (${step.contact}::uuid, ${step.contact}, 'Sample Person', ${step.title}::text, ${step.role}::text)
        ON CONFLICT (id) DO UPDATE SET title = excluded.title, role_type = excluded.role_type`
      break
    case "suppress":
      yield* sql`SELECT contact_suppress(id) FROM contact
        WHERE id = ${step.contact}::uuid AND NOT EXISTS (SELECT FROM suppressed_contact WHERE contact_id = id)`
      break
    case "list":
      yield* sql`SELECT contact_list_again(${step.contact}::uuid)`
      break
    case "erase":
      yield* sql`SELECT contact_erase(contact_id) FROM suppressed_contact WHERE contact_id = ${step.contact}::uuid`
      break
    case "merge":
      yield* sql`SELECT property_merge(id, ${id(4)}::uuid) FROM property
        WHERE id = ${step.property}::uuid AND id <> ${id(4)}::uuid AND retired_into IS NULL`
      break
    case "fold":
      yield* sql`SELECT reach_tally_fold(${step.atMost}::integer), title_tally_fold(${step.atMost}::integer)`
      break
    case "forget":
      yield* sql`SELECT title_tally_forget(${step.title}::text)`
      break
    case "retire":
      yield* sql`UPDATE property SET retired_into = ${id(4)}::uuid WHERE id = ${step.property}::uuid AND id <> ${id(4)}::uuid`
  }
})

/** What is kept and should not be, or should be and is not. */
const wrong = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`
    WITH tallied AS (
      SELECT kind, area, states, roles, sum(count)::int AS count FROM reach_tally_now
      GROUP BY kind, area, states, roles HAVING sum(count) <> 0
    ), titled AS (
      SELECT area, states, title, sum(count)::int AS count FROM title_tally_now
      GROUP BY area, states, title HAVING sum(count) <> 0
    )
    SELECT 'count' AS kind, NULL::uuid AS id FROM (
      (TABLE tallied EXCEPT TABLE reach_tally_counted) UNION ALL
      (TABLE reach_tally_counted EXCEPT TABLE tallied)) AS counts
    UNION ALL
    SELECT 'title', NULL FROM (
      (TABLE titled EXCEPT TABLE title_tally_counted) UNION ALL
      (TABLE title_tally_counted EXCEPT TABLE titled)) AS titles
    UNION ALL
    SELECT 'person', contact_id FROM (
      (TABLE contact_reach EXCEPT TABLE contact_reach_counted) UNION ALL
      (TABLE contact_reach_counted EXCEPT TABLE contact_reach)) AS person
    UNION ALL
    SELECT 'firm', firm_id FROM (
      (TABLE firm_reach EXCEPT TABLE firm_reach_counted) UNION ALL
      (TABLE firm_reach_counted EXCEPT TABLE firm_reach)) AS firm
    UNION ALL
    SELECT 'place', id FROM property p WHERE NOT EXISTS (
      SELECT FROM county_extent e WHERE e.county_fips = p.county_fips
        AND p.lat BETWEEN e.south AND e.north AND p.lon BETWEEN e.west AND e.east)`
})

class Undone extends Schema.TaggedError<Undone>()("Undone", {}) {}

/** Somebody else was quicker: two waited for one another, a merge waited too long, or a person was suppressed meanwhile. */
const isOvertaken = (error: SqlError.SqlError): boolean =>
  ["40P01", "55P03", "23505"].includes(Database.failureOf(error).code ?? "")

/** Until somebody waits for this transaction. */
const waitedFor = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.repeat(
    sql<{ readonly waits: boolean }>`SELECT EXISTS (
      SELECT FROM pg_locks WHERE transactionid = pg_current_xact_id()::xid AND NOT granted) AS waits`,
    { until: ([row]) => row?.waits === true }
  )
})

withLayer(Layer.mergeAll(SeederPg.layer, RetentionPg.layer).pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })("Reach", (it) => {
  it.effect.prop(
    "of people and firms is that of their ties, and counties hold their properties, after any history (Q2)",
    { steps: Schema.Array(Step).check(Schema.isMaxLength(20)) },
    ({ steps }) =>
      Effect.gen(function*() {
        yield* world
        for (const step of steps) yield* happen(step)
        assert.deepStrictEqual(yield* wrong, [])
      }),
    { arbitrary: { runs: 25 } }
  )

  it.effect.prop(
    "is that of their ties after histories that happen at once, whichever of them are undone (Q3)",
    {
      histories: Schema.Array(
        Schema.Struct({ steps: Schema.Array(Step).check(Schema.isMaxLength(8)), isUndone: Schema.Boolean })
      ).check(Schema.isMinLength(2), Schema.isMaxLength(3))
    },
    ({ histories }) =>
      Effect.gen(function*() {
        yield* world
        const sql = yield* SqlClient.SqlClient
        yield* Effect.forEach(histories, ({ isUndone, steps }) =>
          Effect.gen(function*() {
            yield* sql`SET LOCAL deadlock_timeout = 10`
            yield* Effect.forEach(steps, happen)
            if (isUndone) return yield* new Undone()
          }).pipe(
            sql.withTransaction,
            Effect.catchTag("Undone", () => Effect.void),
            Effect.catchIf(isOvertaken, () => Effect.void)
          ), { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* wrong, [])
      }),
    { timeout: 120_000, arbitrary: { runs: 15 } }
  )

  it.effect("counts both ties of two that are made at once (Q3)", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const other = yield* Database.Pipeline
      yield* world
      const tie = (client: SqlClient.SqlClient, place: string) =>
        client`INSERT INTO property_contact (property_id, contact_id) VALUES (${place}::uuid, ${id(11)}::uuid)`
      const second = yield* sql.withTransaction(Effect.gen(function*() {
        yield* tie(sql, id(1))
        const second = yield* Effect.forkDetach(tie(other, id(2)))
        yield* waitedFor
        return second
      }))
      yield* Fiber.join(second)
      const rows = yield* sql`SELECT properties FROM contact_reach WHERE contact_id = ${id(11)}::uuid`
      assert.deepStrictEqual(rows, [{ properties: 2 }])
      assert.deepStrictEqual(yield* wrong, [])
    }))

  it.effect("counts a person by the role and the title that were given while the person was tied (Q3)", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const other = yield* Database.Pipeline
      yield* world
      const step = (given: typeof Step.Type) => Effect.provideService(happen(given), SqlClient.SqlClient, other)
      const tie = { _tag: "tie", contact: id(11), firm: id(21), attribution: "county_record" } as const
      for (
        const [first, second] of [
          [{ ...tie, property: id(1) }, { _tag: "role", contact: id(11), role: "leasing_agent" }],
          [{ _tag: "role", contact: id(11), role: "asset_manager" }, { ...tie, property: id(2) }],
          [{ ...tie, property: id(3) }, { _tag: "title", contact: id(11), title: "Asset Manager" }],
          [{ _tag: "title", contact: id(11), title: "asset manager" }, { ...tie, property: id(4) }]
        ] as const
      ) {
        const later = yield* sql.withTransaction(Effect.gen(function*() {
          yield* happen(first)
          const later = yield* Effect.forkDetach(step(second))
          yield* waitedFor
          return later
        }))
        yield* Fiber.join(later)
        assert.deepStrictEqual(yield* wrong, [])
      }
    }))

  it.effect("is counted while two write and add up, who do not wait for one another (Q4)", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const other = Effect.provideService(SqlClient.SqlClient, yield* Database.Pipeline)
      const tie = (property: string, contact: string, firm: string) =>
        happen({ _tag: "tie", property, contact, firm, attribution: "county_record" })
      const fold = happen({ _tag: "fold", atMost: 100 })
      yield* world
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* tie(id(1), id(11), id(21))
        yield* tie(id(2), id(12), id(22)).pipe(other)
        yield* fold.pipe(other)
        assert.deepStrictEqual(yield* wrong.pipe(other), [])
        yield* fold
        yield* tie(id(3), id(12), id(22)).pipe(other)
        yield* fold.pipe(other)
        assert.deepStrictEqual(yield* wrong.pipe(other), [])
        assert.deepStrictEqual(yield* wrong, [])
      }))
      yield* fold
      assert.deepStrictEqual(yield* wrong, [])
      assert.deepStrictEqual(yield* sql`SELECT FROM reach_tally_change`, [])
      assert.deepStrictEqual(yield* sql`SELECT FROM title_tally_change`, [])
      yield* happen({ _tag: "untie", property: id(1), contact: id(11), firm: id(21), attribution: "county_record" })
      yield* fold
      assert.deepStrictEqual(yield* wrong, [])
      assert.deepStrictEqual(yield* sql`SELECT FROM reach_tally WHERE count = 0`, [])
      assert.deepStrictEqual(yield* sql`SELECT FROM title_tally WHERE count = 0`, [])
    }))

  it.effect("tells of no title that nobody has any more, without waiting for who adds up (Q4)", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const other = Effect.provideService(SqlClient.SqlClient, yield* Database.Pipeline)
      const change = { property: id(1), contact: id(11), firm: id(21), attribution: "county_record" } as const
      const forget = happen({ _tag: "forget", title: "Asset Manager" })
      const told = sql`SELECT title FROM title_tally UNION ALL SELECT title FROM title_tally_change`
      yield* world
      yield* happen({ _tag: "tie", ...change })
      yield* happen({ _tag: "fold", atMost: 100 })
      yield* happen({ _tag: "untie", ...change })
      assert.lengthOf(yield* told, 2)
      yield* sql.withTransaction(Effect.gen(function*() {
        yield* happen({ _tag: "fold", atMost: 100 })
        yield* forget.pipe(other)
        assert.deepStrictEqual(yield* wrong, [])
      }))
      assert.deepStrictEqual(yield* wrong, [])
      assert.deepStrictEqual(yield* told, [])

      yield* happen({ _tag: "tie", ...change })
      yield* happen({ _tag: "fold", atMost: 100 })
      yield* happen({ _tag: "untie", ...change })
      yield* forget
      assert.deepStrictEqual(yield* told, [])
    }))

  it.effect("is added up by the upkeep, until no change waits (Q4)", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* world
      yield* happen({ _tag: "tie", property: id(1), contact: id(11), firm: id(21), attribution: "county_record" })
      assert.isNotEmpty(yield* sql`SELECT FROM reach_tally_change`)
      assert.isNotEmpty(yield* sql`SELECT FROM title_tally_change`)
      yield* sweepAll(defaultKept)
      assert.deepStrictEqual(yield* sql`SELECT FROM reach_tally_change`, [])
      assert.deepStrictEqual(yield* sql`SELECT FROM title_tally_change`, [])
      assert.deepStrictEqual(yield* wrong, [])
    }))
})

/** That ties and changes know the county of their property, whoever writes what, and in whatever order. */
import { assert, layer as withLayer } from "@effect/vitest"
import * as Database from "@freehold/adapters-pg/database/Database"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { contact, firm, property, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

withLayer(SeederPg.layer.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })(
  "Ties and changes",
  (it) => {
    it.effect("know where their property is: when it moves, retires, and when its survivor moves", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const seeder = yield* Seeder
        yield* seeder.add({
          properties: [property({ id: id(1), countyFips: "48001" }), property({ id: id(2), countyFips: "48003" })],
          contacts: [contact({ id: id(11) })],
          firms: [firm({ id: id(21) })],
          relationships: [{
            propertyId: id(1),
            contactId: id(11),
            role: null,
            relationshipStatus: "current",
            attributionType: "customer_supplied"
          }],
          propertyFirms: [{ propertyId: id(1), firmId: id(21), role: "owner", attributionType: "county_record" }]
        })
        yield* sql`
          INSERT INTO property_change (id, key, kind, property_id, contact_id)
          VALUES (${id(31)}::uuid, 'a', 'sale', ${id(1)}::uuid, NULL), (${id(32)}::uuid, 'b', 'left', NULL, ${
          id(11)
        }::uuid)`
        const places = Effect.map(
          sql<{ readonly county: string | null }>`
            SELECT county_fips AS county FROM property_contact
            UNION ALL SELECT county_fips FROM property_firm
            UNION ALL (SELECT county_fips FROM property_change ORDER BY key)`,
          (rows) => rows.map(({ county }) => county)
        )
        assert.deepStrictEqual(yield* places, ["48001", "48001", "48001", null])
        yield* sql`UPDATE property SET county_fips = '48005' WHERE id = ${id(1)}::uuid`
        assert.deepStrictEqual(yield* places, ["48005", "48005", "48005", null])
        yield* sql`UPDATE property SET retired_into = ${id(2)}::uuid WHERE id = ${id(1)}::uuid`
        assert.deepStrictEqual(yield* places, [null, null, "48003", null])
        yield* sql`UPDATE property SET county_fips = '48007' WHERE id = ${id(2)}::uuid`
        assert.deepStrictEqual(yield* places, [null, null, "48007", null])
        yield* sql`UPDATE property_contact SET property_id = ${id(2)}::uuid`
        assert.deepStrictEqual(yield* places, ["48007", null, "48007", null])
      }))

    it.effect("know where their property is when it moves while they are written", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const observer = yield* Database.Pipeline
        const seeder = yield* Seeder
        yield* seeder.add({
          properties: [property({ id: id(3), countyFips: "48001" })],
          contacts: [contact({ id: id(13) })]
        })
        const tie = observer`
          INSERT INTO property_contact (property_id, contact_id) VALUES (${id(3)}::uuid, ${id(13)}::uuid)`
        const tying = yield* sql.withTransaction(Effect.gen(function*() {
          yield* sql`UPDATE property SET county_fips = '48005' WHERE id = ${id(3)}::uuid`
          const tying = yield* Effect.forkDetach(tie)
          yield* Effect.repeat(
            sql<{ readonly settled: boolean }>`
              SELECT EXISTS (SELECT FROM pg_locks WHERE transactionid = pg_current_xact_id()::xid AND NOT granted)
                OR EXISTS (SELECT FROM property_contact WHERE contact_id = ${id(13)}::uuid) AS settled`,
            { until: ([row]) => row?.settled === true }
          )
          return tying
        }))
        yield* Fiber.join(tying)
        const [row] = yield* sql`SELECT county_fips AS county FROM property_contact WHERE contact_id = ${id(13)}::uuid`
        assert.deepStrictEqual(row, { county: "48005" })
      }))
  }
)

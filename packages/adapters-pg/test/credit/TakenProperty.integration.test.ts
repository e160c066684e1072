/** A property is taken as a record before it is merged or not at all. */
import { assert, layer } from "@effect/vitest"
import { Ledger } from "@freehold/core/credit/Ledger"
import { decide } from "@freehold/core/credit/LedgerDecision"
import { limitsOf, queryOf } from "@freehold/core/limit/Limits"
import { decideReading } from "@freehold/core/limit/Metering"
import { overtaken } from "@freehold/core/operation/TemporarilyUnavailable"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import { property, startOver } from "@freehold/core/testing/Seed"
import { Effect, Fiber, Layer, Logger, Result } from "effect"
import { SqlClient } from "effect/sql"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as SeederPg from "../../src/testing/SeederPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import { holding, waiting } from "../database/Holding.ts"

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
const [gone, heir, other] = [id(1), id(2), id(3)]

const organization: Organization = {
  ...defaults("org_sample"),
  plan: "enterprise",
  daily_limits: { records_taken_per_day: { service: 5 } }
}

const now = Date.UTC(2026, 2, 30)
const limits = limitsOf(organization, null, now)

const seeded = startOver({
  organizations: [organization],
  properties: [gone, heir, other].map((propertyId) => property({ id: propertyId, countyFips: "53903" }))
})

/** Reads the property, which nobody of the organization has read before. */
const take = (propertyId: string) => {
  const request = { covered: [], whole: true, records: [{ kind: "property" as const, id: propertyId }] }
  return Effect.result(Ledger.use((ledger) =>
    ledger.transact(
      {
        orgId: organization.org_id,
        subject: { _tag: "Property", propertyId },
        exclusive: false,
        now,
        usage: queryOf(limits, { records: request.records })
      },
      ({ usage }) => Result.map(decideReading(limits, usage, request), ({ counted }) => decide(propertyId, { counted }))
    )
  ))
}

const taken = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly record_id: string }>`SELECT record_id FROM record_taken ORDER BY record_id`,
    (rows) => rows.map(({ record_id }) => record_id)
  ))

/** A merge that has done its work and is not committed before it is let go. */
const merging = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => holding(sql`SELECT property_merge(${gone}::uuid, ${heir}::uuid)`)
)

const adapters = Layer.merge(LedgerPg.layer, SeederPg.layer)

layer(adapters.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })(
  "A property as a record",
  (it) => {
    it.effect("is not taken any more by who waited for its merge, and keeps nobody else from theirs", () => {
      const lines: Array<string> = []
      const recorder = Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))])
      return Effect.gen(function*() {
        yield* seeded
        const letGo = yield* merging
        const late = yield* Effect.forkChild(take(gone))
        yield* waiting(1)
        // These stand in line behind it, and are written with the first of them.
        const behind = yield* Effect.forEach([other, gone, heir], (propertyId) => Effect.forkChild(take(propertyId)))
        yield* letGo
        assert.deepStrictEqual(yield* Fiber.join(late), Result.fail(overtaken))
        assert.deepStrictEqual(yield* Fiber.joinAll(behind), [
          Result.succeed(other),
          Result.fail(overtaken),
          Result.succeed(heir)
        ])
        assert.deepStrictEqual(yield* taken, [heir, other])
        // A merge is the course of things.
        assert.isEmpty(lines)
      }).pipe(Effect.provide(recorder))
    })

    it.effect("is the survivor's where it was taken before, and within a transaction that is under way", () =>
      Effect.gen(function*() {
        yield* seeded
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* sql.withTransaction(take(gone)), Result.succeed(gone))
        yield* Effect.flatMap(merging, (letGo) => letGo)
        assert.deepStrictEqual(yield* taken, [heir])
        const within = yield* sql.withTransaction(Effect.all([take(gone), take(other)]))
        assert.deepStrictEqual(within, [Result.fail(overtaken), Result.succeed(other)])
        assert.deepStrictEqual(yield* taken, [heir, other])
      }))
  }
)

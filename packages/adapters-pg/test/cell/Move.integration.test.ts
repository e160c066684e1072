/** An organization moves from one cell to another: what arrives meanwhile, and what stands in its way. All data is made up. */
import type { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { AdministrationLog } from "@freehold/core/administration/AdministrationLog"
import { Organizations } from "@freehold/core/organization/Organizations"
import { contact, property } from "@freehold/core/testing/Seed"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Effect, Exit, Fiber } from "effect"
import * as AdministrationLogPg from "../../src/administration/AdministrationLogPg.ts"
import { relay, relaySome } from "../../src/change/ChangeRelay.ts"
import * as AuditorPg from "../../src/credit/AuditorPg.ts"
import { transaction } from "../../src/database/Transaction.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import { holding } from "../database/Holding.ts"
import { failedDelivery } from "./FailedDelivery.ts"
import { at, once, TwoCells } from "./TwoCells.ts"

let made = 0

/** An organization in the east that sees changes and bought one property, beside another that the first may be merged into. */
const furnished = Effect.gen(function*() {
  const { furnish, seed } = yield* TwoCells
  const orgId = `org_${++made}`
  const [bought, heir] = [Scene.propertyId(made * 2), Scene.propertyId(made * 2 + 1)]
  yield* seed({ properties: [bought, heir].map((id) => property({ id, countyFips: Scene.visibleCounty })) })
  yield* furnish({
    organizations: [Scene.seeingChanges(orgId)],
    accesses: [{ orgId, kind: "property", id: bought, source: "paid" }]
  })
  return { orgId, bought, heir }
})

const opened = (sql: PgClient.PgClient, orgId: string) =>
  Effect.map(
    sql<{ readonly id: string }>`SELECT property_id AS id FROM property_access WHERE org_id = ${orgId}`,
    (rows) => rows.map(({ id }) => id)
  )

const told = (sql: PgClient.PgClient, orgId: string) =>
  sql<{ readonly before: boolean }>`
    SELECT before_subscription AS before FROM event WHERE org_id = ${orgId} AND type = 'signal.sale'`

/** Imports that the property was sold; the change arrives in both cells. */
const sold = Effect.fnUntraced(function*(id: string) {
  const { east, importer, west } = yield* TwoCells
  const [change] = yield* importer<{ readonly id: string }>`
    INSERT INTO property_change (id, key, kind, property_id, after, detected_at, source)
    VALUES (gen_random_uuid(), ${`sale ${id}`}, 'sale', ${id}::uuid, '{"price": 1}', now(), 'county_record') RETURNING id`
  yield* Effect.forEach(
    [east, west],
    ({ sql }) => once(sql`SELECT FROM property_change WHERE id = ${change?.id ?? ""}::uuid`)
  )
})

const noLawBroken = (sql: PgClient.PgClient, orgId: string) =>
  Effect.map(at(sql)(AuditorPg.brokenBy(orgId)), (broken) => assert.deepStrictEqual(broken, []))

const isMade = (orgId: string) =>
  Organizations.use((organizations) => organizations.save(Scene.organization(orgId))).pipe(
    Effect.provide(OrganizationsPg.layer),
    Effect.exit,
    Effect.map(Exit.isSuccess)
  )

/** An organization of that name is there all the same, as before anybody minded. */
const makeAnyhow = (sql: PgClient.PgClient, orgId: string) =>
  transaction(
    sql,
    Effect.andThen(
      sql`SET LOCAL session_replication_role = replica`,
      sql`INSERT INTO organization (org_id, profile) VALUES (${orgId}, ${
        JSON.stringify(Scene.seeingChanges(orgId))
      }::jsonb)`
    )
  )

const isThere = (sql: PgClient.PgClient, orgId: string) =>
  Effect.map(sql`SELECT FROM organization WHERE org_id = ${orgId}`, (rows) => rows.length > 0)

/** What is to be done when the organization is settled in the west and not yet seen there. */
const whileSettled = Effect.fnUntraced(function*<A, E, R>(orgId: string, meanwhile: Effect.Effect<A, E, R>) {
  const { move, west } = yield* TwoCells
  yield* west.sql`INSERT INTO organization_arrival (org_id) VALUES (${orgId})`
  const release = yield* at(west.sql)(
    holding(west.sql`SELECT FROM organization_arrival WHERE org_id = ${orgId} FOR KEY SHARE`)
  )
  const moving = yield* Effect.forkChild(move(orgId))
  const settled = once(west.sql`
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE FROM organization_arrival %'`)
  yield* Effect.raceFirst(settled, Fiber.join(moving))
  yield* meanwhile
  yield* release
  return yield* Fiber.join(moving)
})

/** Ids of the log of administration as it is read, newest first. */
const logOf = (sql: PgClient.PgClient, orgId: string) =>
  AdministrationLog.use((log) => log.list({ orgId, after: null, limit: 10 })).pipe(
    Effect.map((entries) => entries.map(({ id }) => id)),
    Effect.provide(AdministrationLogPg.layer),
    at(sql)
  )

const logged = (sql: PgClient.PgClient, orgId: string, id: string, now: number) =>
  AdministrationLog.use((log) =>
    log.record({
      orgId,
      id,
      now,
      actor: { kind: "operator", id: null, name: null },
      action: "key.revoked",
      subjectId: "sample",
      subjectName: "sample",
      before: null,
      after: null
    })
  ).pipe(Effect.provide(AdministrationLogPg.layer), at(sql))

layer(TwoCells.layer, { excludeTestServices: true, timeout: 120_000 })("a move between cells", (it) => {
  it.effect("that is given up loses neither the merges nor the changes that were settled meanwhile", () =>
    Effect.gen(function*() {
      const { east, giveUp, merge, west, whileFenced, work } = yield* TwoCells
      const { bought, heir, orgId } = yield* furnished
      yield* whileFenced(
        orgId,
        "is killed",
        Effect.andThen(Effect.all([merge(bought, heir), sold(heir)]), Effect.all([work(east), work(west)]))
      )
      assert.deepStrictEqual([yield* opened(east.sql, orgId), yield* told(east.sql, orgId)], [[bought], []])
      assert.isTrue(yield* giveUp(orgId))
      yield* work(east)
      assert.deepStrictEqual(yield* opened(east.sql, orgId), [heir])
      assert.lengthOf(yield* told(east.sql, orgId), 1)
      yield* noLawBroken(east.sql, orgId)
      const kept = yield* east.sql`
        SELECT FROM organization_move_arrival UNION ALL SELECT FROM organization_arrival_change`
      assert.lengthOf(kept, 0)
    }))

  it.effect("has what it bought of a property that is merged meanwhile with the survivor", () =>
    Effect.gen(function*() {
      const { merge, west, whileFenced, work } = yield* TwoCells
      const { bought, heir, orgId } = yield* furnished
      const exit = yield* whileFenced(orgId, "goes on", Effect.andThen(merge(bought, heir), work(west)))
      assert.isTrue(Exit.isSuccess(exit), String(exit))
      assert.deepStrictEqual(yield* opened(west.sql, orgId), [heir])
      yield* noLawBroken(west.sql, orgId)
    }))

  it.effect("has what arrives between its settling and its end settled and told afterwards", () =>
    Effect.gen(function*() {
      const { merge, west, work } = yield* TwoCells
      const { bought, heir, orgId } = yield* furnished
      yield* whileSettled(orgId, Effect.andThen(Effect.all([merge(bought, heir), sold(heir)]), work(west)))
      yield* work(west)
      assert.deepStrictEqual(yield* opened(west.sql, orgId), [heir])
      assert.lengthOf(yield* told(west.sql, orgId), 1)
      yield* noLawBroken(west.sql, orgId)
    }))

  it.effect("is told of what arrives once it is there, also by a relay that began before", () =>
    Effect.gen(function*() {
      const { seed, west } = yield* TwoCells
      const orgId = `org_${++made}`
      const id = Scene.propertyId(made * 2)
      yield* seed({ properties: [property({ id, countyFips: Scene.visibleCounty })] })
      // As at the end of a move: whoever comes holds what relays changes.
      const come = transaction(
        west.sql,
        Effect.gen(function*() {
          const [turn] = yield* west.sql`SELECT pg_try_advisory_xact_lock(hashtext('freehold changes')) AS taken`
          if (turn?.["taken"] !== true) return false
          yield* makeAnyhow(west.sql, orgId)
          return true
        })
      )
      let here = false
      const arriving = Effect.gen(function*() {
        here = yield* come
        if (here) yield* sold(id)
      })
      const between = new Proxy(west.worker, {
        apply: (sql, _, [said, ...given]: [TemplateStringsArray, ...Array<unknown>]) => {
          const statement = sql(said, ...given)
          return said.join().includes("changes_relay") ? Effect.andThen(arriving, statement) : statement
        }
      })
      yield* relaySome(between)
      if (!here) {
        assert.isTrue(yield* come)
        yield* sold(id)
      }
      yield* relay(west.worker)
      assert.lengthOf(yield* told(west.sql, orgId), 1)
    }))

  it.effect("has forgotten what was withheld while nobody saw it there", () =>
    Effect.gen(function*() {
      const { east, importer, seed, west } = yield* TwoCells
      const { bought, orgId } = yield* furnished
      const person = Scene.uuid(4, made)
      yield* seed({ contacts: [contact({ id: person })] })
      yield* failedDelivery(east.sql, orgId, bought, "{}")
      yield* whileSettled(
        orgId,
        Effect.andThen(
          importer`
            INSERT INTO withheld_property_contact (property_id, contact_id, relationship_status, attribution_type)
            VALUES (${bought}::uuid, ${person}::uuid, 'current', 'web')`,
          once(west.sql`SELECT FROM withheld_property_contact WHERE contact_id = ${person}::uuid`)
        )
      )
      const log = yield* west.sql`SELECT data FROM delivery_log WHERE org_id = ${orgId}`
      assert.deepStrictEqual(log, [{ data: null }])
    }))

  it.effect("is not made anew where it was, and repeating the move touches no other of its name", () =>
    Effect.gen(function*() {
      const { east, move, west } = yield* TwoCells
      const { orgId } = yield* furnished
      yield* move(orgId)
      // As a move leaves it that was killed before its last statement.
      const [made] = yield* east.sql`SELECT move_id FROM organization_move WHERE org_id = ${orgId}`
      yield* west.sql`INSERT INTO organization_arrived (move_id) VALUES (${made?.["move_id"]}::uuid)`
      assert.strictEqual((yield* move(orgId)).outcome, "unchanged")
      assert.deepStrictEqual(yield* west.sql`SELECT move_id FROM organization_arrived`, [])
      assert.isFalse(yield* at(east.sql)(isMade(orgId)))
      const cell = yield* Organizations.use((organizations) => organizations.movedTo(orgId)).pipe(
        Effect.provide(OrganizationsPg.layer),
        at(east.sql)
      )
      assert.strictEqual(cell, west.name)
      assert.isTrue(yield* at(west.sql)(isMade(orgId)))

      yield* makeAnyhow(east.sql, orgId)
      assert.isTrue(yield* at(east.sql)(isMade(orgId)))
      assert.match(String(yield* Effect.flip(move(orgId))), /is another organization here; nothing of it is touched/)
      assert.isTrue(yield* isThere(east.sql, orgId))
    }))

  it.effect("is not made where it is expected, and what stands there all the same is not taken for its copy", () =>
    Effect.gen(function*() {
      const { east, move, west, whileFenced } = yield* TwoCells
      const { bought, orgId } = yield* furnished
      yield* whileFenced(orgId, "is killed", Effect.void)
      assert.isFalse(yield* at(west.sql)(isMade(orgId)))
      yield* makeAnyhow(west.sql, orgId)
      assert.match(String(yield* Effect.flip(move(orgId))), /has another organization/)
      assert.deepStrictEqual(yield* opened(east.sql, orgId), [bought])
      assert.lengthOf(yield* east.sql`UPDATE organization SET profile = profile WHERE org_id = ${orgId} RETURNING 1`, 1)
      yield* west.sql`DELETE FROM organization WHERE org_id = ${orgId}`
      yield* move(orgId)
      assert.deepStrictEqual(yield* opened(west.sql, orgId), [bought])
      assert.isFalse(yield* isThere(east.sql, orgId))
    }))

  it.effect("that was interrupted is repeated while changes wait, and keeps no other from moving", () =>
    Effect.gen(function*() {
      const { east, move, west, whileFenced, work } = yield* TwoCells
      const { heir, orgId } = yield* furnished
      const other = yield* furnished
      yield* whileFenced(orgId, "is killed", sold(heir))
      yield* move(other.orgId)
      assert.lengthOf(yield* told(east.sql, orgId), 0)
      yield* sold(other.heir)
      yield* move(orgId)
      yield* work(west)
      for (const each of [orgId, other.orgId]) assert.lengthOf(yield* told(west.sql, each), 2)
    }))

  it.effect("is sent what is recorded there afterwards, whatever time it subscribed by the other clock", () =>
    Effect.gen(function*() {
      const { east, move, west, work } = yield* TwoCells
      const { heir, orgId } = yield* furnished
      yield* east.sql`
        INSERT INTO change_subscription (org_id, since, seen)
        VALUES (${orgId}, now() + interval '1 hour', '1000000000000:1000000000000:')`
      yield* move(orgId)
      yield* sold(heir)
      yield* work(west)
      assert.deepStrictEqual(yield* told(west.sql, orgId), [{ before: false }])
    }))

  it.effect("is told nothing that was noted for a move that had ended before", () =>
    Effect.gen(function*() {
      const { east, giveUp, move, west, whileFenced, work } = yield* TwoCells
      const { heir, orgId } = yield* furnished
      yield* sold(heir)
      yield* work(east)
      yield* work(west)
      // The event is too old and removed; the change was relayed in the moment in which another move ended.
      yield* east.sql`DELETE FROM event WHERE org_id = ${orgId}`
      const noteIn = (sql: PgClient.PgClient) =>
        sql`INSERT INTO organization_arrival_change (change_id) SELECT id FROM property_change WHERE key = ${`sale ${heir}`}`
      yield* noteIn(east.sql)
      yield* whileFenced(orgId, "is killed", Effect.void)
      yield* giveUp(orgId)
      yield* work(east)
      assert.lengthOf(yield* told(east.sql, orgId), 0)
      yield* noteIn(west.sql)
      yield* move(orgId)
      yield* work(west)
      assert.lengthOf(yield* told(west.sql, orgId), 0)
    }))

  it.effect("goes on with its log of administration in order", () =>
    Effect.gen(function*() {
      const { east, move, west } = yield* TwoCells
      const { orgId } = yield* furnished
      const [first, second, third] = [Scene.uuid(6, 1), Scene.uuid(6, 2), Scene.uuid(6, 3)] as const
      yield* east.sql`SELECT setval(pg_get_serial_sequence('administration_log', 'number'), 1000)`
      yield* logged(east.sql, orgId, first, Scene.at)
      yield* logged(east.sql, orgId, second, Scene.at)
      yield* move(orgId)
      yield* logged(west.sql, orgId, third, Scene.at + 1000)
      assert.deepStrictEqual(yield* logOf(west.sql, orgId), [third, second, first])
    }))
})

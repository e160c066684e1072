/** What a cell forgets of people and owners who are not to be told of any more. All data is made up. */
import type { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { limitsOf, queryOf } from "@freehold/core/limit/Limits"
import { defaults } from "@freehold/core/organization/Organization"
import { decideLaunch } from "@freehold/core/research/LaunchDecision"
import { ResearchRuns } from "@freehold/core/research/ResearchRuns"
import { Suppressions } from "@freehold/core/suppression/Suppressions"
import * as SampleGrant from "@freehold/core/testing/SampleGrant"
import { contact, property } from "@freehold/core/testing/Seed"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Clock, Context, Effect, Exit, Fiber, Layer } from "effect"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as Database from "../../src/database/Database.ts"
import * as MeasuredClient from "../../src/database/MeasuredClient.ts"
import * as ImportStorePg from "../../src/import/ImportStorePg.ts"
import * as ResearchRunsPg from "../../src/research/ResearchRunsPg.ts"
import * as SuppressionsPg from "../../src/suppression/SuppressionsPg.ts"
import { failedDelivery } from "./FailedDelivery.ts"
import { at, once, TwoCells } from "./TwoCells.ts"

/** What a delivery said of a person. */
const body = "{\"contacts\": [{\"full_name\": \"Ana Person\"}]}"

const bodies = (sql: PgClient.PgClient, orgId: string) =>
  sql`SELECT data FROM delivery_log WHERE org_id = ${orgId} AND data IS NOT NULL`

const actor = { kind: "key", id: "key_sample", name: "sample" } as const

/** Research and the ledger of a cell. */
const researchOf = ({ config }: PgClient.PgClient) => {
  const client = Layer.orDie(MeasuredClient.layer(config, "sample"))
  const pools = Layer.flatMap(client, (context) => {
    const service = Context.get(context, MeasuredClient.MeasuredClient)
    return Layer.merge(Layer.succeed(Database.Pipeline, service), Layer.succeed(Database.Reads, service))
  })
  return ResearchRunsPg.layer.pipe(
    Layer.provide(ImportStorePg.layer),
    Layer.provideMerge(LedgerPg.layer),
    Layer.provide(pools)
  )
}

/** Deep research about a person was paid for, and says this. */
const wrote = Effect.fnUntraced(
  function*(orgId: string, { contactId, propertyId, words }: Record<"contactId" | "propertyId" | "words", string>) {
    const now = yield* Clock.currentTimeMillis
    const [jobId, runId] = [Scene.uuid(6, 1), Scene.uuid(5, 1)]
    yield* SampleGrant.grant(orgId, 1000)
    const runs = yield* ResearchRuns
    const limits = limitsOf(defaults(orgId), null, now)
    const action = "deep_research_contact"
    yield* runs.launch(
      {
        runId,
        orgId,
        action,
        batch: false,
        subjects: [{ subjectId: contactId, jobId }],
        propertyId,
        unlessDelivered: false,
        wish: null,
        actor,
        claimedFor: null,
        now,
        usage: queryOf(limits)
      },
      (snapshot) =>
        decideLaunch(snapshot, {
          action,
          subjectIds: [contactId],
          limits,
          maxCredits: undefined,
          actor,
          requestId: null,
          now
        })
    )
    const strategy = { summary: words, approach: "Ask.", points: [] }
    yield* runs.deliver(jobId, { partial: false, rows: [], result: { _tag: "Strategy", strategy } })
  }
)

layer(TwoCells.layer, { excludeTestServices: true })("in cells", (it) => {
  it.effect("bodies about what is merged into a property whose owners are withheld are forgotten, and about that one", () =>
    Effect.gen(function*() {
      const { east, furnish, importer, merge, seed, work } = yield* TwoCells
      const orgId = "org_merged"
      const [gone, heir] = [Scene.propertyId(2), Scene.propertyId(3)]
      yield* seed({ properties: [gone, heir].map((id) => property({ id, countyFips: Scene.visibleCounty })) })
      yield* furnish({ organizations: [Scene.organization(orgId)] })
      yield* Suppressions.use((port) => port.suppress({ _tag: "Property", named: heir })).pipe(
        Effect.provide(SuppressionsPg.layer),
        at(importer)
      )
      yield* once(east.sql`SELECT FROM property WHERE id = ${heir}::uuid AND owner_withheld`)
      yield* failedDelivery(east.sql, orgId, gone, body)
      yield* failedDelivery(east.sql, orgId, heir, body)
      yield* merge(gone, heir)
      yield* work(east)
      assert.deepStrictEqual(yield* bodies(east.sql, orgId), [])
    }))

  it.effect("nothing is kept of a person who was erased while the organization came, late where it was", () =>
    Effect.gen(function*() {
      const { east, furnish, importer, seed, west, whileFenced } = yield* TwoCells
      const orgId = "org_erased"
      const [place, person, other] = [Scene.propertyId(1), Scene.uuid(4, 1), Scene.uuid(4, 2)]
      yield* seed({
        properties: [property({ id: place, countyFips: Scene.visibleCounty })],
        contacts: [contact({ id: person, fullName: "Ana Person" }), contact({ id: other })]
      })
      yield* once(east.sql`SELECT FROM contact WHERE id = ANY(${[person, other]}::uuid[]) HAVING count(*) = 2`)
      yield* furnish({ organizations: [Scene.organization(orgId)] })
      yield* wrote(orgId, { contactId: other, propertyId: place, words: "Ana Person decides." }).pipe(
        Effect.provide(researchOf(east.sql)),
        at(east.sql)
      )
      yield* failedDelivery(east.sql, orgId, place, body)
      const late = east.sql.literal(`freehold_cell_${east.name}`)
      const catchesUp = Effect.andThen(
        once(west.sql`SELECT FROM organization WHERE org_id = ${orgId}`),
        east.sql`ALTER SUBSCRIPTION ${late} ENABLE`
      )
      const catching = yield* Effect.forkChild(catchesUp)
      const moved = yield* whileFenced(
        orgId,
        "goes on",
        Effect.gen(function*() {
          yield* east.sql`ALTER SUBSCRIPTION ${late} DISABLE`
          yield* once(
            east.sql`SELECT FROM pg_stat_subscription WHERE subname = ${`freehold_cell_${east.name}`} AND pid IS NULL`
          )
          yield* Suppressions.use((port) => port.erase(person)).pipe(Effect.provide(SuppressionsPg.layer), at(importer))
          yield* once(west.sql`SELECT FROM contact WHERE id = ${person}::uuid AND full_name = '(erased)'`)
        })
      )
      assert.deepStrictEqual(Exit.isSuccess(moved) ? null : String(moved), null)
      yield* Fiber.join(catching)
      const kept = yield* west.sql`SELECT result FROM research_item WHERE org_id = ${orgId}`
      assert.deepStrictEqual(kept, [{ result: null }])
      assert.deepStrictEqual(yield* bodies(west.sql, orgId), [])
    }))
})

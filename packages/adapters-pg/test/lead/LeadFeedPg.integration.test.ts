/** `LeadFeedPg` under the contract of every `LeadFeed`, on a real PostgreSQL. */
import { assert, describe, it } from "@effect/vitest"
import { LeadFeed } from "@freehold/core/lead/LeadFeed"
import { leadFeedContract } from "@freehold/core/testing/LeadFeedContract"
import * as Scene from "@freehold/core/testing/WebhookScene"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"
import * as WebhookPorts from "../../src/testing/WebhookPorts.ts"

const ports = Layer.provideMerge(WebhookPorts.layer, TestDatabase.layer)

describe("LeadFeedPg", () => {
  leadFeedContract(ports)

  it.live("shows at once, in order, what was recorded after the database's clock had run ahead and was set back", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const feed = yield* LeadFeed
      yield* Scene.seed(["org_a", "org_b"], 3)
      yield* sql`INSERT INTO event_clock (org_id, last_at) VALUES ('org_a', now() + interval '1 hour')`
      yield* Scene.qualifyMany("org_a", 3)
      yield* Scene.qualify("org_b", 0)
      const recordedBefore = (yield* Clock.currentTimeMillis) - 10_000
      const page = (orgId: string) =>
        Effect.map(
          feed.page({
            orgId,
            visible: { nationwide: true, stateFips: [], countyFips: [] },
            from: { _tag: "Since", since: null },
            recordedBefore,
            limit: 9
          }),
          ({ items }) => items.map((item) => item.property_id)
        )
      assert.deepStrictEqual(yield* page("org_a"), [0, 1, 2].map(Scene.propertyId))
      assert.deepStrictEqual(yield* page("org_b"), [])
    }).pipe(Effect.provide(ports)))
})

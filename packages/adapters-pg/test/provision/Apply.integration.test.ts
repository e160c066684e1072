/** `apply` over PostgreSQL: the contract, and what moved to another cell. */
import { assert, it } from "@effect/vitest"
import * as Apply from "@freehold/core/provision/Apply"
import { applyContract } from "@freehold/core/testing/ApplyContract"
import { Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as KeyRingPg from "../../src/access/KeyRingPg.ts"
import * as LedgerPg from "../../src/credit/LedgerPg.ts"
import * as OrganizationsPg from "../../src/organization/OrganizationsPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const ports = Layer.mergeAll(OrganizationsPg.layer, KeyRingPg.layer, LedgerPg.layer)

applyContract("PostgreSQL", ports.pipe(Layer.provide(TestDatabase.layer)))

it.live("an organization that moved to another cell is not made anew, and the refusal names the cell", () =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    yield* sql`INSERT INTO organization_move (org_id, to_cell, moved_at) VALUES ('org_moved', 'west', now())`
    const { apply } = yield* Apply.make
    const refused = yield* Effect.flip(apply({ organizations: [{ org_id: "org_moved" }] }))
    assert.strictEqual(
      refused.message,
      "organizations.0.org_id: The organization moved to the cell west; apply this part there"
    )
  }).pipe(
    Effect.provide(
      Layer.mergeAll(ports, SecureRandom.layerWebCrypto, Digest.layerWebCrypto).pipe(
        Layer.provideMerge(TestDatabase.layer)
      )
    )
  ))

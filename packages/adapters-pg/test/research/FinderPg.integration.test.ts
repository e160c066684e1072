/** What a finder starts from and remembers over PostgreSQL: the contracts, what sources brought, and who was erased. */
import { assert, layer } from "@effect/vitest"
import { FinderCache } from "@freehold/core/research/FinderCache"
import { FindingGround } from "@freehold/core/research/FindingGround"
import { Suppressions } from "@freehold/core/suppression/Suppressions"
import { finderCacheContract } from "@freehold/core/testing/FinderCacheContract"
import { findingGroundContract } from "@freehold/core/testing/FindingGroundContract"
import { contact, firm, property, Seeder } from "@freehold/core/testing/Seed"
import { Duration, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import * as FinderCachePg from "../../src/research/FinderCachePg.ts"
import * as FindingGroundPg from "../../src/research/FindingGroundPg.ts"
import * as RetentionPg from "../../src/retention/RetentionPg.ts"
import * as SuppressionsPg from "../../src/suppression/SuppressionsPg.ts"
import * as SeederPg from "../../src/testing/SeederPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const ports = Layer.mergeAll(
  FindingGroundPg.layer,
  FinderCachePg.layer,
  RetentionPg.layer,
  SuppressionsPg.layer,
  SeederPg.layer
).pipe(
  Layer.provideMerge(TestDatabase.layer),
  Layer.merge(SecureRandom.layerWebCrypto)
)

findingGroundContract("over PostgreSQL", ports)
finderCacheContract("over PostgreSQL", ports)

const id = (n: number) => `00000000-0000-4000-b000-${String(n).padStart(12, "0")}`

layer(ports, { excludeTestServices: true })("FindingGround over PostgreSQL, beyond its contract", (it) => {
  it.effect("finds the owner of record in what sources brought of firms", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* Seeder.use((seeder) =>
        seeder.add({
          properties: [property({ id: id(1), countyFips: "48990", recordOwner: "REGISTERED SAMPLE INC" })],
          firms: [
            firm({ id: id(2), name: "Registered Sample Inc" }),
            firm({ id: id(3), name: "Registered Sample Inc" })
          ]
        })
      )
      const document = {
        name: "sample-register",
        title: "Register of firms",
        publisher: "Sample State (made up)",
        address: "https://data.example.gov/register",
        rows: "firms"
      }
      yield* sql`INSERT INTO source (name, document) VALUES ('sample-register', ${JSON.stringify(document)}::jsonb)`
      yield* sql`INSERT INTO source_record (source, key, digest) VALUES ('sample-register', ${id(2)}, 'made up')`
      const grounds = yield* FindingGround
      const { firms } = Option.getOrThrow(yield* grounds.of({ action: "research_property", subjectId: id(1) }))
      assert.deepStrictEqual(firms.map(({ id }) => id), [id(2)])
      assert.deepInclude(firms[0]?.register, {
        title: "Register of firms",
        publisher: "Sample State (made up)",
        address: "https://data.example.gov/register"
      })
    }))

  it.effect("bars who was erased, by name and firm too, and forgets the pages that name them", () =>
    Effect.gen(function*() {
      yield* Seeder.use((seeder) =>
        seeder.add({
          firms: [firm({ id: id(11) })],
          contacts: [contact({ id: id(12), fullName: "Cy Quill", email: "cy@gone.example", firmId: id(11) })]
        })
      )
      const cache = yield* FinderCache
      yield* cache.write("page https://gone.example/", { text: "Cy Quill, Director" }, Duration.days(1))
      yield* cache.write("page https://kept.example/", { text: "Bo Quill, Director" }, Duration.days(1))
      yield* Suppressions.use((suppressions) => suppressions.erase("cy@gone.example"))
      const found = { firmId: id(11), domain: null, name: "CY Quill", email: null, key: "found:cy" }
      const people = [
        found,
        { ...found, firmId: id(13) },
        { ...found, firmId: id(13), name: "Somebody Else", email: "Cy@gone.example" }
      ]
      const known = yield* FindingGround.use((grounds) => grounds.acquaintances(people, null))
      assert.deepStrictEqual(known.map(({ _tag }) => _tag), ["Barred", "New", "Barred"])
      assert.isTrue(Option.isNone(yield* cache.read("page https://gone.example/")))
      assert.isTrue(Option.isSome(yield* cache.read("page https://kept.example/")))
    }))
})

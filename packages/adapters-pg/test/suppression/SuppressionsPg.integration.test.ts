/** `Suppressions` over PostgreSQL against its contract, and what is loaded after a suppression. */
import { assert, describe, it } from "@effect/vitest"
import * as ContactsPg from "@freehold/adapters-pg/contact/ContactsPg"
import * as StandingsPg from "@freehold/adapters-pg/coverage/StandingsPg"
import * as ImportRunsPg from "@freehold/adapters-pg/import/ImportRunsPg"
import * as ImportStorePg from "@freehold/adapters-pg/import/ImportStorePg"
import * as BundleSourcePg from "@freehold/adapters-pg/lead/BundleSourcePg"
import * as ListsPg from "@freehold/adapters-pg/list/ListsPg"
import * as PropertiesPg from "@freehold/adapters-pg/property/PropertiesPg"
import * as PropertyMergesPg from "@freehold/adapters-pg/property/PropertyMergesPg"
import * as PropertySearchPg from "@freehold/adapters-pg/property/PropertySearchPg"
import * as SuppressionsPg from "@freehold/adapters-pg/suppression/SuppressionsPg"
import * as SeederPg from "@freehold/adapters-pg/testing/SeederPg"
import * as TestDatabase from "@freehold/adapters-pg/testing/TestDatabase"
import { Standings } from "@freehold/core/coverage/Standings"
import type { ImportKind } from "@freehold/core/import/ImportKind"
import { parsers } from "@freehold/core/import/ImportRow"
import { ImportRuns, noRows } from "@freehold/core/import/ImportRuns"
import { ImportStore } from "@freehold/core/import/ImportStore"
import { namedWords, personWords } from "@freehold/core/suppression/NamedWords"
import { ownerNameKey } from "@freehold/core/suppression/OwnerName"
import { Suppressions } from "@freehold/core/suppression/Suppressions"
import { suppressionContract } from "@freehold/core/testing/SuppressionContract"
import { Deferred, Effect, Fiber, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { waiting } from "../database/Holding.ts"

const layer = Layer.mergeAll(
  BundleSourcePg.layer,
  ContactsPg.layer,
  ImportRunsPg.layer,
  ImportStorePg.layer,
  ListsPg.layer,
  PropertiesPg.layer,
  PropertyMergesPg.layer,
  PropertySearchPg.layer,
  SeederPg.layer,
  StandingsPg.layer,
  SuppressionsPg.layer
).pipe(Layer.provideMerge(TestDatabase.layer))

suppressionContract("over PostgreSQL", layer)

const idOf = (kind: string, key: string) => {
  const hex = createHash("sha256").update(`${kind}/${key}`).digest("hex")
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-")
}
const context = { latestYear: 2027, idOf }

const load = Effect.fnUntraced(function*(kind: Exclude<ImportKind, "changes">, row: object) {
  const store = yield* ImportStore
  const batch = {
    properties: () =>
      ({
        kind: "properties",
        rows: [Result.getOrThrow(parsers.properties({ countyFips: "36061", ...row }, context))]
      }) as const,
    firms: () => ({ kind: "firms", rows: [Result.getOrThrow(parsers.firms(row, context))] }) as const,
    contacts: () => ({ kind: "contacts", rows: [Result.getOrThrow(parsers.contacts(row, context))] }) as const,
    research: () => ({ kind: "research", rows: [Result.getOrThrow(parsers.research(row, context))] }) as const
  }[kind]()
  const { inserted, unchanged, updated } = yield* store.load(batch)
  return { inserted, updated, unchanged }
})
const made = { inserted: 1, updated: 0, unchanged: 0 }
const changed = { inserted: 0, updated: 1, unchanged: 0 }
const same = { inserted: 0, updated: 0, unchanged: 1 }

const stored = Effect.fnUntraced(function*(key: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Record<string, unknown>>`
    SELECT p.record_owner, p.owner_name, p.owner_withheld, p.contact_count, p.search_text_with_name, p.updated_at::text,
      (SELECT count(*)::int FROM property_firm f WHERE f.property_id = p.id) AS firms,
      (SELECT r.beneficial_owner FROM property_research r WHERE r.property_id = p.id) AS beneficial_owner
    FROM property p WHERE p.key = ${key}`
  return row ?? {}
})

const onFreshDatabase = <A, E>(
  effect: Effect.Effect<A, E, ImportRuns | ImportStore | SqlClient.SqlClient | Standings | Suppressions>
) => effect.pipe(Effect.provide(layer))

describe("rows of the suppressed that are loaded later", () => {
  it.live("an owner: withheld at once, unchanged when loaded again, shown when the property has another owner", () =>
    onFreshDatabase(Effect.gen(function*() {
      yield* Suppressions.use((port) => port.suppress({ _tag: "Owner", name: "O'Sample & Co." }))
      const row = { key: "a", recordOwner: "OSAMPLE  CO", ownerName: "Sample", address: "1 Elm" }
      assert.deepStrictEqual(yield* load("properties", row), made)
      const first = yield* stored("a")
      assert.deepStrictEqual(
        [first["record_owner"], first["owner_name"], first["owner_withheld"], first["search_text_with_name"]],
        [null, null, true, "1 elm\n\n\n\n"]
      )
      assert.deepStrictEqual(yield* load("properties", row), same)
      assert.deepStrictEqual(yield* stored("a"), first)
      assert.deepStrictEqual(yield* load("properties", { key: "a", address: "2 Elm" }), changed)
      assert.isNull((yield* stored("a"))["owner_name"])

      assert.deepStrictEqual(yield* load("properties", { key: "a", recordOwner: "Another" }), changed)
      const sold = yield* stored("a")
      assert.deepStrictEqual(
        [sold["record_owner"], sold["owner_name"], sold["owner_withheld"]],
        ["Another", "Sample", false]
      )
      assert.deepStrictEqual(yield* load("properties", { key: "a", recordOwner: "o'sample co" }), changed)
      assert.isTrue((yield* stored("a"))["owner_withheld"])
    })))

  it.live("a beneficial owner and a firm that owns", () =>
    onFreshDatabase(Effect.gen(function*() {
      yield* load("properties", { key: "a" })
      yield* Suppressions.use((port) => port.suppress({ _tag: "Owner", name: "Sample Holdings" }))
      const found = { propertyKey: "a", beneficialOwner: "SAMPLE HOLDINGS", researchedAt: "2026-01-01T00:00:00Z" }
      assert.deepStrictEqual(yield* load("research", found), made)
      assert.deepStrictEqual(yield* load("research", found), same)
      const tie = { propertyKey: "a", role: "owner", attributionType: "county_record" }
      const firm = { key: "f", name: "Sample Holdings", properties: [tie] }
      assert.deepStrictEqual(yield* load("firms", firm), made)
      assert.deepStrictEqual(yield* load("firms", firm), same)
      assert.deepStrictEqual(
        [(yield* stored("a"))["beneficial_owner"], (yield* stored("a"))["firms"]],
        [null, 0]
      )
      yield* load("firms", { key: "f", name: "Sample Holdings II" })
      assert.strictEqual((yield* stored("a"))["firms"], 1)
      yield* load("research", { propertyKey: "a", beneficialOwner: "Another" })
      assert.strictEqual((yield* stored("a"))["beneficial_owner"], "Another")
    })))

  it.live("a person: attached to nothing that is named later either, until it is lifted", () =>
    onFreshDatabase(Effect.gen(function*() {
      yield* load("properties", { key: "a" })
      yield* load("properties", { key: "b" })
      yield* load("firms", { key: "f", name: "Sample Firm" })
      const at = (...keys: ReadonlyArray<string>) => ({
        key: "c",
        fullName: "Ada Sample",
        firmKey: "f",
        properties: keys.map((propertyKey) => ({ propertyKey, role: "executive", relationshipStatus: "current" }))
      })
      yield* load("contacts", at("a"))
      const ada = { _tag: "Contact", named: "c" } as const
      yield* Suppressions.use((port) => port.suppress(ada))
      yield* load("contacts", at("b"))
      assert.deepStrictEqual(yield* load("contacts", at("b")), same)
      const counts = Effect.map(
        Effect.forEach(["a", "b"], stored),
        (rows) => rows.map((row) => row["contact_count"])
      )
      assert.deepStrictEqual(yield* counts, [0, 0])
      yield* Suppressions.use((port) => port.lift(ada))
      assert.deepStrictEqual(yield* counts, [0, 1])
      assert.deepStrictEqual(yield* load("contacts", at("b")), same)
    })))

  it.live("the database and the domain hold the same names for one", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const names = ["ACME, L.L.C.", " O’Brien\t& Søn ", "Ünal-Čapek (Trust) #2", "a\u00a0b__c", "...", "10% @ 5th/6th"]
      for (const name of names) {
        const [row] = yield* sql<{ readonly key: string }>`SELECT owner_name_key(${name}) AS key`
        assert.strictEqual(row?.key, ownerNameKey(name), name)
      }
    })))

  it.live("standings tell that an owner is withheld, by the record or by research", () =>
    onFreshDatabase(Effect.gen(function*() {
      for (const key of ["a", "b", "c"]) {
        yield* load("properties", { key, recordOwner: key === "a" ? "Elm Trust" : "Other" })
        yield* load("research", {
          propertyKey: key,
          beneficialOwner: key === "b" ? "Elm Trust" : "Other",
          researchedAt: "2026-01-01"
        })
      }
      const withholding = Effect.gen(function*() {
        const standings = yield* Standings
        const { properties } = yield* standings.read({ orgId: "org_a", properties: ["a", "b", "c"], contacts: [] })
        return properties.filter((each) => each.withholdsOwner).map(({ key }) => key).toSorted()
      })
      assert.deepStrictEqual(yield* withholding, [])
      yield* Suppressions.use((port) => port.suppress({ _tag: "Owner", name: "Elm Trust" }))
      assert.deepStrictEqual(yield* withholding, ["a", "b"])
    })))

  it.live("what was written names nobody, by the name that they have now", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* load("contacts", { key: "c", fullName: "Ada Sample" })
      yield* Suppressions.use((port) => port.suppress({ _tag: "Contact", named: "c" }))
      yield* load("contacts", { key: "c", fullName: "Ada Ortiz" })
      const told = Effect.fnUntraced(function*(result: object) {
        const [row] = yield* sql<{ readonly told: unknown }>`SELECT written_listed(${
          JSON.stringify(result)
        }::jsonb) AS told`
        return row?.told
      })
      const strategy = (summary: string, ...points: ReadonlyArray<string>) => ({
        _tag: "Strategy",
        strategy: { summary, approach: "Ask.", points }
      })
      assert.deepStrictEqual(
        yield* told(strategy("Jo.", "ADA B. ÖRTIZ signs.", "Ada Sample.")),
        strategy("Jo.", "Ada Sample.")
      )
      assert.deepStrictEqual(yield* told(strategy("Jo.", "Ada Ortiz's.")), strategy("Jo."))
      assert.isNull(yield* told(strategy("Ask Ada Ortiz.")))
      assert.isNull(yield* told({ _tag: "Draft", draft: { subject: "Hello", body: "Ada Ortiz wrote." } }))
      const claims = (...quotes: ReadonlyArray<string>) => ({
        _tag: "Claims",
        claims: quotes.map((quote) => ({ quote, values: [] }))
      })
      assert.deepStrictEqual(yield* told(claims("Bo, then Ada Ortiz.", "Bo.")), claims("Bo."))
      const draft = { _tag: "Draft", draft: { subject: "Hello", body: "Ada wrote." }, points: [] }
      assert.deepStrictEqual(yield* told(draft), draft)
      yield* Suppressions.use((port) => port.erase("c"))
      assert.deepStrictEqual(yield* sql`SELECT name_words FROM suppressed_contact`, [{ name_words: null }])
    })))

  it.live("few of the names are looked at for a text, however many are suppressed", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [read] = yield* sql.withTransaction(Effect.gen(function*() {
        yield* sql`SET LOCAL session_replication_role = replica`
        yield* sql`
          INSERT INTO suppressed_contact (contact_id, name_words)
          SELECT gen_random_uuid(), 'ada sample' || n FROM generate_series(1, 20000) AS n`
        yield* sql`INSERT INTO suppressed_owner (name_key, name) SELECT n, 'The Sample ' || n FROM generate_series(1, 20000) AS n`
        yield* sql`ANALYZE suppressed_contact, suppressed_owner`
        const rows = yield* sql`
          SELECT names_suppressed('Ada Example and the samples of Ada Sample2 hold it.') AS one,
            names_suppressed('Ada Example and the samples hold it.') AS none`
        assert.deepStrictEqual(rows, [{ one: true, none: false }])
        return yield* sql<{ readonly rows: number }>`
          SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows FROM pg_stat_xact_user_tables
          WHERE relname IN ('suppressed_contact', 'suppressed_owner')`
      }))
      assert.isBelow(read?.rows ?? Infinity, 20)
    })))

  it.live("the database and the domain find the same words in a text", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const texts = [
        "Ana B.  Örtiz-Sample’s “deed” (2)",
        "J. B.",
        "",
        "a\u00a0bc__d\te—F",
        "O'Neil & Co., [x] ^y\\z",
        "𝒜 b ÉÑ"
      ]
      for (const text of [...texts, "J. Sample", "Grace", "王 伟"]) {
        const [row] = yield* sql<{ readonly words: string; readonly name: string | null }>`
          SELECT named_words(${text}) AS words, person_words(${text}) AS name`
        assert.deepStrictEqual(row, { words: namedWords(text), name: personWords(text) }, text)
      }
    })))

  it.live("who is erased is found by the words of the name, the email and the id, and not by a piece of another word", () =>
    onFreshDatabase(Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* load("contacts", { key: "ada", fullName: "Ada Örtiz", email: "ada@sample.example" })
      yield* load("contacts", { key: "ana", fullName: "Ana" })
      const [{ id: ada } = { id: "" }] = yield* sql<{ readonly id: string }>`SELECT id FROM contact WHERE key = 'ada'`
      const speaking = Effect.fnUntraced(function*(key: string, text: string) {
        const [row] = yield* sql<{ readonly told: boolean }>`
          SELECT tells_of(${text}, c) AS told FROM contact c WHERE c.key = ${key}`
        return row?.told
      })
      for (
        const text of [
          "Ada B. Ortiz signed.",
          JSON.stringify({ body: "Hello,\nADA ÖRTIZ" }),
          "to ADA@sample.example",
          `"${ada}"`
        ]
      ) assert.isTrue(yield* speaking("ada", text), text)
      for (const text of ["Ortiz, Ada", "Adam Ortiz", "Bo"]) assert.isFalse(yield* speaking("ada", text), text)
      assert.isFalse(yield* speaking("ana", "Its management is in Ana Lopez' hands."))
    })))

  it.live("of who is erased nothing stays in what imports of the app showed and rejected, and all of the others", () =>
    onFreshDatabase(Effect.gen(function*() {
      const runs = yield* ImportRuns
      yield* load("contacts", { key: "ada", fullName: "Ada Örtiz", email: "ada@sample.example" })
      yield* load("contacts", { key: "bo", fullName: "Bo Sample", email: "bo@sample.example" })
      const [id, now] = ["00000000-0000-4000-8000-000000000001", 1]
      yield* runs.begin({ id, kind: "contacts", name: "x", strict: false, dryRun: false, by: "Sam", map: null, now })
      yield* runs.addPart({ id, number: 0, bytes: new Uint8Array(1), now })
      yield* runs.start(id, now)
      const bo = { key: "bo\u0000", fullName: "Bo Sample", phone: "1\n2" }
      const rejected = (line: number, row: unknown) =>
        `${JSON.stringify({ line, field: "phone", reason: "must be text", row })}\n`
      yield* runs.reject(
        id,
        rejected(1, { ID: "1", "First name": "Ada", "Last name": "Ortiz", Phone: "555" }) + rejected(2, bo)
          + rejected(3, `{"fullName":"Ada Örtiz"`) + rejected(4, { ID: "4", Mail: "ADA@sample.example" })
          + rejected(7, { Note: "\"Ada Örtiz\": not any more" })
      )
      yield* runs.reject(id, rejected(5, { fullName: "ada ortiz" }))
      yield* runs.reject(id, rejected(6, bo))
      const shown = [
        { line: 1, row: { key: "ada", fullName: "Ada Örtiz", phone: "555" } },
        { line: 2, row: bo },
        { line: 3, row: { key: "1", email: "ada@sample.example" } },
        { line: 4, row: { key: "2", firstName: "Ada", lastName: "Ortiz" } }
      ]
      yield* runs.end(id, { counts: noRows, shown, note: null, fault: null, now })
      yield* Suppressions.use((port) => port.erase("ada"))
      assert.deepStrictEqual(yield* runs.rejects(id, 0), [rejected(2, bo), "", rejected(6, bo)])
      assert.deepStrictEqual(Option.getOrThrow(yield* runs.find(id, now)).shown, [{ line: 2, row: bo }])
    })))

  it.live("who is erased while an import tells of a row is found in it afterwards", () =>
    onFreshDatabase(Effect.gen(function*() {
      const [runs, store] = [yield* ImportRuns, yield* ImportStore]
      yield* load("contacts", { key: "ada", fullName: "Ada Sample" })
      const [id, now] = ["00000000-0000-4000-8000-000000000001", 1]
      yield* runs.begin({ id, kind: "contacts", name: "x", strict: false, dryRun: false, by: "Sam", map: null, now })
      yield* runs.addPart({ id, number: 0, bytes: new Uint8Array(1), now })
      yield* runs.start(id, now)
      const [looked, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const telling = yield* Effect.forkChild(runs.keeping(Effect.gen(function*() {
        const erased = yield* store.erased([{ key: "ada", email: null, linkedinUrl: null }])
        yield* Deferred.succeed(looked, undefined)
        yield* Deferred.await(go)
        if (erased.size === 0) yield* runs.reject(id, `{"fullName":"Ada Sample"}`)
      })))
      yield* Deferred.await(looked)
      const erasing = yield* Effect.forkChild(Suppressions.use((port) => port.erase("ada")))
      yield* Effect.raceFirst(waiting(1), Fiber.join(erasing))
      yield* Deferred.succeed(go, undefined)
      yield* Fiber.join(telling)
      yield* Fiber.join(erasing)
      assert.deepStrictEqual(yield* runs.rejects(id, 0), [""])
    })))
})

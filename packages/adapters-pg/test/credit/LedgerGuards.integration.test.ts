/**
 * The database's own guards: what no program may write, whatever it thinks, each named by what refuses it. The laws hold
 * without them, by the locks; they are the second line (L2 L3 L5 L9 L10 L15).
 *
 * All data is made up.
 */
import { assert, layer } from "@effect/vitest"
import { defaults } from "@freehold/core/organization/Organization"
import { contact, property, Seeder } from "@freehold/core/testing/Seed"
import { Effect, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as SeederPg from "../../src/testing/SeederPg.ts"
import * as TestDatabase from "../../src/testing/TestDatabase.ts"

const id = (last: number) => `00000000-0000-4000-8000-${String(last).padStart(12, "0")}`

/** An organization that unlocked one property and revealed one contact: the entries 1 to 3. */
const seed = Seeder.use((seeder) =>
  seeder.add({
    organizations: [defaults("org_guard")],
    properties: [property({ id: id(1), countyFips: "99001" }), property({ id: id(2), countyFips: "99001" })],
    contacts: [contact({ id: id(3) }), contact({ id: id(4) })],
    accesses: [
      { orgId: "org_guard", kind: "property", id: id(1), source: "paid" },
      { orgId: "org_guard", kind: "contact", id: id(3), source: "paid" }
    ]
  })
)

const entry = (
  values: Partial<Record<"entry" | "kind" | "ref" | "credits" | "purchased" | "after" | "refundOf", string>>
) => `
  INSERT INTO credit_entry (org_id, entry, at, kind, ref, credits, trial, included, enterprise_pool, purchased,
    balance_after, actor, refund_of, allocations)
  VALUES ('org_guard', ${values.entry ?? "4"}, now(), '${values.kind ?? "grant"}', ${values.ref ?? "'new'"},
    ${values.credits ?? "5"}, 0, 0, 0, ${values.purchased ?? values.credits ?? "5"}, ${values.after ?? "5"}, '{}',
    ${values.refundOf ?? "NULL"}, '[]')`

const refund = (number: string) => entry({ entry: number, kind: "refund", ref: "NULL", refundOf: "2" })

const forbidden: ReadonlyArray<
  { readonly what: string; readonly statements: ReadonlyArray<string>; readonly by: string }
> = [
  { what: "an entry's number twice (L3)", statements: [entry({ entry: "3" })], by: "credit_entry_pkey" },
  { what: "a reference granted twice (L9)", statements: [entry({ ref: "'seed'" })], by: "credit_entry_grant" },
  {
    what: "two grants of one reference (L9)",
    statements: [
      "INSERT INTO credit_grant SELECT org_id, ref, bucket, amount, remaining, expires_at, entry FROM credit_grant"
    ],
    by: "credit_grant_pkey"
  },
  { what: "a charge refunded twice (L10)", statements: [refund("4"), refund("5")], by: "credit_entry_refund" },
  {
    what: "two properties for one charge (L5)",
    statements: [`INSERT INTO property_access VALUES ('org_guard', '${id(2)}', 'paid', 2, now())`],
    by: "property_access_charge"
  },
  {
    what: "two contacts for one charge (L5)",
    statements: [`INSERT INTO contact_access VALUES ('org_guard', '${id(4)}', 'paid', 3, now())`],
    by: "contact_access_charge"
  },
  {
    what: "a paid property without a charge (L5)",
    statements: [`INSERT INTO property_access VALUES ('org_guard', '${id(2)}', 'paid', NULL, now())`],
    by: "property_access_check"
  },
  {
    what: "a covered property with a charge (L5 I10)",
    statements: ["UPDATE property_access SET source = 'covered'"],
    by: "property_access_check"
  },
  {
    what: "a charge that is not there (L5)",
    statements: ["UPDATE property_access SET charge_entry = 99"],
    by: "property_access_org_id_charge_entry_fkey"
  },
  { what: "a balance below zero (L2)", statements: [entry({ after: "-1" })], by: "credit_entry_balance_after_check" },
  {
    what: "a bucket below zero (L2)",
    statements: ["UPDATE credit_account SET purchased = -1"],
    by: "credit_account_purchased_check"
  },
  {
    what: "a grant with less than nothing left (L1 L2)",
    statements: ["UPDATE credit_grant SET remaining = -1"],
    by: "credit_grant_check"
  },
  {
    what: "a grant with more left than it gave (L1)",
    statements: ["UPDATE credit_grant SET remaining = amount + 1"],
    by: "credit_grant_check"
  },
  {
    what: "an entry whose buckets are not its credits (L3)",
    statements: [entry({ purchased: "6" })],
    by: "credit_entry_check"
  },
  {
    what: "a charge that gives (L7)",
    statements: [entry({ kind: "charge", ref: "NULL" })],
    by: "credit_entry_check1"
  }
]

const Refused = Schema.Struct({ constraint: Schema.String })

layer(SeederPg.layer.pipe(Layer.provideMerge(TestDatabase.layer)), { excludeTestServices: true })(
  "The database refuses",
  (it) => {
    for (const { by, statements, what } of forbidden) {
      it.effect(what, () =>
        Effect.gen(function*() {
          const sql = yield* SqlClient.SqlClient
          yield* Seeder.use((seeder) => seeder.clear)
          yield* seed
          const written = yield* Effect.result(Effect.forEach(statements, (statement) => sql.unsafe(statement)))
          if (Result.isSuccess(written)) return assert.fail("the database accepted it")
          const { constraint } = yield* Schema.decodeUnknownEffect(Refused)(written.failure.reason.cause)
          assert.strictEqual(constraint, by)
        }))
    }
  }
)

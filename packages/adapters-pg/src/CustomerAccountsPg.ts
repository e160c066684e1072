/** `CustomerAccounts` over PostgreSQL: each method is one statement, however many rows it is about. */
import { CustomerAccounts, type Location } from "@freehold/core/customer/CustomerAccounts"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "./Database.ts"
import { unavailable } from "./internal/Availability.ts"
import { textArray } from "./internal/BulkWrite.ts"
import { storable } from "./internal/StorableText.ts"
import { writing } from "./internal/Transaction.ts"

interface LocatedRow extends Location {
  readonly key: string
}

export const layer: Layer.Layer<CustomerAccounts, never, SqlClient.SqlClient | Database.Reads> = Layer.effect(
  CustomerAccounts,
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reads = yield* Database.Reads

    return CustomerAccounts.of({
      locate: Effect.fn("CustomerAccounts.locate")(function*(refs) {
        const ids = refs.flatMap((ref) => ref._tag === "Id" ? [ref.id] : [])
        const keys = refs.flatMap((ref) => ref._tag === "Key" ? [storable(ref.key)] : [])
        const rows = yield* reads<LocatedRow>`
          SELECT p.id, p.key, p.county_fips AS "countyFips", p.retired_into AS "retiredInto" FROM property p
          WHERE p.id = ANY(${textArray(ids)}::uuid[])
          UNION ALL
          SELECT p.id, p.key, p.county_fips, p.retired_into FROM property p WHERE p.key = ANY(${
          textArray(keys)
        }::text[])`
        const byId = new Map(rows.map((row) => [row.id, row]))
        const byKey = new Map(rows.map((row) => [row.key, row]))
        return refs.map((ref) =>
          Option.fromUndefinedOr(ref._tag === "Id" ? byId.get(ref.id) : byKey.get(storable(ref.key)))
        )
      }, Effect.catchTag("SqlError", unavailable)),

      sync: Effect.fn("CustomerAccounts.sync")(function*(orgId, accounts, { byAgent, now }) {
        yield* writing(sql`
          SELECT FROM customer_sync(
            ${orgId}::text, ${
          JSON.stringify(accounts)
        }::jsonb, ${byAgent}, to_timestamp(${now}::double precision / 1000)
          )`)
      }, Effect.catchTag("SqlError", unavailable))
    })
  })
)

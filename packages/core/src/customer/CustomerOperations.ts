/** What can be asked of customer accounts. service-api "Customer accounts". */
import { Schema } from "effect"
import * as Operation from "../operation/Operation.ts"

/** Most rows of one call. */
const maximumAccounts = 500

/** POST /customer-accounts/sync. */
export const SyncCustomerAccounts = Operation.make("service_sync_customer_accounts", {
  title: "Sync customer accounts",
  description:
    "Free. Tells which properties are your organization's customers now (active) or were (churned). Each row for itself; " +
    "of rows about the same property the last counts.",
  input: Schema.Struct({
    accounts: Schema.Array(Schema.Struct({
      property_id: Schema.String.check(
        Schema.makeFilter((text: string) => text !== "" && text.length <= 400 || "Expected the id or key of a property")
      ).annotate({ description: "Id or key." }),
      status: Schema.Literals(["active", "churned"])
    })).check(
      Schema.makeFilter((rows: ReadonlyArray<unknown>) =>
        rows.length >= 1 && rows.length <= maximumAccounts || `Expected 1 to ${maximumAccounts} rows`
      )
    )
  }),
  output: Schema.Struct({
    results: Schema.Array(Schema.Struct({
      property_id: Schema.String,
      status: Schema.Literals(["synced", "error"]),
      /** Present where true. */
      out_of_service_area: Schema.optionalKey(Schema.Literal(true)),
      /** Present on an error. */
      error: Schema.optionalKey(Schema.String)
    })),
    synced_count: Schema.Int,
    error_count: Schema.Int,
    out_of_service_area_count: Schema.Int
  }),
  refusals: [],
  access: { scope: "accounts:sync", plan: "team", app: "nobody" },
  effect: "write"
})

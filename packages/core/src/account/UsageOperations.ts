/** What the app shows of the limits of all three levels. service-api "Usage limits", decisions sections 9 and 19. */
import { Schema } from "effect"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { DailyLimitKind } from "../organization/Organization.ts"
import { recordsFields } from "./AllowanceOperations.ts"

const Cap = Schema.NullOr(Schema.Int)

/** What a key used of one limit; `remaining` null: nothing limits it. */
const KeyUse = Schema.Struct({
  credential_id: Schema.String,
  label: Schema.String,
  /** The key's own layer; null: none. */
  value: Cap,
  used: Schema.Int,
  /** Of every layer that binds the key. */
  remaining: Cap
})

const MinuteOfKey = Schema.Struct({
  credential_id: Schema.String,
  label: Schema.String,
  used: Schema.Int,
  /** null: no minute runs; it begins with the next request. */
  resets_at: Schema.NullOr(Schema.String)
})

export const GetUsage = Operation.make("app_get_usage", {
  title: "Usage and limits",
  description:
    "Free. The credits that you spent this month; for admins every limit of the organization, by key and by member, with what is " +
    "used, what is left and when it begins anew.",
  input: NoInput,
  output: Schema.Struct({
    mine: Schema.Struct({
      /** Credits of the UTC month, those that were given back left out. */
      spent: Schema.Int,
      limit: Cap,
      resets_at: Schema.String
    }),
    /** null: the caller is no admin. */
    organization: Schema.NullOr(Schema.Struct({
      /** Level 1. `per_day` null: no ceiling. */
      requests: Schema.Struct({
        per_minute: Schema.Int,
        keys: Schema.Array(MinuteOfKey),
        per_day: Cap,
        used_today: Schema.Int,
        resets_at: Schema.String
      }),
      /** Level 2, one a kind. The app itself counts towards none of them. */
      daily: Schema.Array(Schema.Struct({
        kind: DailyLimitKind,
        /** The service's layer, and the organization's own one; null: none. */
        service: Cap,
        organization: Cap,
        /** One of them follows from the records allowance. */
        derived: Schema.Boolean,
        used: Schema.Int,
        remaining: Cap,
        keys: Schema.Array(KeyUse)
      })),
      daily_resets_at: Schema.String,
      /** Level 3. */
      records: Schema.Struct(recordsFields),
      members: Schema.Array(Schema.Struct({
        member_id: Schema.String,
        name: Schema.String,
        spent: Schema.Int,
        limit: Cap
      }))
    }))
  }),
  refusals: [],
  access: { scope: null, plan: "team" },
  effect: "read",
  tool: false
})

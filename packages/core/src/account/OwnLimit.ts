/** A member's own monthly credit limit, as they are told of it; others are told nothing. */
import { Schema } from "effect"
import { iso } from "../limit/LimitRefusals.ts"
import type { Spender } from "../limit/MemberSpending.ts"

const OwnLimit = Schema.Struct({
  limit: Schema.Int,
  /** In this UTC calendar month, what was given back left out. */
  spent: Schema.Int,
  remaining: Schema.Int,
  resets_at: Schema.String
}).annotate({ identifier: "OwnLimit" })

/** Beside what else is told of credits and limits. */
export const ownLimitField = { own_limit: Schema.optionalKey(OwnLimit) }

export const ownLimitOf = (spender: Spender | null, spent: number): { readonly own_limit?: typeof OwnLimit.Type } =>
  spender === null ? {} : {
    own_limit: {
      limit: spender.limit,
      spent,
      remaining: Math.max(0, spender.limit - spent),
      resets_at: iso(spender.until)
    }
  }

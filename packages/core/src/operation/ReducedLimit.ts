/**
 * `limit` where a number above the maximum means the maximum, however great it is: GET /leads, /events, /lists and their
 * twins. Everywhere else such a number is refused. decisions, "General rules".
 */
import { Schema } from "effect"

/** As `Schema.Int` from 1 on, and past the integers that a double holds exactly. */
export const ReducedLimit = Schema.Finite.check(
  Schema.makeFilter((limit: number) => Number.isInteger(limit) && limit >= 1, {
    expected: "a whole number, at least 1",
    toJsonSchema: () => ({ type: "integer", minimum: 1 })
  })
)

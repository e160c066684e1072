/** The arguments that browsing people and browsing firms have in common. service-api "Structural limits". */
import { Effect, Schema } from "effect"
import { atMost } from "./Characters.ts"
import { invalid } from "./InvalidInput.ts"
import { Cursor, type Question } from "./PageCursor.ts"

export const defaultLimit = 25
export const maximumLimit = 200

/** What is skipped has to be found and put in order all the same. Further on a cursor goes, which starts where it is. */
export const maximumOffset = 10_000

/** A whole number that the database can hold. */
export const Count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))

/** Part of a name or title, without regard to case. */
export const Fragment = Schema.String.check(
  Schema.makeFilter<string>((text) => text.trim() !== "" || "Expected at least one character that is no space", {
    toJsonSchema: () => [{ minLength: 1 }, true]
  }),
  atMost(200)
)

/** Lower case, with single spaces, as ports take it. */
export const normalized = (fragment: string): string => fragment.trim().replace(/\s+/g, " ").toLowerCase()

const Offset = Schema.Int.check(
  Schema.isGreaterThanOrEqualTo(0),
  Schema.isLessThanOrEqualTo(maximumOffset, {
    message: `Expected at most ${maximumOffset}; go on with cursor, the next_cursor of the page before`
  })
)

export const fields = {
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumLimit })).annotate({
      description: "Default 25."
    })
  ),
  cursor: Schema.optionalKey(Cursor),
  offset: Schema.optionalKey(Offset)
}

/** Refuses the two ways to go on at once. */
export const oneWay = ({ cursor, offset }: { readonly cursor?: unknown; readonly offset?: unknown }) =>
  cursor !== undefined && offset !== undefined
    ? Effect.fail(invalid("offset", "Expected cursor or offset, not both"))
    : Effect.void

/** What a cursor of these arguments belongs to: all of them but for the page. */
export const questionOf = (
  name: string,
  orgId: string,
  { cursor: _, limit: __, offset: ___, ...asked }: { readonly [argument: string]: unknown }
): Question => [name, orgId, asked]

/**
 * Pages of what is browsed by texts: found as the texts are written, and where nothing is, in any accents. A cursor goes on with what its
 * page was found by.
 */
import { Effect } from "effect"
import * as Accents from "./Accents.ts"
import type { InvalidCursor } from "./InvalidCursor.ts"
import type { Place, Question } from "./PageCursor.ts"

/** Where a page begins, and whether it is of what was found in any accents. */
export interface Begun {
  /** null: the first page. */
  readonly after: Place | null
  readonly anyAccents: boolean
}

/** What the cursor of a page belongs to that was found so. */
export const questionOf = (question: Question, anyAccents: boolean): Question => [
  ...question,
  ...anyAccents ? ["any accents"] : []
]

/** `open`: the place behind the page's cursor, if it belongs to the question. */
export const begin = (
  { open, question, texts }: {
    readonly open: (question: Question) => Effect.Effect<Place | null, InvalidCursor>
    readonly question: Question
    readonly texts: ReadonlyArray<string>
  }
): Effect.Effect<Begun, InvalidCursor> => {
  const begunWith = (anyAccents: boolean) =>
    Effect.map(open(questionOf(question, anyAccents)), (after) => ({ after, anyAccents }))
  return Effect.catchTag(
    begunWith(false),
    "INVALID_CURSOR",
    (refused) => texts.length === 0 ? Effect.fail(refused) : begunWith(true)
  )
}

/** What was found, and whether in any accents. */
export const look = Effect.fnUntraced(function*<Found extends { readonly total: number }, E, R>(
  { after, anyAccents }: Begun,
  texts: ReadonlyArray<string>,
  find: (anyAccents: boolean) => Effect.Effect<Found, E, R>
) {
  const found = yield* find(anyAccents)
  return found.total === 0 && after === null && texts.some(Accents.isTold)
    ? { found: yield* find(true), anyAccents: true }
    : { found, anyAccents }
})

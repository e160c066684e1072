/**
 * Reads a paged list of a port to its end. A page begins behind the last item of the one before, so what is added or removed
 * meanwhile moves none of the others.
 */
import { Effect } from "effect"

const pageSize = 500

/** What is asked for of a page; `last`: the last item of the one before, undefined of the first page. */
export interface Page<A> {
  readonly limit: number
  readonly last: A | undefined
}

/** `read` answers at most `limit` items from behind `last` on; a shorter page is the last one. */
export const allPages = Effect.fnUntraced(function*<A, E, R>(
  read: (page: Page<A>) => Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.fn.Return<ReadonlyArray<A>, E, R> {
  const items: Array<A> = []
  for (;;) {
    const page = yield* read({ limit: pageSize, last: items.at(-1) })
    items.push(...page)
    if (page.length < pageSize) return items
  }
})

/** Reads a paged list of a port to its end. */
import { Effect } from "effect"

const pageSize = 500

/** `read` answers a page of at most `limit` items from `offset` on; a shorter one is the last. */
export const allPages = Effect.fnUntraced(function*<A, E, R>(
  read: (page: { readonly limit: number; readonly offset: number }) => Effect.Effect<ReadonlyArray<A>, E, R>
): Effect.fn.Return<ReadonlyArray<A>, E, R> {
  const items: Array<A> = []
  for (;;) {
    const page = yield* read({ limit: pageSize, offset: items.length })
    items.push(...page)
    if (page.length < pageSize) return items
  }
})

/** A list that is shown page by page: the button for the next one, and where that begins. */

/** What `useInfiniteQuery` tells of it. */
interface Paged {
  readonly fetchNextPage: () => Promise<unknown>
  readonly hasNextPage: boolean
  readonly isFetching: boolean
}

export const ShowMore = ({ of: { fetchNextPage, hasNextPage, isFetching } }: { readonly of: Paged }) =>
  hasNextPage && (
    <p>
      <button className="plain" disabled={isFetching} onClick={() => void fetchNextPage()} type="button">
        Show more
      </button>
    </p>
  )

/** Where a page begins of a list that is read by cursor. */
export interface CursorPage {
  readonly cursor?: string
}

export const firstPage: CursorPage = {}

/** The page after this one; null: there is none. */
export const nextPage = ({ next_cursor }: { readonly next_cursor: string | null }): CursorPage | null =>
  next_cursor === null ? null : { cursor: next_cursor }

/** The offset of the page after these, of which the last may be empty before all are reached; null: there is none. */
export const nextOffset = (pages: ReadonlyArray<ReadonlyArray<unknown>>, total: number): number | null => {
  const reached = pages.reduce((sum, page) => sum + page.length, 0)
  return pages.at(-1)?.length !== 0 && reached < total ? reached : null
}

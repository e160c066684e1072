/** A list that is shown page by page: the button for the next one, and where that begins. */
import { useLayoutEffect, useRef, useState } from "react"

/** What `useInfiniteQuery` tells of it. */
export interface Paged {
  readonly fetchNextPage: () => Promise<unknown>
  readonly hasNextPage: boolean
  readonly isFetching: boolean
}

/** The button keeps the focus while more is read; once all is shown, the words in its place have it. */
export const ShowMore = ({ label = "Show more", of: { fetchNextPage, hasNextPage, isFetching } }: {
  readonly of: Paged
  readonly label?: string
}) => {
  const [wasUsed, setWasUsed] = useState(false)
  const end = useRef<HTMLParagraphElement>(null)
  const isEnd = wasUsed && !hasNextPage
  useLayoutEffect(() => {
    if (isEnd && document.activeElement === document.body) end.current?.focus()
  }, [isEnd])
  const more = () => {
    if (isFetching) return
    setWasUsed(true)
    void fetchNextPage()
  }
  if (isEnd) return <p ref={end} role="status" tabIndex={-1}>That is all.</p>
  return hasNextPage && (
    <p>
      <button aria-disabled={isFetching} className="plain" onClick={more} type="button">{label}</button>
    </p>
  )
}

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

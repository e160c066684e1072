/** The way to the next rows of what comes page by page. */
export const More = ({ query: { fetchNextPage, hasNextPage, isFetching } }: {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetching: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
}) =>
  hasNextPage && (
    <p>
      <button className="plain" disabled={isFetching} onClick={() => void fetchNextPage()} type="button">
        Show more
      </button>
    </p>
  )

/** Pages that follow one another by cursor, as `useInfiniteQuery` asks for them. */

/** What a page is asked for with, beside its question. */
export interface Start {
  readonly cursor?: string
}

export const start: Start = {}

/** The page after one that answered this; null: there is none. */
export const following = (cursor: string | null): Start | null => cursor === null ? null : { cursor }

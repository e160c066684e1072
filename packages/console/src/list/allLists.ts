/** All lists of a kind that a member sees, newest first: whoever chooses one has to find it, however many there are. */
import { call, type Output } from "../service/Call.ts"
import type { ListType } from "./Lists.ts"

type Found = Output<"service_list_lists">["lists"]

/** The service tells so many at once. */
const pageSize = 200

export const allLists = async (type: ListType, signal: AbortSignal): Promise<Found> => {
  const pageAfter = async (before: Found, cursor: string | null): Promise<Found> => {
    const asked = { type, limit: pageSize, ...cursor === null ? {} : { cursor } }
    const { lists, next_cursor } = (await call("service_list_lists", asked, signal)).data
    const all = [...before, ...lists]
    return next_cursor === null ? all : await pageAfter(all, next_cursor)
  }
  return await pageAfter([], null)
}

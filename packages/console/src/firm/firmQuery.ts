/** One firm, as the service tells it. */
import { queryOptions } from "@tanstack/react-query"
import { call } from "../service/Call.ts"

/** What is kept of firms begins with it. */
export const firmRoom = "firm"

export const firmQuery = (id: string) =>
  queryOptions({
    queryKey: [firmRoom, id],
    queryFn: async ({ signal }) => (await call("service_get_organization", { id }, signal)).data
  })

/** The organizations that whoever is signed in may go on in. */
import { queryOptions } from "@tanstack/react-query"
import { call } from "../service/Call.ts"

export const organizationsQuery = queryOptions({
  queryKey: ["organizations"],
  queryFn: async ({ signal }) => (await call("app_list_organizations", {}, signal)).data.items
})

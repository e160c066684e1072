/** The members whom leads and tasks can be given to. */
import { useQuery } from "@tanstack/react-query"
import { call } from "../service/Call.ts"

export const useColleagues = () =>
  useQuery({
    queryKey: ["colleagues"],
    queryFn: async ({ signal }) => (await call("app_list_colleagues", {}, signal)).data.members,
    staleTime: 300_000
  })

/** The lead of a property with its history; null: it was never qualified. */
import { useQuery } from "@tanstack/react-query"
import { call } from "../service/Call.ts"

export const useLead = (property_id: string, isEnabled = true) =>
  useQuery({
    queryKey: ["lead", property_id],
    queryFn: async ({ signal }) => (await call("app_get_lead", { property_id }, signal)).data.lead,
    enabled: isEnabled,
    // Others move it too.
    staleTime: 0
  })

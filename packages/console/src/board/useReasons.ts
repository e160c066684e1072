/** Why leads end, as the organization calls it. */
import { useQuery } from "@tanstack/react-query"
import { word } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { disqualifyReasons } from "./Stages.ts"

/** The reasons of lost leads, those of the organization among them. */
export const useLossReasons = (isEnabled: boolean) =>
  useQuery({
    queryKey: ["loss reasons"],
    queryFn: async ({ signal }) => (await call("service_get_loss_reasons", {}, signal)).data.reasons,
    enabled: isEnabled,
    staleTime: 300_000
  })

/** What a reason is called; one that is gone by now is shown as its own word. */
export const useReasonName = (isEnabled: boolean): (code: string) => string => {
  const { data = [] } = useLossReasons(isEnabled)
  const names = new Map([
    ...Object.entries(disqualifyReasons),
    ...data.map(({ code, label }) => [code, label] as const)
  ])
  return (code) => names.get(code) ?? word(code)
}

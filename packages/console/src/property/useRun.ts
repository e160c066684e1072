/** The run of research about something that is followed: one that was started here, or is under way, whoever started it and however long ago. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call, type Input } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"

type Asked = Input<"service_list_research_runs">

/** More than may be under way about one. */
const newest = 5

/** `about`: what is researched; `actions`: by which of the ways. Answers null while none is followed, and how to follow another one. */
export const useRun = (
  about: Pick<Asked, "contact_id" | "organization_id" | "property_id">,
  actions: ReadonlyArray<Asked["action"]>
): readonly [run: string | null, follow: (run: string | null) => void] => {
  const client = useQueryClient()
  const { member, organization: { features } } = useSession()
  const [run, setRun] = useState<string | null>(null)
  const key = ["runs", "of", about]
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) =>
      (await call("service_list_research_runs", { ...about, limit: newest }, signal)).data.runs,
    enabled: features.enrichments && member.role !== "read_only",
    staleTime: 0
  })
  const underWay = data?.find(({ action, finished_at }) => finished_at === null && actions.includes(action))
  // Its end is followed too, when it is not under way any more.
  if (run === null && underWay !== undefined) setRun(underWay.run_id)
  return [run, (next) => {
    setRun(next)
    void client.invalidateQueries({ queryKey: ["runs"] })
  }]
}

/** How a run of research stands, until it ends. */
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { number, plural, word } from "../part/Wording.ts"
import { call } from "../service/Call.ts"

const between = 1500

export const RunStatus = ({ onEnd, run }: { readonly run: string; readonly onEnd: () => void }) => {
  const { data, error } = useQuery({
    queryKey: ["run", run],
    queryFn: async ({ signal }) => (await call("service_get_research_status", { run_id: run }, signal)).data,
    refetchInterval: ({ state }) => state.data !== undefined && state.data.finished_at !== null ? false : between
  })
  const isEnded = data !== undefined && data.finished_at !== null
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  })
  useEffect(() => {
    if (isEnded) end.current()
  }, [isEnded])
  if (error !== null) return <RefusalNotice error={error} />
  if (data === undefined) return <p role="status">The research begins…</p>
  const reasons = data.items.flatMap(({ reason }) => reason === null ? [] : [word(reason)])
  return (
    <p role="status">
      Research: {word(data.status)}. {plural(data.credits_charged, "credit", "credits")} charged,{" "}
      {number(data.credits_returned)} given back.
      {data.email !== undefined && ` Email: ${data.email ?? "none was found"}.`}
      {reasons.length > 0 && ` ${reasons.join(", ")}.`}
    </p>
  )
}

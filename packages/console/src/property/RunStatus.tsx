/** How a run of research stands, until it ends. */
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { Waiting } from "../part/Waiting.tsx"
import { dayOf, number, plural, word } from "../part/Wording.ts"
import { Evidence } from "../research/Evidence.tsx"
import { emailOf } from "../research/Runs.ts"
import { call } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"

const between = 1500

export const RunStatus = ({ onEnd, researchedAt = null, run }: {
  readonly run: string
  readonly onEnd: () => void
  /** When what the research of a property opened was found out, once that can be read; null: it opened nothing, or not yet. */
  readonly researchedAt?: string | null
}) => {
  const status = useQuery({
    queryKey: ["run", run],
    queryFn: async ({ signal }) => (await call("service_get_research_status", { run_id: run }, signal)).data,
    refetchInterval: ({ state }) => state.data !== undefined && state.data.finished_at !== null ? false : between
  })
  const { error } = status
  const data = knownOf(status)
  const isEnded = data !== undefined && data.finished_at !== null
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  })
  useEffect(() => {
    if (isEnded) end.current()
  }, [isEnded])
  if (data === undefined) return <Waiting error={error} says="The research begins…" />
  const reasons = data.items.flatMap(({ reason }) => reason === null ? [] : [word(reason)])
  const email = emailOf(data)
  const isOlder = isEnded && data.counts.failed === 0 && researchedAt !== null && researchedAt < data.created_at
  return (
    <>
      <p role="status">
        Research: {word(data.status)}. {plural(data.credits_charged, "credit", "credits")} charged,{" "}
        {number(data.credits_returned)} given back.
        {email !== null && ` Email: ${email}.`}
        {isOlder &&
          ` It brought nothing newer about who owns and manages it: what is known of ${dayOf(researchedAt)} is open.`}
        {reasons.length > 0 && ` ${reasons.join(", ")}.`}
      </p>
      <Evidence run={data} />
    </>
  )
}

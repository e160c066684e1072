/** Asks for counties that the organization does not have. */
import { useQueryClient } from "@tanstack/react-query"
import { type SubmitEvent, useState } from "react"
import style from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { coverageKey, useCoverage } from "../part/useCoverage.ts"
import { joined, plural } from "../part/Wording.ts"
import { call, type Output } from "../service/Call.ts"
import { useMutation } from "../service/useMutation.ts"
import { requestsKey } from "./requestsKey.ts"

const codesIn = (text: string): ReadonlyArray<string> =>
  Array.from(new Set(text.split(/[\s,;]+/).filter((code) => code !== "")))

/** The counties with records that the organization has not and did not ask for: an answer to that is awaited. */
const missingOf = ({ counties, requests }: Output<"service_get_coverage">) => {
  const asked = new Set(requests.flatMap((each) => each.closed_at === null ? each.county_fips : []))
  return counties.filter(({ fips, switched_on }) => !switched_on && !asked.has(fips))
}

export const CoverageRequest = () => {
  const client = useQueryClient()
  const [text, setText] = useState("")
  const codes = codesIn(text)
  const coverage = useCoverage()
  const missing = coverage.data === undefined ? [] : missingOf(coverage.data)
  const ask = useMutation({
    mutationFn: () => call("service_request_coverage", { county_fips: codes }),
    onSuccess: () => {
      setText("")
      return Promise.all([requestsKey, coverageKey].map((queryKey) => client.invalidateQueries({ queryKey })))
    }
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    ask.mutate()
  }
  return (
    <section aria-labelledby="coverage" className={style["panel"]}>
      <h2 id="coverage">Ask for coverage</h2>
      <form className={style["form"]} onSubmit={submit}>
        <label>
          Counties, by their codes of five digits, with commas between
          <textarea onChange={(event) => setText(event.target.value)} required rows={2} value={text} />
        </label>
        {missing.length > 0 && (
          <>
            <p className={style["quiet"]}>There are records of these, which you do not have:</p>
            <div className={style["buttons"]}>
              {missing.map(({ fips, name, properties, state }) => (
                <button
                  className="plain"
                  disabled={codes.includes(fips)}
                  key={fips}
                  onClick={() => setText([...codes, fips].join(", "))}
                  type="button"
                >
                  {name === null ? fips : joined([name, state])}: {plural(properties, "property", "properties")}
                </button>
              ))}
            </div>
          </>
        )}
        {ask.error !== null && <RefusalNotice error={ask.error} />}
        <div className={style["buttons"]}>
          <button disabled={ask.isPending || codes.length === 0} type="submit">Ask for them</button>
        </div>
        <p className={style["quiet"]} role="status">{ask.isSuccess && (ask.data.data.note ?? "It was sent.")}</p>
      </form>
    </section>
  )
}

/** What customers ask for, and the answers. */
import { useState } from "react"
import { Answered, useAsked, useChange } from "../admin/Asking.tsx"
import { Link } from "../app/Router.tsx"
import { useFilter } from "../app/useFilter.ts"
import { textIn } from "../part/Form.tsx"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { WideTable } from "../part/WideTable.tsx"
import { plural, word } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"
import { Act } from "./Act.tsx"
import own from "./Operator.module.css"
import { organizationAddress } from "./OperatorPaths.ts"
import { useCountyNames } from "./useCountyNames.ts"

type Asked = Output<"operator_list_requests">["items"][number]

const aPage = 50

/** How many newer ones are on the pages before. */
const offsetIn = (search: URLSearchParams): number => {
  const from = search.get("from") ?? ""
  return /^\d{1,6}$/.test(from) ? Number(from) : 0
}

export const RequestsPage = () => {
  const [search, change] = useFilter()
  const status = search.get("state") === "closed" ? "closed" : "open"
  const offset = offsetIn(search)
  const setOffset = (to: number) => change({ from: to === 0 ? "" : String(to) })
  const [answered, setAnswered] = useState<Asked | null>(null)
  const countyOf = useCountyNames()
  const asked = useAsked("operator_list_requests", { status, offset })
  return (
    <>
      <form className={own["filter"]} onSubmit={(event) => event.preventDefault()}>
        <label>
          State
          <select
            onChange={({ target: { value } }) => change({ state: value === "closed" ? value : "", from: "" })}
            value={status}
          >
            <option value="open">Open</option>
            <option value="closed">Closed</option>
          </select>
        </label>
      </form>
      <Answered<"operator_list_requests"> asked={asked}>
        {({ items, total }) => (
          <section className={page["panel"]} aria-label="Requests">
            <p role="status">{total === 0 ? "None." : plural(total, "request", "requests")}</p>
            {items.length > 0 && (
              <WideTable label="Requests" columns={["When", "From", "About", "Answer"]}>
                {items.map((request) => (
                  <tr key={request.id}>
                    <td className={page["moment"]}>{momentOf(request.created_at)}</td>
                    <th scope="row">
                      <Link to={organizationAddress(request.org_id)}>{request.org_id}</Link>, {request.actor.name}
                    </th>
                    <td className={own["wrap"]}>
                      <strong>{request.subject ?? word(request.kind)}</strong>
                      <div className={page["written"]}>
                        {request.message ?? request.county_fips?.map(countyOf).join("; ")}
                      </div>
                    </td>
                    <td className={`${own["wrap"]} ${page["written"]}`}>
                      {request.status === "open" ?
                        (
                          <button
                            aria-label={`Answer ${request.subject ?? word(request.kind)} of ${request.org_id}`}
                            className="plain"
                            onClick={() => setAnswered(request)}
                            type="button"
                          >
                            Answer
                          </button>
                        ) :
                        request.answer ?? "Closed without one"}
                    </td>
                  </tr>
                ))}
              </WideTable>
            )}
            <div className={page["buttons"]}>
              {offset > 0 && (
                <button className="plain" onClick={() => setOffset(offset - aPage)} type="button">Newer</button>
              )}
              {offset + items.length < total && (
                <button
                  className="plain"
                  onClick={() => setOffset(offset + aPage)}
                  type="button"
                >
                  Older
                </button>
              )}
            </div>
          </section>
        )}
      </Answered>
      {answered !== null && <Answer onClose={() => setAnswered(null)} request={answered} />}
    </>
  )
}

const Answer = ({ onClose, request }: { readonly request: Asked; readonly onClose: () => void }) => {
  const act = useChange("operator_close_request")
  return (
    <Act
      act={act}
      button="Close the request"
      input={(data, reason) => {
        const answer = textIn(data, "answer").trim()
        return { id: request.id, ...answer === "" ? {} : { answer }, reason }
      }}
      onClose={onClose}
      says={
        <p>Closes “{request.subject ?? word(request.kind)}” of {request.org_id}, for good, with what you answer.</p>
      }
      title="Answer"
    >
      <label>
        Answer, for the organization; it may stay empty
        <textarea maxLength={5000} name="answer" rows={5} />
      </label>
    </Act>
  )
}

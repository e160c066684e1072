/** Every organization, to be found by a part of its id or name; and a new one. */
import { useCallback } from "react"
import { usePaged } from "../admin/Asking.tsx"
import { Link } from "../app/Router.tsx"
import { useFilter } from "../app/useFilter.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { ShowMore } from "../part/ShowMore.tsx"
import { useTyped } from "../part/useTyped.ts"
import { Waiting } from "../part/Waiting.tsx"
import { WideTable } from "../part/WideTable.tsx"
import { word } from "../part/Wording.ts"
import { call, type Input } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { NewOrganization } from "./NewOrganization.tsx"
import own from "./Operator.module.css"
import { organizationAddress } from "./OperatorPaths.ts"
import { OrganizationByDocument } from "./OrganizationByDocument.tsx"

type Filter = Input<"operator_list_organizations">

const statuses = ["active", "suspended", "closed"] as const

export const OrganizationsPage = () => {
  const [search, change] = useFilter()
  const asked = search.get("q") ?? ""
  const status = statuses.find((each) => each === search.get("status"))
  const onTyped = useCallback((q: string) => change({ q }), [change])
  const [text, setText] = useTyped(asked, onTyped)
  const wanted = asked.trim()
  return (
    <>
      <form className={own["filter"]} onSubmit={(event) => event.preventDefault()}>
        <label>
          A part of the name or id
          <input maxLength={200} onChange={(event) => setText(event.target.value)} type="search" value={text} />
        </label>
        <label>
          State
          <select onChange={(event) => change({ status: event.target.value })} value={status ?? ""}>
            <option value="">Any</option>
            {statuses.map((each) => <option key={each} value={each}>{word(each)}</option>)}
          </select>
        </label>
      </form>
      <Found filter={{ ...wanted === "" ? {} : { text: wanted }, ...status === undefined ? {} : { status } }} />
      <NewOrganization />
      <OrganizationByDocument />
    </>
  )
}

const Found = ({ filter }: { readonly filter: Filter }) => {
  const found = usePaged(
    ["operator_list_organizations", filter],
    (position, signal) => call("operator_list_organizations", { ...filter, ...position }, signal)
  )
  const { error } = found
  const data = knownOf(found)
  if (data === undefined) return <Waiting error={error} />
  const items = data.pages.flatMap(({ items }) => items)
  return (
    <section className={page["panel"]} aria-label="Organizations that there are">
      {items.length === 0 ?
        (
          <p role="status">
            {Object.keys(filter).length > 0 ? "None fits." : "There is no organization yet. The first is made below."}
          </p>
        ) :
        (
          <WideTable label="Organizations" columns={["Name", "Id", "Plan", "State", "Payment"]}>
            {items.map((each) => (
              <tr key={each.org_id}>
                <th scope="row">
                  <Link to={organizationAddress(each.org_id)}>{each.name}</Link>
                </th>
                <td className={own["wrap"]}>{each.org_id}</td>
                <td>{word(each.plan)}</td>
                <td className={each.status === "active" ? undefined : own["fault"]}>{word(each.status)}</td>
                <td className={each.payment_status === "ok" ? undefined : own["fault"]}>{word(each.payment_status)}</td>
              </tr>
            ))}
          </WideTable>
        )}
      {error !== null && <RefusalNotice error={error} />}
      <ShowMore of={found} />
    </section>
  )
}

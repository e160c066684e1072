/** What lies where somebody clicked on the map. */
import { useQuery } from "@tanstack/react-query"
import { addressOf, Link } from "../app/Router.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { joined, plural } from "../part/Wording.ts"
import { nameOf } from "../search/ResultList.tsx"
import { type Bounds, type Filters, withFilters } from "../search/SearchUrl.ts"
import { areaOf } from "../search/useSearch.ts"
import { call } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import style from "./MapPane.module.css"

/** So many are listed. */
const most = 6

export const Here = ({ bounds, filters, onClose }: {
  readonly bounds: Bounds
  readonly filters: Filters
  readonly onClose: () => void
}) => {
  const others = withFilters(filters, { within: undefined, near: undefined })
  const { data, error } = useQuery({
    queryKey: ["here", bounds, others],
    queryFn: async ({ signal }) => {
      const where = Object.keys(others).length === 0 ? { bounds } : { filters: { ...others, within: areaOf(bounds) } }
      return (await call("service_search_properties", { ...where, limit: most }, signal)).data
    }
  })
  const known = knownOf({ data, error })
  return (
    <aside aria-label="Here" className={style["here"]}>
      <button className="plain" onClick={onClose} type="button">Close</button>
      {error !== null && <RefusalNotice error={error} />}
      {known === undefined
        ? error === null && <p role="status">One moment…</p>
        : known.results.length === 0
        ? <p role="status">Nothing lies here.</p>
        : (
          <>
            <p role="status">{plural(known.total_matching ?? known.results.length, "property", "properties")} here</p>
            <ul>
              {known.results.map((row) => (
                <li key={row.id}>
                  <Link to={addressOf("property", { id: row.id })}>{nameOf(row)}</Link>
                  <div>{joined([row.assetCategory, row.city])}</div>
                </li>
              ))}
            </ul>
          </>
        )}
    </aside>
  )
}

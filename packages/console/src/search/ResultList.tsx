/** What a search found, a row each. */
import { addressOf, Link } from "../app/Router.tsx"
import type { Output } from "../service/Call.ts"
import style from "./SearchPage.module.css"

type Row = Output<"service_search_properties">["results"][number]

const count = (value: number | null): string => value === null ? "–" : value.toLocaleString("en-US")

export const ResultList = ({ rows }: { readonly rows: ReadonlyArray<Row> }) => (
  <div className={style["scroll"]}>
    <table className={style["table"]}>
      <caption className="visually-hidden">Properties found</caption>
      <thead>
        <tr>
          <th scope="col">Property</th>
          <th scope="col">Category</th>
          <th scope="col" className={style["number"]}>Sqft</th>
          <th scope="col" className={style["number"]}>Built</th>
          <th scope="col">Owner</th>
          <th scope="col" className={style["number"]}>People</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <Link to={addressOf("property", { id: row.id })}>{row.commonName ?? row.address ?? row.key}</Link>
              <div className={style["quiet"]}>
                {[row.commonName === null ? null : row.address, row.city, row.state].filter((each) => each !== null)
                  .join(", ")}
              </div>
            </td>
            <td>{row.assetCategory ?? "–"}</td>
            <td className={style["number"]}>{count(row.buildingSqft)}</td>
            <td className={style["number"]}>{row.yearBuilt ?? "–"}</td>
            <td>{row.owner ?? (row.ownerWithheld === true ? "withheld" : "–")}</td>
            <td className={style["number"]}>{row.contactCount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

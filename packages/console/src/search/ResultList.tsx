/** What a search found, a row each, to be chosen and opened. */
import { addressOf, Link } from "../app/Router.tsx"
import { StateMark } from "../part/StateMark.tsx"
import { joined, number } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"
import style from "./ResultList.module.css"

export type Row = Output<"service_search_properties">["results"][number]

/** What a row is called. */
export const nameOf = (row: Row): string => row.commonName ?? row.address ?? row.key

export const ResultList = ({ chosen, onChoose, rows }: {
  readonly rows: ReadonlyArray<Row>
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}) => {
  const isAll = rows.length > 0 && rows.every(({ id }) => chosen.has(id))
  return (
    <div className={style["scroll"]}>
      <table className={style["table"]}>
        <caption className="visually-hidden">Properties found</caption>
        <thead>
          <tr>
            <th scope="col">
              <input
                aria-label="Choose all that are shown"
                checked={isAll}
                onChange={() => onChoose(new Set(isAll ? [] : rows.map(({ id }) => id)))}
                type="checkbox"
              />
            </th>
            <th scope="col">Property</th>
            <th scope="col">Category</th>
            <th scope="col" className="number">Sqft</th>
            <th scope="col" className="number">Built</th>
            <th scope="col">People</th>
            <th scope="col">Research</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <input
                  aria-label={`Choose ${nameOf(row)}`}
                  checked={chosen.has(row.id)}
                  onChange={({ target }) => {
                    const next = new Set(chosen)
                    if (target.checked) next.add(row.id)
                    else next.delete(row.id)
                    onChoose(next)
                  }}
                  type="checkbox"
                />
              </td>
              <td>
                <Link to={addressOf("property", { id: row.id })}>{nameOf(row)}</Link>
                <div className={style["quiet"]}>
                  {joined([row.commonName === null ? null : row.address, row.city, row.state])}
                </div>
                <div className={style["quiet"]}>
                  {row.owner ?? (row.ownerWithheld === true ? "Owner withheld" : "")}
                </div>
              </td>
              <td>{row.assetCategory ?? "–"}</td>
              <td className="number">{row.buildingSqft === null ? "–" : number(row.buildingSqft)}</td>
              <td className="number">{row.yearBuilt ?? "–"}</td>
              <td>
                {row.contactCount === 0 ? "–" : number(row.contactCount)}
                {row.teaser.withEmail > 0 && (
                  <div className={style["extra"]}>{number(row.teaser.withEmail)} by email</div>
                )}
              </td>
              <td>
                <StateMark state={row.researchState} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What a search found, a row each, to be chosen and opened. */
import { addressOf, Link } from "../app/Router.tsx"
import { ChooseAll } from "../part/ChooseAll.tsx"
import { StateMark } from "../part/StateMark.tsx"
import { choices, numbers, WideTable } from "../part/WideTable.tsx"
import { joined, number } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"
import style from "./ResultList.module.css"

export type Row = Output<"service_search_properties">["results"][number]

/** What a row is called. */
export const nameOf = (row: Row): string => row.commonName ?? row.address ?? row.key

export const ResultList = ({ chosen, onChoose, onToggle, rows }: {
  readonly rows: ReadonlyArray<Row>
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
  readonly onToggle: (id: string) => void
}) => (
  <div className={style["results"]}>
    <ChooseAll chosen={chosen} ids={rows.map(({ id }) => id)} onChoose={onChoose} />
    <WideTable
      columns={[choices, "Property", "Category", numbers("Sqft"), numbers("Built"), "People", "Research"]}
      isFramed
      label="Properties found"
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <td>
            <input
              aria-label={`Choose ${nameOf(row)}`}
              checked={chosen.has(row.id)}
              onChange={() => onToggle(row.id)}
              type="checkbox"
            />
          </td>
          <td className={style["property"]}>
            <Link to={addressOf("property", { id: row.id })}>{nameOf(row)}</Link>
            <div className="quiet">
              {joined([row.commonName === null ? null : row.address, row.city, row.state])}
            </div>
            <div className="quiet">{row.owner ?? (row.ownerWithheld === true ? "Owner withheld" : "")}</div>
          </td>
          <td>{row.assetCategory ?? "–"}</td>
          <td className="number">{row.buildingSqft === null ? "–" : number(row.buildingSqft)}</td>
          <td className="number">{row.yearBuilt ?? "–"}</td>
          <td>
            {row.contactCount === 0 ? "–" : number(row.contactCount)}
            {row.teaser.withEmail > 0 && <div className={style["extra"]}>{number(row.teaser.withEmail)} by email</div>}
          </td>
          <td className={style["state"]}>
            <StateMark state={row.researchState} />
          </td>
        </tr>
      ))}
    </WideTable>
  </div>
)

/** A table that is scrolled where it is too wide, with its name for whoever does not see it. */
import type { ReactNode } from "react"
import style from "../admin/Admin.module.css"

export const Rows = ({ caption, children, columns, name }: {
  readonly name: string
  readonly caption?: string
  readonly columns: ReadonlyArray<string>
  /** The rows. */
  readonly children: ReactNode
}) => (
  <div className={style["scroll"]} tabIndex={0} role="region" aria-label={name}>
    <table>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>{columns.map((column) => <th key={column} scope="col">{column}</th>)}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)

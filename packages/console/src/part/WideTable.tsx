/** A table that may be wider than the screen: it scrolls by itself, by keys too, and the page stays as it is. */
import type { ReactNode } from "react"
import style from "./WideTable.module.css"

/** A column by its name: of numbers, or with a name that is heard and not seen. */
type Column = string | { readonly name: string; readonly kind: "number" | "unseen" }

/** A column of numbers; their cells have the class `number`. */
export const numbers = (name: string): Column => ({ name, kind: "number" })

/** The column of the buttons. */
export const actions: Column = { name: "Actions", kind: "unseen" }

const Heading = ({ column }: { readonly column: Column }) => {
  if (typeof column === "string") return <th scope="col">{column}</th>
  return column.kind === "number"
    ? <th className="number" scope="col">{column.name}</th>
    : (
      <th scope="col">
        <span className="visually-hidden">{column.name}</span>
      </th>
    )
}

export const WideTable = ({ caption, children, columns = [], isFramed = false, isStacked = false, label }: {
  /** What is seen above the table; without it, its name is heard alone. */
  readonly caption?: string
  readonly label: string
  readonly columns?: ReadonlyArray<Column>
  /** Whether it stands on the page, and not in a box. */
  readonly isFramed?: boolean
  /** Whether the cells of a row stand below each other where little fits; `data-name` says what one is. */
  readonly isStacked?: boolean
  /** The rows. */
  readonly children: ReactNode
}) => (
  <div
    aria-label={`Table of ${label.charAt(0).toLowerCase()}${label.slice(1)}`}
    className={[
      style["scroll"],
      isFramed && style["framed"],
      isStacked && style["stacked"],
      columns.at(-1) === actions && style["acting"]
    ].filter(Boolean).join(" ")}
    role="region"
    tabIndex={0}
  >
    <table>
      {caption === undefined
        ? <caption className="visually-hidden">{label}</caption>
        : <caption>{caption}</caption>}
      {columns.length > 0 && (
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading column={column} key={typeof column === "string" ? column : column.name} />
            ))}
          </tr>
        </thead>
      )}
      <tbody>{children}</tbody>
    </table>
  </div>
)

/**
 * A table that may be wider than its place: there the cells of a row stand below each other, each with the name of its column.
 * What is wider all the same scrolls by itself, by keys too, and the page stays as it is.
 */
import type { CSSProperties, ReactNode } from "react"
import style from "./WideTable.module.css"

/**
 * A column by its name: of numbers, or with a name that is heard and not seen. What a row begins with says by itself what it is,
 * unless it is one of two alike: `told`.
 */
export type Column = string | { readonly name: string; readonly kind: "number" | "told" | "unseen" }

/** A column of numbers; their cells have the class `number`. */
export const numbers = (name: string): Column => ({ name, kind: "number" })

/** The column of what chooses a row; it is the first. */
export const choices: Column = { name: "Choose", kind: "unseen" }

/** The column of the buttons. */
export const actions: Column = { name: "Actions", kind: "unseen" }

/** As many columns can have names where they stand below each other: see the style sheet. */
const mostColumns = 10

/** What the cells of each column are called, for the style sheet. */
const namesOf = (columns: ReadonlyArray<Column>): CSSProperties => {
  const first = columns[0] === choices ? 1 : 0
  return Object.fromEntries(
    columns.slice(0, mostColumns).flatMap((column, index) => {
      const { kind, name } = typeof column === "string" ? { kind: "text", name: column } : column
      const isTold = kind === "told" || kind !== "unseen" && index !== first
      return isTold ? [[`--name-${index + 1}`, JSON.stringify(`${name}: `)]] : []
    })
  )
}

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

export const WideTable = ({ caption, children, columns = [], isFramed = false, isNarrow = false, label }: {
  /** What is seen above the table; without it, its name is heard alone. */
  readonly caption?: string
  readonly label: string
  readonly columns?: ReadonlyArray<Column>
  /** Whether it stands on the page, and not in a box. */
  readonly isFramed?: boolean
  /** Whether its columns stand beside each other on a phone, too: few and short ones. */
  readonly isNarrow?: boolean
  /** The rows. */
  readonly children: ReactNode
}) => (
  <div
    aria-label={`Table of ${label.charAt(0).toLowerCase()}${label.slice(1)}`}
    className={[
      style["scroll"],
      isFramed && style["framed"],
      !isNarrow && style["stacked"],
      columns[0] === choices && style["choosing"]
    ].filter(Boolean).join(" ")}
    role="region"
    tabIndex={0}
  >
    <table style={isNarrow ? undefined : namesOf(columns)}>
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

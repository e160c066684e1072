/** The filters in force, each a button that changes it and one that takes it away, and the way to more of them. */
import { useState } from "react"
import style from "./FilterChips.module.css"
import { FilterDialog } from "./FilterDialog.tsx"
import { chipText, type FilterName, filterNames, filterWords } from "./FilterTable.ts"
import { type Filters, withFilters } from "./SearchUrl.ts"
import { useLabels } from "./useValues.ts"

const metersInMile = 1609.344

const drawnText = ({ near, within }: Filters): string | null =>
  near !== undefined
    ? `Within ${Number((near.radiusMeters / metersInMile).toFixed(1))} mi of a place`
    : within === undefined
    ? null
    : "Drawn area"

export const FilterChips = ({ filters, onChange }: {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}) => {
  const [editing, setEditing] = useState<FilterName | "any" | null>(null)
  const names = filterNames.filter((name) => filters[name] !== undefined)
  const labels = useLabels({
    counties: filters.countyFips !== undefined,
    lists: names.some((name) => filterWords[name].lookup === "lists")
  })
  const drawn = drawnText(filters)
  return (
    <>
      <ul aria-label="Filters" className={style["chips"]}>
        {drawn !== null && (
          <li>
            <span>{drawn}</span>
            <button
              aria-label={`Remove: ${drawn}`}
              onClick={() => onChange(withFilters(filters, { within: undefined, near: undefined }))}
              type="button"
            >
              ×
            </button>
          </li>
        )}
        {names.map((name) => {
          const text = chipText(name, filters, labels)
          return (
            <li key={name}>
              <button onClick={() => setEditing(name)} type="button">{text}</button>
              <button
                aria-label={`Remove: ${text}`}
                onClick={() => onChange(withFilters(filters, { [name]: undefined }))}
                type="button"
              >
                ×
              </button>
            </li>
          )
        })}
        <li className={style["more"]}>
          <button onClick={() => setEditing("any")} type="button">+ filter</button>
        </li>
      </ul>
      {editing !== null && (
        <FilterDialog
          filters={filters}
          name={editing === "any" ? null : editing}
          onChange={(changed) => {
            onChange(changed)
            setEditing(null)
          }}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  )
}

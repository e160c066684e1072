/** Choosing a filter, and what it asks for. */
import { useState } from "react"
import { Dialog } from "../part/Dialog.tsx"
import style from "./FilterChips.module.css"
import { FilterEditor } from "./FilterEditor.tsx"
import { type FilterName, filterNames, filterWords, groups } from "./FilterTable.ts"
import { type Filters, withFilters } from "./SearchUrl.ts"
import { useUnusable } from "./useValues.ts"

export const FilterDialog = ({ filters, name: first, onChange, onClose }: {
  readonly filters: Filters
  /** null: it is to be chosen. */
  readonly name: FilterName | null
  readonly onChange: (filters: Filters) => void
  readonly onClose: () => void
}) => {
  const [name, setName] = useState(first)
  return (
    <Dialog onClose={onClose} title={name === null ? "Add a filter" : filterWords[name].label}>
      {name === null ? <Names onChoose={setName} /> : (
        <FilterEditor
          key={name}
          name={name}
          onApply={(value) => onChange(withFilters(filters, { [name]: value }))}
          value={filters[name]}
        />
      )}
    </Dialog>
  )
}

const Names = ({ onChoose }: { readonly onChoose: (name: FilterName) => void }) => {
  const [text, setText] = useState("")
  const unusable = useUnusable()
  const found = filterNames.filter((name) => filterWords[name].label.toLowerCase().includes(text.trim().toLowerCase()))
  return (
    <>
      <label>
        Find a filter
        <input onChange={(event) => setText(event.target.value)} type="search" value={text} />
      </label>
      {groups.map((group) => {
        const names = found.filter((name) => filterWords[name].group === group)
        return names.length === 0 ? null : (
          <section aria-label={group} key={group}>
            <h3>{group}</h3>
            <ul className={style["names"]}>
              {names.map((name) => (
                <li key={name}>
                  <button className="plain" disabled={unusable.has(name)} onClick={() => onChoose(name)} type="button">
                    {filterWords[name].label}
                    {unusable.has(name) && <small>{unusable.get(name)}</small>}
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
      {found.length === 0 && <p role="status">No filter has that name.</p>}
    </>
  )
}

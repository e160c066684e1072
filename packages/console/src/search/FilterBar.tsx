/** The filters that most searches have. */
import type { Output } from "../service/Call.ts"
import style from "./SearchPage.module.css"
import { type SearchState, withFilters } from "./SearchUrl.ts"

type County = Output<"service_get_coverage">["counties"][number]

const categories = [
  "Office",
  "Industrial",
  "Retail",
  "Multifamily",
  "Hospitality",
  "Healthcare",
  "Land",
  "Special Purpose"
]

type Numbers = "minBuildingSqft" | "maxBuildingSqft" | "minYearBuilt"

const numbers: ReadonlyArray<readonly [name: Numbers, label: string]> = [
  ["minBuildingSqft", "At least sqft"],
  ["maxBuildingSqft", "At most sqft"],
  ["minYearBuilt", "Built since"]
]

export const FilterBar = ({ counties, onChange, state }: {
  readonly counties: ReadonlyArray<County>
  readonly state: SearchState
  readonly onChange: (state: SearchState) => void
}) => {
  const change = (changes: Parameters<typeof withFilters>[1]) => {
    onChange({ ...state, filters: withFilters(state.filters, changes) })
  }
  const { categories: chosen, countyFips = [] } = state.filters
  return (
    <div className={style["bar"]}>
      <label>
        County
        <select value={countyFips[0] ?? ""} onChange={(event) => change({ countyFips: [event.target.value] })}>
          {countyFips[0] === undefined && <option value="">Choose</option>}
          {counties.map(({ fips, name, properties }) => (
            <option key={fips} value={fips}>{name ?? fips} ({properties.toLocaleString("en-US")})</option>
          ))}
        </select>
      </label>
      <label>
        Category
        <select
          value={chosen?.[0] ?? ""}
          onChange={({ target: { value } }) => change({ categories: value === "" ? undefined : [value] })}
        >
          <option value="">Any</option>
          {categories.map((category) => <option key={category}>{category}</option>)}
        </select>
      </label>
      {numbers.map(([name, label]) => (
        <label key={name}>
          {label}
          <input
            type="number"
            min="0"
            value={state.filters[name] ?? ""}
            onChange={({ target: { value } }) => change({ [name]: value === "" ? undefined : Number(value) })}
          />
        </label>
      ))}
    </div>
  )
}

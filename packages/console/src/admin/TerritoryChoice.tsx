/** Which counties a member sees: all that the organization does, or some, chosen by their names. */
import { useState } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { useCounties } from "../part/useCounties.ts"
import type { Output } from "../service/Call.ts"
import style from "./Admin.module.css"

type Territory = Output<"app_list_members">["members"][number]["territory"]

const field = "county"

/** A territory in the order in which forms hold one, so that the same counties are the same territory. */
export const territoryOf = (territory: Territory): Territory =>
  territory === null ? null : { county_fips: territory.county_fips.toSorted() }

/** The territory that a form holds; null: everything that the organization sees. */
export const territoryIn = (data: FormData): Territory =>
  territoryOf(data.get("everywhere") === "on" ? null : { county_fips: data.getAll(field).map(String) })

/** What counties are called; one that is not known is its code. */
export const useCountyNames = (): (fips: string) => string => {
  const { data } = useCounties()
  const names = new Map(data?.map(({ fips, label }) => [fips, label]))
  return (fips) => names.get(fips) ?? fips
}

export const TerritoryChoice = ({ of }: { readonly of: Territory }) => {
  const { data, error } = useCounties()
  const nameOf = useCountyNames()
  const [isEverywhere, setEverywhere] = useState(of === null)
  const [chosen, setChosen] = useState<ReadonlyArray<string>>(of?.county_fips ?? [])
  const others = data?.filter(({ fips }) => !chosen.includes(fips)) ?? []
  return (
    <fieldset>
      <legend>Counties</legend>
      <label className={style["check"]}>
        <input
          checked={isEverywhere}
          name="everywhere"
          onChange={({ target }) => setEverywhere(target.checked)}
          type="checkbox"
        />
        <span>Everything that the organization sees</span>
      </label>
      {!isEverywhere && (
        <>
          {chosen.map((fips) => (
            <label className={style["check"]} key={fips}>
              <input
                checked
                name={field}
                onChange={() => setChosen(chosen.filter((each) => each !== fips))}
                type="checkbox"
                value={fips}
              />
              <span>{nameOf(fips)}</span>
            </label>
          ))}
          {chosen.length === 0 && <p className="quiet">None yet: without a county, nothing is seen.</p>}
          {error !== null && <RefusalNotice error={error} />}
          <label>
            Add a county
            <select
              disabled={data === undefined}
              onChange={({ target }) => setChosen([...chosen, target.value])}
              value=""
            >
              <option value="">Choose one</option>
              {others.map(({ fips }) => <option key={fips} value={fips}>{nameOf(fips)}</option>)}
            </select>
          </label>
        </>
      )}
    </fieldset>
  )
}

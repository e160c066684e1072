/** Finds the property that a new task is about by words. */
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import style from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { joined } from "../part/Wording.ts"
import { call, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"

type Found = Output<"service_search_properties">["results"]

export interface PropertySearch {
  /** What was found; undefined: nothing was looked for, or it is not known. */
  readonly found: Found | undefined
  readonly error: Error | null
  readonly ask: (words: string) => void
  /** One of those that were found, as they are shown; null: none. */
  readonly chosen: string | null
  readonly choose: (id: string) => void
}

/** A choice is of what is shown: another search begins with none. */
export const usePropertySearch = (): PropertySearch => {
  const [asked, setAsked] = useState("")
  const [choice, setChoice] = useState("")
  const result = useQuery({
    queryKey: ["property finder", asked],
    queryFn: async ({ signal }) => {
      const { results } = (await call("service_search_properties", { query: asked, limit: 20 }, signal)).data
      return results
    },
    enabled: asked.length >= 2
  })
  const found = knownOf(result)
  return {
    found,
    error: result.error,
    ask: (words) => {
      setAsked(words)
      setChoice("")
    },
    chosen: found?.some(({ id }) => id === choice) === true ? choice : null,
    choose: setChoice
  }
}

export const PropertyFinder = ({ search: { ask, choose, chosen, error, found } }: {
  readonly search: PropertySearch
}) => {
  const [words, setWords] = useState("")
  return (
    <form
      className={style["form"]}
      onSubmit={(event) => {
        event.preventDefault()
        ask(words.trim())
      }}
      role="search"
    >
      <label>
        Property: words of its address, name or owner
        <input onChange={(event) => setWords(event.target.value)} type="search" value={words} />
      </label>
      <div className={style["buttons"]}>
        <button className="plain" disabled={words.trim().length < 2} type="submit">Find</button>
      </div>
      {error !== null && <RefusalNotice error={error} />}
      {found?.length === 0 && <p role="status">Nothing was found.</p>}
      {found !== undefined && found.length > 0 && (
        <label>
          Found
          <select onChange={(event) => choose(event.target.value)} value={chosen ?? ""}>
            <option value="">Choose one</option>
            {found.map(({ address, city, id, key }) => (
              <option key={id} value={id}>{joined([address ?? key, city])}</option>
            ))}
          </select>
        </label>
      )}
    </form>
  )
}

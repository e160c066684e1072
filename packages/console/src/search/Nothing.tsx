/** What stands where a search finds nothing: why, what would find something, and where a county is asked for. */
import { addressOf, Link } from "../app/Router.tsx"
import { useCounties } from "../part/useCounties.ts"
import { noteText } from "./NoteText.ts"
import { hasWords, type SearchState } from "./SearchUrl.ts"

export const Nothing = ({ note, state }: {
  /** Of the answer. */
  readonly note: string | undefined
  readonly state: SearchState
}) => {
  const { data: had } = useCounties()
  const asked = hasWords(state) ? [] : state.filters.countyFips ?? []
  const isMissing = had !== undefined && asked.some((county) => had.every(({ fips }) => fips !== county))
  return (
    <p>
      Nothing matches. {note !== undefined
        ? noteText(note)
        : hasWords(state)
        ? "Try fewer or other words."
        : "Take a filter away, or look at a wider part of the map."}{" "}
      {isMissing && <Link to={addressOf("requests")}>Ask for a county</Link>}
    </p>
  )
}

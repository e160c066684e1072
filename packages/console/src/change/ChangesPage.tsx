/** What changed in the member's area, newest first, with where each stands now. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { addressOf, navigate, withParameter } from "../app/Router.tsx"
import style from "../part/Page.module.css"
import { PersonLine, PropertyLine } from "../part/RecordLink.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { firstPage, nextPage, ShowMore } from "../part/ShowMore.tsx"
import { useNames } from "../part/useNames.ts"
import { WideTable } from "../part/WideTable.tsx"
import { dayOf, word } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useSession } from "../service/Session.tsx"
import { type Change, subjectsOf, toldOf, withheldOf } from "./ChangeLine.tsx"
import { isKind, kinds, wordsOf } from "./Kinds.ts"

const spans: ReadonlyArray<readonly [days: number, name: string]> = [
  [7, "The last week"],
  [30, "The last 30 days"],
  [90, "The last 90 days"],
  [365, "The last year"],
  [3650, "Ever"]
]

const usualDays = 30

export const ChangesPage = ({ search }: { readonly search: URLSearchParams }) => {
  const { organization: { features } } = useSession()
  return (
    <main id="main">
      {features.signals ? <Changes search={search} /> : (
        <>
          <h1 tabIndex={-1}>Changes</h1>
          <p>Your organization does not have signals. Ask whoever runs this service.</p>
        </>
      )}
    </main>
  )
}

const Changes = ({ search }: { readonly search: URLSearchParams }) => {
  const asked = search.get("kind")
  const kind = isKind(asked) ? asked : null
  const days = spans.find(([each]) => String(each) === search.get("days"))?.[0] ?? usualDays
  const changes = useInfiniteQuery({
    queryKey: ["changes", "page", kind, days],
    queryFn: async ({ pageParam, signal }) => {
      const input = { days, limit: 50, ...kind === null ? {} : { kinds: [kind] }, ...pageParam }
      return (await call("service_get_changes", input, signal)).data
    },
    initialPageParam: firstPage,
    getNextPageParam: nextPage
  })
  const known = knownOf(changes)
  const rows = known?.pages.flatMap((page) => page.changes)
  const show = (name: string, value: string) =>
    navigate(addressOf("changes", {}, withParameter(search, name, value)), { replace: true })
  return (
    <>
      <div className={style["top"]}>
        <h1 tabIndex={-1}>Changes</h1>
        <label>
          Kind
          <select onChange={(event) => show("kind", event.target.value)} value={kind ?? ""}>
            <option value="">Any</option>
            {Object.entries(kinds).map(([value, name]) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
        <label>
          When
          <select onChange={(event) => show("days", event.target.value)} value={days}>
            {spans.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
      </div>
      {changes.error !== null && <RefusalNotice error={changes.error} />}
      {rows === undefined && changes.error === null && <p role="status">One moment…</p>}
      {rows?.length === 0 && <p>Nothing of that was recorded. Choose a longer time or another kind.</p>}
      {rows !== undefined && rows.length > 0 && <ChangeTable changes={rows} />}
      {known !== undefined && <ShowMore of={changes} />}
    </>
  )
}

const ChangeTable = ({ changes }: { readonly changes: ReadonlyArray<Change> }) => {
  const names = useNames(subjectsOf(changes))
  return (
    <WideTable columns={["Change", "Of", "Before and after", "Detected"]} isFramed label="Changes">
      {changes.map((change) => (
        <tr key={change.signal_id}>
          <td>
            {wordsOf(change.kind)}
            {change.withdrawn && <div className={style["quiet"]}>taken back</div>}
          </td>
          <td>
            {change.subject.type === "property"
              ? <PropertyLine id={change.subject.id} names={names} />
              : <PersonLine id={change.subject.id} names={names} />}
          </td>
          <td>
            {toldOf(change.evidence)}
            <div className={style["quiet"]}>{withheldOf(change.evidence)}</div>
          </td>
          <td className={style["moment"]}>
            {dayOf(change.detected_at)}
            <div className={style["quiet"]}>{word(change.source)}</div>
          </td>
        </tr>
      ))}
    </WideTable>
  )
}

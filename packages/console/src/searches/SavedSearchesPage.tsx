/** The searches that a member kept: opened as they were, counted, renamed, deleted. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { Confirmed } from "../part/Confirmed.tsx"
import { NameDialog } from "../part/NameDialog.tsx"
import style from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { actions, WideTable } from "../part/WideTable.tsx"
import { dayOf, plural } from "../part/Wording.ts"
import { chipText, filterNames } from "../search/FilterTable.ts"
import { isDrawn, type SearchState, stateOf, write } from "../search/SearchUrl.ts"
import { useLabels } from "../search/useValues.ts"
import { call, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"

type Saved = Output<"service_list_saved_searches">["saved_searches"][number]

const key = ["saved-searches"]

export const SavedSearchesPage = () => {
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await call("service_list_saved_searches", {}, signal)).data
  })
  const known = knownOf({ data, error })
  return (
    <main id="main">
      <h1 tabIndex={-1}>Saved searches</h1>
      {error !== null && <RefusalNotice error={error} />}
      {known === undefined ?
        error === null && <p role="status">One moment…</p> :
        <p className={style["quiet"]} role="status">{plural(known.total, "saved search", "saved searches")}</p>}
      {known?.total === 0 && (
        <p>
          You have saved none yet. <Link to={addressOf("search")}>Search</Link>, and press “Save search”.
        </p>
      )}
      {known !== undefined && known.total > 0 && <Table searches={known.saved_searches} />}
    </main>
  )
}

/** What a search asks for, in a line. */
const wordsOf = ({ box, filters, words }: SearchState, labels: ReadonlyMap<string, string>): string =>
  words === ""
    ? [
      ...isDrawn(filters) ? ["an area on the map"] : [],
      ...box === null ? [] : ["a part of the map"],
      ...filterNames.filter((name) => filters[name] !== undefined).map((name) => chipText(name, filters, labels))
    ].join(" · ")
    : `“${words}”`

const Table = ({ searches }: { readonly searches: ReadonlyArray<Saved> }) => {
  const states = searches.map(({ search }) => stateOf(search))
  const labels = useLabels({
    counties: states.some(({ filters }) => filters.countyFips !== undefined),
    lists: states.some(({ filters }) => filters.inListId !== undefined || filters.notInListId !== undefined)
  })
  return (
    <WideTable columns={["Search", "Saved", "Found now", actions]} isFramed label="Saved searches">
      {searches.map((saved, index) => (
        <Row key={saved.id} labels={labels} saved={saved} state={states[index] ?? stateOf({})} />
      ))}
    </WideTable>
  )
}

const Row = ({ labels, saved, state }: {
  readonly saved: Saved
  readonly state: SearchState
  readonly labels: ReadonlyMap<string, string>
}) => {
  const client = useQueryClient()
  const { member } = useSession()
  const [isRenaming, setRenaming] = useState(false)
  const count = useMutation({
    mutationFn: async () =>
      (await call("service_run_saved_search", { saved_search_id: saved.id, limit: 1 })).data.total_matching
  })
  const remove = useMutation({
    mutationFn: () => call("service_delete_saved_search", { saved_search_id: saved.id }),
    onSuccess: () => client.invalidateQueries({ queryKey: key })
  })
  return (
    <tr>
      <td>
        <Link to={addressOf("search", {}, write(state))}>{saved.name}</Link>
        <div className={style["quiet"]}>{wordsOf(state, labels)}</div>
        {count.error !== null && <RefusalNotice error={count.error} />}
        {remove.error !== null && <RefusalNotice error={remove.error} />}
      </td>
      <td>{dayOf(saved.created_at)}</td>
      <td>
        {count.data === undefined
          ? (
            <button
              aria-label={`Count: ${saved.name}`}
              className="plain"
              disabled={count.isPending}
              onClick={() => count.mutate()}
              type="button"
            >
              Count
            </button>
          )
          : plural(count.data, "property", "properties")}
      </td>
      <td>
        {member.role !== "read_only" && (
          <div className={style["buttons"]}>
            <button
              aria-label={`Rename: ${saved.name}`}
              className="plain"
              onClick={() => setRenaming(true)}
              type="button"
            >
              Rename
            </button>
            <Confirmed
              disabled={remove.isPending}
              label="Delete"
              onConfirm={() => remove.mutate()}
              question="It is gone for good."
            />
          </div>
        )}
        {isRenaming && <Rename onClose={() => setRenaming(false)} saved={saved} />}
      </td>
    </tr>
  )
}

const Rename = ({ onClose, saved }: { readonly saved: Saved; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [name, setName] = useState(saved.name)
  const rename = useMutation({
    mutationFn: () => call("app_rename_search", { saved_search_id: saved.id, name }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: key })
      onClose()
    }
  })
  return (
    <NameDialog
      change={rename}
      name={name}
      onClose={onClose}
      send="Rename"
      setName={setName}
      title="Rename the search"
    />
  )
}

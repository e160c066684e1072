/** All lists that a member sees, and making one. */
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { addressOf, Link, navigate } from "../app/Router.tsx"
import { NameDialog } from "../part/NameDialog.tsx"
import style from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { ShowMore } from "../part/ShowMore.tsx"
import { numbers, WideTable } from "../part/WideTable.tsx"
import { dayOf, number, plural } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { knownOf, words } from "../service/Refusals.ts"
import { useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import { isType, type ListType, sightOf, types } from "./Lists.ts"

export const ListsPage = ({ search }: { readonly search: URLSearchParams }) => {
  const { member, organization: { features } } = useSession()
  const asked = search.get("type")
  const type = isType(asked) ? asked : null
  const mayMake = features.lists && member.role !== "read_only"
  const [isMaking, setMaking] = useState(false)
  const lists = useInfiniteQuery({
    queryKey: ["lists", "page", type],
    queryFn: async ({ pageParam, signal }) =>
      (await call(
        "service_list_lists",
        { limit: 50, offset: pageParam, ...type === null ? {} : { type } },
        signal
      )).data,
    initialPageParam: "0",
    getNextPageParam: ({ next_cursor }) => next_cursor
  })
  const known = knownOf(lists)
  const rows = known?.pages.flatMap((page) => page.lists)
  return (
    <main id="main">
      <div className={style["top"]}>
        <h1 tabIndex={-1}>Lists</h1>
        <label>
          Of
          <select
            onChange={({ target: { value } }) =>
              navigate(addressOf("lists", {}, new URLSearchParams(value === "" ? {} : { type: value })), {
                replace: true
              })}
            value={type ?? ""}
          >
            <option value="">Properties and people</option>
            {Object.entries(types).map(([value, name]) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
        {mayMake && <button onClick={() => setMaking(true)} type="button">New list</button>}
      </div>
      {lists.error !== null && <RefusalNotice error={lists.error} />}
      {rows === undefined ?
        lists.error === null && <p role="status">One moment…</p> :
        <p className={style["quiet"]} role="status">{plural(known?.pages[0]?.total ?? 0, "list", "lists")}</p>}
      {rows?.length === 0 && !mayMake && (
        <p>{features.lists ? "There is no list yet." : words.FEATURE_GATED.sentence}</p>
      )}
      {rows?.length === 0 && mayMake && (
        <p>
          {type === "contacts" ?
            (
              <>
                There is no list of people yet. Choose some among the <Link to={addressOf("people")}>people</Link>
              </>
            ) :
            (
              <>
                There is no list yet. Choose properties in the <Link to={addressOf("search")}>search</Link>
              </>
            )}
          , and add them to one.
        </p>
      )}
      {rows !== undefined && rows.length > 0 && (
        <WideTable columns={["List", "Of", numbers("Entries"), "Seen by", "Owner", "Made"]} isFramed label="Lists">
          {rows.map((list) => (
            <tr key={list.id}>
              <td>
                <Link to={addressOf("list", { id: list.id })}>{list.list_name}</Link>
              </td>
              <td>{types[list.list_type]}</td>
              <td className="number">{number(list.item_count)}</td>
              <td>{sightOf(list.visibility)}</td>
              <td>{list.owner_name}</td>
              <td>{dayOf(list.created_at)}</td>
            </tr>
          ))}
        </WideTable>
      )}
      {known !== undefined && <ShowMore of={lists} />}
      {isMaking && <NewList onClose={() => setMaking(false)} />}
    </main>
  )
}

const NewList = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [name, setName] = useState("")
  const [type, setType] = useState<ListType>("properties")
  const make = useMutation({
    mutationFn: async () => (await call("service_create_list", { list_name: name, list_type: type })).data.list,
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ["lists"] })
      navigate(addressOf("list", { id }))
    }
  })
  return (
    <NameDialog
      change={make}
      name={name}
      onClose={onClose}
      send="Make the list"
      setName={setName}
      title="New list"
    >
      <label>
        Of{" "}
        <select onChange={({ target: { value } }) => isType(value) && setType(value)} value={type}>
          {Object.entries(types).map(([value, label]) => <option key={value} value={value}>{label}</option>)}
        </select>
      </label>
      <p className="quiet">You alone see it until you share it.</p>
    </NameDialog>
  )
}

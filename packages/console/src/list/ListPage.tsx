/** One list: what is on it, what can be done with it, and who sees it. */
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { addressOf, Link, navigate } from "../app/Router.tsx"
import { Confirmed } from "../part/Confirmed.tsx"
import style from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { ShowMore } from "../part/ShowMore.tsx"
import { useChosen } from "../part/useChosen.ts"
import { number, plural } from "../part/Wording.ts"
import { SelectionBar } from "../search/SelectionBar.tsx"
import { call } from "../service/Call.ts"
import { mostAtOnce, partsOf } from "../service/Parts.ts"
import { knownOf } from "../service/Refusals.ts"
import { useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import { ItemTable } from "./ItemTable.tsx"
import { type KeptList, sightOf } from "./Lists.ts"
import { RenameDialog } from "./RenameDialog.tsx"
import { ShareDialog } from "./ShareDialog.tsx"

export const ListPage = ({ id }: { readonly id: string }) => {
  const list = useQuery({
    queryKey: ["lists", id],
    queryFn: async ({ signal }) => (await call("app_get_list", { list_id: id }, signal)).data
  })
  const known = knownOf(list)
  return (
    <main id="main">
      <p>
        <Link to={addressOf("lists")}>All lists</Link>
      </p>
      <h1 tabIndex={-1}>{known?.list_name ?? "List"}</h1>
      {list.error !== null && <RefusalNotice error={list.error} />}
      {known === undefined ? list.error === null && <p role="status">One moment…</p> : (
        <>
          <Care list={known} />
          <Items list={known} />
        </>
      )}
    </main>
  )
}

const Care = ({ list }: { readonly list: KeptList }) => {
  const client = useQueryClient()
  const { organization: { features } } = useSession()
  const [open, setOpen] = useState<"rename" | "share" | null>(null)
  const remove = useMutation({
    mutationFn: () => call("app_delete_list", { list_id: list.id }),
    onSuccess: () => {
      client.removeQueries({ queryKey: ["lists", "page"] })
      navigate(addressOf("lists"), { replace: true })
    }
  })
  const close = () => setOpen(null)
  return (
    <>
      <p className={style["quiet"]}>
        {list.owner_name}’s; seen by {sightOf(list.visibility)}
        {list.visibility === "shared" && ` (${plural(list.shared_count, "member", "members")} more)`}
      </p>
      {list.manageable && features.lists && (
        <div className={style["buttons"]}>
          <button className="plain" onClick={() => setOpen("rename")} type="button">Rename</button>
          {list.shareable && <button className="plain" onClick={() => setOpen("share")} type="button">Share</button>}
          <Confirmed
            disabled={remove.isPending}
            label="Delete the list"
            onConfirm={() => remove.mutate()}
            question="It is gone for everybody; what is on it stays where it is."
          />
        </div>
      )}
      {remove.error !== null && <RefusalNotice error={remove.error} />}
      {open === "rename" && <RenameDialog list={list} onClose={close} />}
      {open === "share" && <ShareDialog list={list} onClose={close} />}
    </>
  )
}

const Items = ({ list }: { readonly list: KeptList }) => {
  const client = useQueryClient()
  const { organization: { features } } = useSession()
  const { choose, chosen, clear, toggle } = useChosen()
  const items = useInfiniteQuery({
    queryKey: ["lists", list.id, "items"],
    queryFn: async ({ pageParam, signal }) =>
      (await call("service_get_list_items", { list_id: list.id, limit: 100, offset: pageParam }, signal)).data,
    initialPageParam: "0",
    getNextPageParam: ({ next_cursor }) => next_cursor
  })
  const remove = useMutation({
    mutationFn: async () => {
      let removed = 0
      for (const item_ids of partsOf(Array.from(chosen), mostAtOnce)) {
        removed += (await call("service_remove_from_list", { list_id: list.id, item_ids })).data.removed
      }
      return removed
    },
    onSuccess: clear,
    onSettled: () => client.invalidateQueries({ queryKey: ["lists"] })
  })
  const known = knownOf(items)
  const rows = known?.pages.flatMap((page) => page.items)
  return (
    <>
      {items.error !== null && <RefusalNotice error={items.error} />}
      <p className={style["quiet"]} role="status">
        {known === undefined ? "" : plural(known.pages[0]?.total ?? 0, "entry", "entries")}
        {remove.data !== undefined && ` · ${number(remove.data)} taken off the list.`}
      </p>
      {remove.error !== null && <RefusalNotice error={remove.error} />}
      {rows?.length === 0 && <p>Nothing is on it yet.</p>}
      {known !== undefined && chosen.size > 0 && (
        <SelectionBar chosen={chosen} kind={list.list_type} onDone={clear}>
          {features.lists && (
            <button
              className="plain"
              disabled={remove.isPending}
              onClick={() => remove.mutate()}
              type="button"
            >
              Take off the list
            </button>
          )}
        </SelectionBar>
      )}
      {rows !== undefined && rows.length > 0 && (
        <ItemTable
          chosen={chosen}
          items={rows}
          onChoose={choose}
          onToggle={toggle}
          type={list.list_type}
        />
      )}
      {known !== undefined && <ShowMore of={items} />}
    </>
  )
}

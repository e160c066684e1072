/** Adding properties or people to a list, one that is there or a new one. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, type SubmitEvent, useRef, useState } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { allLists } from "../list/allLists.ts"
import { Dialog } from "../part/Dialog.tsx"
import { partOf, RefusalNotice } from "../part/RefusalNotice.tsx"
import { number } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { mostAtOnce, partsOf } from "../service/Parts.ts"
import { useMutation } from "../service/useMutation.ts"

export const ListDialog = ({ ids, onAdded, onClose, type = "properties" }: {
  readonly ids: ReadonlyArray<string>
  readonly type?: "properties" | "contacts"
  /** What was done, with the way to the list. */
  readonly onAdded: (words: ReactNode) => void
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const lists = useQuery({
    queryKey: ["lists", type],
    queryFn: ({ signal }) => allLists(type, signal)
  })
  const [list, setList] = useState("")
  const [name, setName] = useState("")
  const changed = useRef("")
  /** How many are on the list by now. */
  const [done, setDone] = useState(0)
  const add = useMutation({
    mutationFn: async () => {
      const list_id = list !== ""
        ? list
        : (await call("service_create_list", { list_name: name, list_type: type, reuse_existing_by_name: true })).data
          .list.id
      let added = 0
      let reached = 0
      for (const item_ids of partsOf(ids, mostAtOnce)) {
        setDone(reached)
        changed.current = list_id
        added += (await call("service_add_to_list", { list_id, item_ids })).data.added
        reached += item_ids.length
      }
      return added
    },
    onSuccess: (added) =>
      onAdded(
        <>
          {`${number(added)} added to the list, ${number(ids.length - added)} were on it.`}{" "}
          <Link to={addressOf("list", { id: changed.current })}>Open the list</Link>
        </>
      ),
    // Another list that is on screen is as it was: to read all of its pages anew would take long.
    onSettled: () =>
      Promise.all([type, "page", changed.current].map((of) => client.invalidateQueries({ queryKey: ["lists", of] })))
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <Dialog isBusy={add.isPending} onClose={onClose} title="Add to a list">
      <form onSubmit={submit}>
        <label>
          List
          <select onChange={(event) => setList(event.target.value)} value={list}>
            <option value="">A new one</option>
            {lists.data?.map(({ id, item_count, list_name }) => (
              <option key={id} value={id}>{list_name} ({number(item_count)})</option>
            ))}
          </select>
        </label>
        {list === "" && (
          <label>
            Name of the new list
            <input maxLength={200} onChange={(event) => setName(event.target.value)} required value={name} />
          </label>
        )}
        {lists.error !== null && <RefusalNotice error={lists.error} />}
        {add.error !== null && <RefusalNotice done={partOf(done, ids.length, "added to the list")} error={add.error} />}
        <button disabled={add.isPending} type="submit">Add {number(ids.length)}</button>
      </form>
    </Dialog>
  )
}

/** What can be done with the chosen properties: onto a list, into the pipeline, researched. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type SubmitEvent, useEffect, useState } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { Dialog } from "../part/Dialog.tsx"
import { number, plural } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { useBalanceChanged, useSession } from "../service/Session.tsx"
import style from "./SearchPage.module.css"

/** How many the service researches in one batch. */
const maximumBatch = 100

export const SelectionBar = ({ chosen, onDone }: {
  readonly chosen: ReadonlySet<string>
  readonly onDone: () => void
}) => {
  const ids = Array.from(chosen)
  const { credits, member, prices } = useSession()
  const client = useQueryClient()
  const balanceChanged = useBalanceChanged()
  const [isListing, setListing] = useState(false)
  const [told, setTold] = useState("")
  const each = prices["research_property"] ?? 0
  const price = each * ids.length

  useEffect(() => {
    const escape = ({ key }: KeyboardEvent) => {
      if (key === "Escape" && document.querySelector("dialog[open]") === null) onDone()
    }
    window.addEventListener("keydown", escape)
    return () => window.removeEventListener("keydown", escape)
  }, [onDone])

  const qualify = useMutation({
    mutationFn: async () => {
      // One after the other: each is a change of its own, and the first refusal ends it.
      let fresh = 0
      for (const property_id of ids) {
        const { data } = await call("service_qualify_lead", { property_id })
        if (data.first_time) fresh++
      }
      return fresh
    },
    onSuccess: (fresh) => setTold(`${plural(ids.length, "property is", "properties are")} in the pipeline, ${fresh} of them new.`),
    onSettled: () => client.invalidateQueries({ queryKey: ["map"] })
  })
  const research = useMutation({
    mutationFn: () => call("service_research_properties", { property_ids: ids, maxCredits: price }),
    onSuccess: ({ data, receipt }) => {
      balanceChanged(receipt?.remaining ?? null)
      setTold(
        `Research of ${plural(data.properties, "property", "properties")} began for ${number(data.credits_charged)} credits` +
          `${data.skipped.length === 0 ? "." : `; ${data.skipped.length} skipped.`}`
      )
    }
  })
  const isBusy = qualify.isPending || research.isPending
  return (
    <section aria-label="Chosen properties" className={style["selection"]}>
      <p>
        <strong>{number(ids.length)} chosen</strong>
      </p>
      <p aria-live="polite" className={style["told"]}>{told}</p>
      {member.role !== "read_only" && (
        <>
          <button disabled={isBusy} onClick={() => setListing(true)} type="button">Add to list</button>
          <button disabled={isBusy} onClick={() => qualify.mutate()} type="button">Qualify</button>
          <button disabled={isBusy || ids.length > maximumBatch} onClick={() => research.mutate()} type="button">
            Research for at most {number(price)} credits
          </button>
          <span className={style["quiet"]}>
            {ids.length > maximumBatch
              ? `At most ${maximumBatch} are researched at once.`
              : `Balance ${number(credits)} → ${number(credits - price)}; what is open or finds nothing is not charged.`}
          </span>
        </>
      )}
      <button className="plain" onClick={onDone} type="button">Clear (Esc)</button>
      {qualify.error !== null && <RefusalNotice error={qualify.error} />}
      {research.error !== null && <RefusalNotice error={research.error} />}
      {isListing && (
        <ListDialog
          ids={ids}
          onAdded={(words) => {
            setTold(words)
            setListing(false)
          }}
          onClose={() => setListing(false)}
        />
      )}
    </section>
  )
}

/** Of whatever kind the items are. */
export const ListDialog = ({ ids, onAdded, onClose, type = "properties" }: {
  readonly ids: ReadonlyArray<string>
  readonly type?: "properties" | "contacts"
  readonly onAdded: (words: string) => void
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const lists = useQuery({
    queryKey: ["lists", type],
    queryFn: async () => (await call("service_list_lists", { type, limit: 200 })).data.lists
  })
  const [list, setList] = useState("")
  const [name, setName] = useState("")
  const add = useMutation({
    mutationFn: async () => {
      const list_id = list !== ""
        ? list
        : (await call("service_create_list", { list_name: name, list_type: type, reuse_existing_by_name: true })).data.list.id
      return (await call("service_add_to_list", { list_id, item_ids: ids })).data
    },
    onSuccess: async ({ added, already_exists }) => {
      await client.invalidateQueries({ queryKey: ["lists"] })
      onAdded(`${number(added)} added to the list, ${number(already_exists)} were on it.`)
    }
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <Dialog onClose={onClose} title="Add to a list">
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
        {add.error !== null && <RefusalNotice error={add.error} />}
        <button disabled={add.isPending} type="submit">Add {number(ids.length)}</button>
      </form>
    </Dialog>
  )
}

/** Keeping a search under a name, and sharing it: its address says all of it. */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { NameDialog } from "../part/NameDialog.tsx"
import { call } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import style from "./SearchPage.module.css"
import type { SearchState } from "./SearchUrl.ts"
import { searchOf } from "./useSearch.ts"

export const SaveSearch = ({ state }: { readonly state: SearchState }) => {
  const { member } = useSession()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState("")
  const [told, setTold] = useState("")
  const save = useMutation({
    mutationFn: () => call("service_save_search", { name, search: searchOf(state) }),
    onSuccess: async () => {
      setTold(`Saved as “${name}”.`)
      setOpen(false)
      setName("")
      await client.invalidateQueries({ queryKey: ["saved-searches"] })
    }
  })
  const share = async () => {
    try {
      await navigator.clipboard.writeText(location.href)
      setTold("The address is copied.")
    } catch {
      setTold("The address of this page is the search.")
    }
  }
  return (
    <div className={style["keep"]}>
      {member.role !== "read_only" && (
        <button className="plain" onClick={() => setOpen(true)} type="button">Save search</button>
      )}
      <button className="plain" onClick={() => void share()} type="button">Share</button>
      <Link to={addressOf("searches")}>Saved searches</Link>
      <span aria-live="polite" className={style["quiet"]}>{told}</span>
      {isOpen && (
        <NameDialog
          change={save}
          name={name}
          onClose={() => setOpen(false)}
          send="Save"
          setName={setName}
          title="Save this search"
        />
      )}
    </div>
  )
}

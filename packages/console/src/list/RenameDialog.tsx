/** Gives a list another name. */
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type SubmitEvent, useState } from "react"
import { Dialog } from "../part/Dialog.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { call } from "../service/Call.ts"
import type { KeptList } from "./Lists.ts"

export const RenameDialog = ({ list, onClose }: { readonly list: KeptList; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [name, setName] = useState(list.list_name)
  const rename = useMutation({
    mutationFn: () => call("app_change_list", { list_id: list.id, list_name: name }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["lists"] })
      onClose()
    }
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    rename.mutate()
  }
  return (
    <Dialog onClose={onClose} title="Rename the list">
      <form onSubmit={submit}>
        <label>
          Name{" "}
          <input
            autoFocus
            maxLength={200}
            onChange={(event) => setName(event.target.value)}
            required
            value={name}
          />
        </label>
        {rename.error !== null && <RefusalNotice error={rename.error} />}
        <button disabled={rename.isPending} type="submit">Rename</button>
      </form>
    </Dialog>
  )
}

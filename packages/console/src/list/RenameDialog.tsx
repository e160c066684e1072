/** Gives a list another name. */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { NameDialog } from "../part/NameDialog.tsx"
import { call } from "../service/Call.ts"
import { useMutation } from "../service/useMutation.ts"
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
  return (
    <NameDialog
      change={rename}
      name={name}
      onClose={onClose}
      send="Rename"
      setName={setName}
      title="Rename the list"
    />
  )
}

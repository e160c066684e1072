/** A button that puts people onto a list, and says so. */
import { type ReactNode, useState } from "react"
import { ListDialog } from "../search/ListDialog.tsx"
import { useSession } from "../service/Session.tsx"

export const AddToList = ({ ids, label }: { readonly ids: ReadonlyArray<string>; readonly label: string }) => {
  const { member, organization: { features } } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [told, setTold] = useState<ReactNode>(null)
  if (!features.lists || member.role === "read_only" || ids.length === 0) return null
  return (
    <>
      <button className="plain" onClick={() => setOpen(true)} type="button">{label}</button>
      <p role="status">{told}</p>
      {isOpen && (
        <ListDialog
          ids={ids}
          onAdded={(words) => {
            setTold(words)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
          type="contacts"
        />
      )}
    </>
  )
}

/** Putting a property into the pipeline, and onto lists. */
import { useState } from "react"
import { ListDialog } from "../search/ListDialog.tsx"
import { useSession } from "../service/Session.tsx"
import { QualifyDialog } from "./QualifyDialog.tsx"

export const Lead = ({ id }: { readonly id: string }) => {
  const { member, organization: { features } } = useSession()
  const [open, setOpen] = useState<"qualify" | "list" | null>(null)
  const [told, setTold] = useState("")
  const close = () => setOpen(null)
  const done = (words: string) => {
    setTold(words)
    close()
  }
  if (member.role === "read_only" || !features.pipeline && !features.lists) return null
  return (
    <section aria-labelledby="lead">
      <h2 id="lead">Lead</h2>
      {features.pipeline && <button onClick={() => setOpen("qualify")} type="button">Qualify</button>}{" "}
      {features.lists && <button className="plain" onClick={() => setOpen("list")} type="button">Add to list</button>}
      <p role="status">{told}</p>
      {open === "qualify" && <QualifyDialog ids={[id]} onClose={close} onDone={done} />}
      {open === "list" && <ListDialog ids={[id]} onAdded={done} onClose={close} />}
    </section>
  )
}

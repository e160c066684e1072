/** What your team wrote about a property, and writing more. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type SubmitEvent, useState } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { dayOf } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"
import style from "./PropertyPage.module.css"

const maximum = 5000

export const Notes = ({ id }: { readonly id: string }) => {
  const { member, organization } = useSession()
  const client = useQueryClient()
  const [content, setContent] = useState("")
  const key = ["notes", id]
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await call("service_get_notes", { propertyId: id }, signal)).data.notes,
    enabled: organization.features.pipeline
  })
  const add = useMutation({
    mutationFn: () => call("service_add_note", { property_id: id, content }),
    onSuccess: async () => {
      setContent("")
      await client.invalidateQueries({ queryKey: key })
    }
  })
  if (!organization.features.pipeline) return null
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    add.mutate()
  }
  return (
    <section aria-labelledby="notes">
      <h2 id="notes">Notes</h2>
      {error !== null && <RefusalNotice error={error} />}
      {data?.length === 0 && <p className="quiet">Nobody wrote about it yet.</p>}
      <ul className={style["notes"]}>
        {data?.map((note) => (
          <li key={note.id}>
            <p>{note.content}</p>
            <p className="quiet">{note.author}, {dayOf(note.created_at)}</p>
          </li>
        ))}
      </ul>
      {member.role !== "read_only" && (
        <form onSubmit={submit}>
          <label>
            New note
            <textarea
              maxLength={maximum}
              onChange={(event) => setContent(event.target.value)}
              required
              rows={3}
              value={content}
            />
          </label>
          <button disabled={add.isPending || content.trim() === ""} type="submit">Add note</button>
          {add.error !== null && <RefusalNotice error={add.error} />}
        </form>
      )}
    </section>
  )
}

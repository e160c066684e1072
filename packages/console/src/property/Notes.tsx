/** What your team wrote about a property, newest first: writing more, and changing what is one's own. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type SubmitEvent, useState } from "react"
import { Confirmed } from "../part/Confirmed.tsx"
import pageStyle from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { dayOf } from "../part/Wording.ts"
import { call, type Output } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import style from "./PropertyPage.module.css"

type Note = Output<"app_list_notes">["notes"][number]

const maximum = 5000

/** The service tells so many. */
const most = 100

const keyOf = (propertyId: string) => ["notes", propertyId]

export const Notes = ({ id }: { readonly id: string }) => {
  const { member, organization } = useSession()
  const { data, error } = useQuery({
    queryKey: keyOf(id),
    queryFn: async ({ signal }) => (await call("app_list_notes", { property_id: id, limit: most }, signal)).data.notes,
    enabled: organization.features.pipeline
  })
  if (!organization.features.pipeline) return null
  return (
    <section aria-labelledby="notes">
      <h2 id="notes">Notes</h2>
      {error !== null && <RefusalNotice error={error} />}
      {data?.length === 0 && <p className="quiet">Nobody wrote about it yet.</p>}
      {data?.length === most && <p className="quiet">The newest {most}.</p>}
      <ul className={style["notes"]}>{data?.map((note) => <Line key={note.id} note={note} />)}</ul>
      {member.role !== "read_only" && <NewNote id={id} />}
    </section>
  )
}

const NewNote = ({ id }: { readonly id: string }) => {
  const client = useQueryClient()
  const [content, setContent] = useState("")
  const add = useMutation({
    mutationFn: () => call("service_add_note", { property_id: id, content }),
    onSuccess: async () => {
      setContent("")
      await client.invalidateQueries({ queryKey: keyOf(id) })
    }
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    add.mutate()
  }
  return (
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
  )
}

const Line = ({ note }: { readonly note: Note }) => {
  const client = useQueryClient()
  const [isEditing, setEditing] = useState(false)
  const changed = () => client.invalidateQueries({ queryKey: keyOf(note.property_id) })
  const remove = useMutation({ mutationFn: () => call("app_delete_note", { id: note.id }), onSuccess: changed })
  if (isEditing) {
    return (
      <li>
        <EditNote note={note} onEnd={() => setEditing(false)} />
      </li>
    )
  }
  return (
    <li>
      <p>{note.content}</p>
      <p className="quiet">{note.author}, {dayOf(note.created_at)}</p>
      {(note.editable || note.deletable) && (
        <div className={pageStyle["buttons"]}>
          {note.editable && <button className="plain" onClick={() => setEditing(true)} type="button">Edit</button>}
          {note.deletable && (
            <Confirmed
              disabled={remove.isPending}
              label="Delete"
              onConfirm={() => remove.mutate()}
              question="It is gone for good."
            />
          )}
        </div>
      )}
      {remove.error !== null && <RefusalNotice error={remove.error} />}
    </li>
  )
}

const EditNote = ({ note, onEnd }: { readonly note: Note; readonly onEnd: () => void }) => {
  const client = useQueryClient()
  const [content, setContent] = useState(note.content)
  const edit = useMutation({
    mutationFn: () => call("app_edit_note", { id: note.id, content }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keyOf(note.property_id) })
      onEnd()
    }
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    edit.mutate()
  }
  return (
    <form onSubmit={submit}>
      <label>
        The note
        <textarea
          autoFocus
          maxLength={maximum}
          onChange={(event) => setContent(event.target.value)}
          required
          rows={3}
          value={content}
        />
      </label>
      <div className={pageStyle["buttons"]}>
        <button disabled={edit.isPending || content.trim() === ""} type="submit">Save</button>
        <button className="plain" onClick={onEnd} type="button">Leave it as it was</button>
      </div>
      {edit.error !== null && <RefusalNotice error={edit.error} />}
    </form>
  )
}

/** What your team wrote about a property, newest first: writing more, and changing what is one's own. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type SubmitEvent, useState } from "react"
import { Confirmed } from "../part/Confirmed.tsx"
import pageStyle from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { Told } from "../part/Told.tsx"
import { type KeptText, useKeptText } from "../part/useKeptText.ts"
import { dayOf } from "../part/Wording.ts"
import { call, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
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
  const known = knownOf({ data, error })
  /** What was done last; another one for each, though the words are the same. */
  const [done, setDone] = useState<{ readonly words: string } | null>(null)
  const tell = (words: string) => setDone({ words })
  if (!organization.features.pipeline) return null
  return (
    <section aria-labelledby="notes">
      <h2 id="notes">Notes</h2>
      {error !== null && <RefusalNotice error={error} />}
      {/* Takes the room of a line from the first on. */}
      {known === undefined && error === null && <p className="quiet">One moment…</p>}
      {known?.length === 0 && <p className="quiet">Nobody wrote about it yet.</p>}
      {known?.length === most && <p className="quiet">The newest {most}.</p>}
      <ul className={style["notes"]}>{known?.map((note) => <Line key={note.id} note={note} tell={tell} />)}</ul>
      <Told said={done}>{done !== null && <p className="quiet">{done.words}</p>}</Told>
      {member.role !== "read_only" && <NewNote id={id} tell={tell} />}
    </section>
  )
}

/** Says what was done. */
type Tell = (words: string) => void

const NewNote = ({ id, tell }: { readonly id: string; readonly tell: Tell }) => {
  const client = useQueryClient()
  const { forget, text, type } = useKeptText(`note of ${id}`)
  const add = useMutation({
    mutationFn: (content: string) => call("service_add_note", { property_id: id, content }),
    onSuccess: async (_, content) => {
      forget(content)
      await client.invalidateQueries({ queryKey: keyOf(id) })
      tell("The note was added.")
    }
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    add.mutate(text)
  }
  return (
    <form onSubmit={submit}>
      <label>
        New note
        <textarea
          maxLength={maximum}
          onChange={(event) => type(event.target.value)}
          required
          rows={3}
          value={text}
        />
      </label>
      <button disabled={add.isPending || text.trim() === ""} type="submit">Add note</button>
      {add.error !== null && <RefusalNotice error={add.error} />}
    </form>
  )
}

const Line = ({ note, tell }: { readonly note: Note; readonly tell: Tell }) => {
  const client = useQueryClient()
  const edited = useEdited(note)
  const [isEditing, setEditing] = useState(edited.isKept)
  const remove = useMutation({
    mutationFn: () => call("app_delete_note", { id: note.id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keyOf(note.property_id) })
      tell("The note was deleted.")
    }
  })
  if (isEditing) {
    return (
      <li>
        <EditNote edited={edited} note={note} onEnd={() => setEditing(false)} tell={tell} />
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

/** The note as it was typed anew, of which the page is told where one was being edited when it was left. */
const useEdited = ({ content, id }: Note): KeptText => useKeptText(`edited note ${id}`, content)

const EditNote = ({ edited: { forget, text, type }, note, onEnd, tell }: {
  readonly note: Note
  readonly edited: KeptText
  readonly onEnd: () => void
  readonly tell: Tell
}) => {
  const client = useQueryClient()
  const end = () => {
    forget()
    onEnd()
  }
  const edit = useMutation({
    mutationFn: () => call("app_edit_note", { id: note.id, content: text }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keyOf(note.property_id) })
      end()
      tell("The note was saved.")
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
          onChange={(event) => type(event.target.value)}
          required
          rows={3}
          value={text}
        />
      </label>
      <div className={pageStyle["buttons"]}>
        <button disabled={edit.isPending || text.trim() === ""} type="submit">Save</button>
        <button className="plain" onClick={end} type="button">Leave it as it was</button>
      </div>
      {edit.error !== null && <RefusalNotice error={edit.error} />}
    </form>
  )
}

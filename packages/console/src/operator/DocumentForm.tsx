/** An organization as the document that makes it: edited, its difference shown, and applied if that is what was meant. */
import { type FormEvent, useState } from "react"
import style from "../admin/Admin.module.css"
import { asWritten, IssueWords } from "../part/Issues.ts"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { Refused } from "../service/Call.ts"
import { Difference, LookButton, useDifference } from "./Difference.tsx"
import own from "./Operator.module.css"

/** The value of a JSON text, or why it is none. */
const parsed = (text: string): { readonly value: unknown } | { readonly refused: Refused } => {
  try {
    return { value: JSON.parse(text) }
  } catch (cause) {
    const message = `Expected JSON${cause instanceof Error ? `: ${cause.message}` : ""}`
    const issues = [{ field: "document", message }]
    return { refused: new Refused("INVALID_ARGUMENTS", message, { issues }) }
  }
}

export const DocumentForm = ({ document }: { readonly document: unknown }) => {
  /** null: as the organization is, whatever is done to it meanwhile. */
  const [edited, setEdited] = useState<string | null>(null)
  const [refused, setRefused] = useState<Refused | null>(null)
  const difference = useDifference()
  const text = edited ?? JSON.stringify(document, null, 2)
  const look = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const read = parsed(text)
    setRefused("refused" in read ? read.refused : null)
    if ("refused" in read) difference.forget()
    else difference.look(read.value)
  }
  return (
    <IssueWords value={asWritten}>
      <form className={style["form"]} onSubmit={look}>
        <label>
          <span>
            Document of one organization, as <code>freehold apply</code> takes it; what is left out stays as it is
          </span>
          <textarea
            className={own["document"]}
            onChange={(event) => {
              setEdited(event.target.value)
              setRefused(null)
              difference.forget()
            }}
            rows={14}
            spellCheck={false}
            value={text}
          />
        </label>
        {refused !== null && <RefusalNotice error={refused} />}
        <LookButton of={difference} />
      </form>
      <Difference of={difference} onApplied={() => setEdited(null)} />
    </IssueWords>
  )
}

/** A draft to be copied into one's own mail: nothing is sent from here. */
import style from "../part/Page.module.css"
import { useCopy } from "../part/useCopy.ts"
import type { Output } from "../service/Call.ts"
import draftStyle from "./Draft.module.css"

type Draft = NonNullable<Output<"service_get_research_status">["draft"]>

export const DraftText = ({ draft: { body, subject } }: { readonly draft: Draft }) => {
  const { copy, told } = useCopy()
  return (
    <>
      <p>
        <strong>{subject}</strong>
      </p>
      <p className={draftStyle["body"]}>{body}</p>
      <div className={style["buttons"]}>
        <button onClick={() => void copy("The text was", body)} type="button">Copy the text</button>
        <button className="plain" onClick={() => void copy("The subject was", subject)} type="button">
          Copy the subject
        </button>
      </div>
      <p className={style["quiet"]} role="status">{told}</p>
      <p className={style["quiet"]}>Read it before you send it: nothing is sent from here.</p>
    </>
  )
}

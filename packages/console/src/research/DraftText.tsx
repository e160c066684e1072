/** A draft to be copied into one's own mail: nothing is sent from here. */
import { useState } from "react"
import style from "../part/Page.module.css"
import type { Output } from "../service/Call.ts"
import draftStyle from "./Draft.module.css"

type Draft = NonNullable<Output<"service_get_research_status">["draft"]>

export const DraftText = ({ draft: { body, subject } }: { readonly draft: Draft }) => {
  const [told, setTold] = useState("")
  const copy = async (what: string, text: string) => {
    try {
      await navigator.clipboard.writeText(text)
      setTold(`${what} copied.`)
    } catch {
      setTold("The browser does not let this page copy: select the text, and copy it.")
    }
  }
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

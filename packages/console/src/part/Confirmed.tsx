/** A button that asks once more before it does what cannot be undone. */
import { useState } from "react"
import style from "./Page.module.css"

export const Confirmed = ({ disabled, label, onConfirm, question }: {
  readonly label: string
  readonly question: string
  readonly disabled: boolean
  readonly onConfirm: () => void
}) => {
  const [asking, setAsking] = useState(false)
  if (!asking) {
    return (
      <button className="plain" disabled={disabled} onClick={() => setAsking(true)} type="button">
        {label}
      </button>
    )
  }
  return (
    <span className={style["buttons"]}>
      <span>{question}</span>
      <button
        autoFocus
        disabled={disabled}
        onClick={() => {
          setAsking(false)
          onConfirm()
        }}
        type="button"
      >
        {label}
      </button>
      <button className="plain" onClick={() => setAsking(false)} type="button">Keep</button>
    </span>
  )
}

/** A button that asks once more before it does what cannot be undone. */
import { useState } from "react"
import style from "./Page.module.css"

export const Confirmed = ({ about, disabled, label, onConfirm, question }: {
  readonly label: string
  /** Which one, said to whoever hears the button and not what stands around it. */
  readonly about?: string
  readonly question: string
  readonly disabled: boolean
  readonly onConfirm: () => void
}) => {
  const name = about === undefined ? undefined : `${label}: ${about}`
  const [step, setStep] = useState<"idle" | "asking" | "kept">("idle")
  if (step !== "asking") {
    return (
      <button
        aria-label={name}
        autoFocus={step === "kept"}
        className="plain"
        disabled={disabled}
        onClick={() => setStep("asking")}
        type="button"
      >
        {label}
      </button>
    )
  }
  return (
    <span className={style["buttons"]}>
      <span>{question}</span>
      <button
        aria-label={name}
        autoFocus
        disabled={disabled}
        onClick={() => {
          setStep("idle")
          onConfirm()
        }}
        type="button"
      >
        {label}
      </button>
      <button className="plain" onClick={() => setStep("kept")} type="button">Keep</button>
    </span>
  )
}

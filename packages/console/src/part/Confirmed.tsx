/** A button that asks once more before it does what cannot be undone. */
import { useState } from "react"
import style from "./Page.module.css"

export const Confirmed = ({ disabled, label, onConfirm, question }: {
  readonly label: string
  readonly question: string
  readonly disabled: boolean
  readonly onConfirm: () => void
}) => {
  const [step, setStep] = useState<"idle" | "asking" | "kept">("idle")
  if (step !== "asking") {
    return (
      <button
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

/** Asks where a lead goes, and what the stage wants to know: what the deal is worth, or why it ended. */
import { type FormEvent, useId, useState } from "react"
import { Dialog } from "../part/Dialog.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { useKeptText } from "../part/useKeptText.ts"
import type { Input } from "../service/Call.ts"
import style from "./Board.module.css"
import { type Card, disqualifyReasons, nameOf, type Stage, stageOf } from "./Stages.ts"
import { useLossReasons } from "./useReasons.ts"

/** Where a lead is to go, with what the stage wanted to know. */
export interface Move {
  readonly to: Stage
  readonly asked: Pick<Input<"app_move_lead">, "deal_value" | "reason_code" | "note">
}

/** Whether the stage wants to know something before a lead goes there. */
export const isAsking = (to: Stage, { deal_value }: Card): boolean =>
  to === "won" || to === "lost" || to === "disqualified" || (to === "qualified" && deal_value === null)

interface Reason {
  readonly code: string
  readonly label: string
  readonly requires_note: boolean
}

const ofDisqualified: ReadonlyArray<Reason> = Object.entries(disqualifyReasons).map(([code, label]) => ({
  code,
  label,
  requires_note: code === "other"
}))

export const MoveDialog = ({ card, onClose, onMove, targets, to: asked }: {
  readonly card: Pick<Card, "address" | "deal_value" | "property_id" | "property_key">
  readonly targets: ReadonlyArray<Stage>
  /** Where it was dropped; null: to be chosen. */
  readonly to: Stage | null
  /** `sent` is called once the lead is there: until then, what was noted is kept. */
  readonly onMove: (move: Move, sent: () => void) => void
  readonly onClose: () => void
}) => {
  const [to, setTo] = useState<Stage | null>(asked ?? targets[0] ?? null)
  const [value, setValue] = useState(card.deal_value === null ? "" : String(card.deal_value))
  const [reasonCode, setReasonCode] = useState("")
  const { forget, text: note, type } = useKeptText(`note of a move of ${card.property_id}`)
  const noteHint = useId()
  const losses = useLossReasons(to === "lost")
  const reasons: ReadonlyArray<Reason> = to === "lost" ? losses.data ?? [] : to === "disqualified" ? ofDisqualified : []
  const isEnd = to === "lost" || to === "disqualified"
  const needsNote = reasons.find(({ code }) => code === reasonCode)?.requires_note ?? false
  const asksValue = to === "won" || to === "qualified"
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (to === null) return
    onMove({
      to,
      asked: {
        ...asksValue && value !== "" ? { deal_value: Number(value) } : {},
        ...isEnd ? { reason_code: reasonCode } : {},
        ...note.trim() === "" ? {} : { note: note.trim() }
      }
    }, forget)
  }
  const close = () => {
    forget()
    onClose()
  }
  return (
    <Dialog onClose={close} title={`Move ${nameOf(card)}`}>
      <form className={style["form"]} onSubmit={submit}>
        <label>
          Stage
          <select
            onChange={(event) => setTo(targets.find((each) => each === event.target.value) ?? null)}
            value={to ?? ""}
          >
            {targets.map((target) => <option key={target} value={target}>{stageOf(target)}</option>)}
          </select>
        </label>
        {asksValue && (
          <label>
            Deal value, whole US dollars
            <input
              inputMode="numeric"
              min={2}
              onChange={(event) => setValue(event.target.value)}
              required
              step={1}
              type="number"
              value={value}
            />
          </label>
        )}
        {isEnd && (
          <label>
            Reason
            <select onChange={(event) => setReasonCode(event.target.value)} required value={reasonCode}>
              <option value="">Choose one</option>
              {reasons.map(({ code, label }) => <option key={code} value={code}>{label}</option>)}
            </select>
          </label>
        )}
        {to === "lost" && losses.error !== null && <RefusalNotice error={losses.error} />}
        <label>
          Note
          <textarea
            aria-describedby={noteHint}
            maxLength={2000}
            onChange={(event) => type(event.target.value)}
            required={needsNote}
            rows={3}
            value={note}
          />
        </label>
        <p className={style["quiet"]} id={noteHint}>
          {needsNote ? "This reason needs a note." : "Optional."} It is kept in the lead's history.
        </p>
        <div className={style["buttons"]}>
          <button disabled={to === null} type="submit">{to === null ? "Move" : `Move to ${stageOf(to)}`}</button>
        </div>
      </form>
    </Dialog>
  )
}

/** A dialog that says what it will do, asks for the reason, and does it. */
import type { UseMutationResult } from "@tanstack/react-query"
import { type FormEvent, type ReactNode, useId } from "react"
import style from "../admin/Admin.module.css"
import { Dialog } from "../part/Dialog.tsx"
import { textIn } from "../part/Form.tsx"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import own from "./Operator.module.css"

export const longestReason = 200

/** The field for the reason, in the words of every form that has one. */
export const ReasonField = () => (
  <label>
    Reason, for the log
    <input autoComplete="off" maxLength={longestReason} name="reason" required />
  </label>
)

export const Act = <Input extends object, Done = unknown>(
  { act, button, children, done = null, input, left, onClose, onDone, says, title }: {
    readonly title: string
    /** What will happen. */
    readonly says: ReactNode
    readonly button: string
    /** Further fields. */
    readonly children?: ReactNode
    readonly act: UseMutationResult<Done, Error, Input>
    /** What was done of several before one was refused; null: nothing. */
    readonly done?: string | null
    /** What is asked for, by the fields. */
    readonly input: (data: FormData, reason: string) => Input
    /** What has to be said though it was not refused; null: it is done, and the dialog closes. */
    readonly left?: (done: Done) => string | null
    readonly onClose: () => void
    /** Told what was done, before the dialog closes. */
    readonly onDone?: (done: Done) => void
  }
) => {
  const told = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    act.mutate(input(data, textIn(data, "reason")), {
      onSuccess: (done) => {
        onDone?.(done)
        if ((left?.(done) ?? null) === null) onClose()
      }
    })
  }
  const remark = act.data === undefined ? null : left?.(act.data) ?? null
  return (
    <Dialog isBusy={act.isPending} onClose={onClose} title={title}>
      <form
        aria-describedby={told}
        className={`${style["form"]} ${own["act"]}`}
        onChange={() => act.isPending || act.isIdle || act.reset()}
        onSubmit={submit}
      >
        <div id={told}>{says}</div>
        {children}
        <ReasonField />
        {act.error !== null && <RefusalNotice done={done} error={act.error} />}
        {remark !== null && <p className={own["fault"]} role="status">{remark}</p>}
        <div className={page["buttons"]}>
          <button disabled={act.isPending} type="submit">{button}</button>
          <button className="plain" disabled={act.isPending} onClick={onClose} type="button">Keep it as it is</button>
        </div>
      </form>
    </Dialog>
  )
}

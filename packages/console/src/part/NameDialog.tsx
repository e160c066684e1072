/** Asks what something is to be called. */
import type { ReactNode, SubmitEvent } from "react"
import { Dialog } from "./Dialog.tsx"
import { RefusalNotice } from "./RefusalNotice.tsx"

export const NameDialog = ({ change: { error, isPending, mutate }, children, name, onClose, send, setName, title }: {
  /** What is done with the name when it is sent. */
  readonly change: { readonly error: Error | null; readonly isPending: boolean; readonly mutate: () => void }
  readonly name: string
  readonly setName: (name: string) => void
  readonly onClose: () => void
  readonly title: string
  /** What the button is called that sends it. */
  readonly send: string
  /** What is asked besides. */
  readonly children?: ReactNode
}) => {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <Dialog onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <label>
          Name{" "}
          <input
            maxLength={200}
            onChange={(event) => setName(event.target.value)}
            required
            value={name}
          />
        </label>
        {children}
        {error !== null && <RefusalNotice error={error} />}
        <button disabled={isPending} type="submit">{send}</button>
      </form>
    </Dialog>
  )
}

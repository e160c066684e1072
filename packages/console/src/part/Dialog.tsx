/** A dialog: what is behind it waits, its first field has the focus, Escape closes it, and whoever opened it has the focus again. */
import { type ReactNode, useEffect, useId, useRef } from "react"
import style from "./Dialog.module.css"

export const Dialog = ({ children, onClose, title }: {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const element = dialog.current
    if (element?.open === false) {
      element.showModal()
      element.querySelector<HTMLElement>("input:enabled, select:enabled, textarea:enabled")?.focus()
    }
    return () => element?.close()
  }, [])
  return (
    <dialog aria-labelledby={heading} className={style["dialog"]} onCancel={onClose} ref={dialog}>
      <header>
        <h2 id={heading}>{title}</h2>
        <button className="plain" onClick={onClose} type="button">Close</button>
      </header>
      {children}
    </dialog>
  )
}

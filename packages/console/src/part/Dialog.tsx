/** A dialog: what is behind it waits, its first field has the focus, Escape closes it, and whoever opened it has the focus again. */
import { type ReactNode, useId, useLayoutEffect, useRef } from "react"
import style from "./Dialog.module.css"

export const Dialog = ({ children, onClose, title }: {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    if (element?.open === false) {
      element.showModal()
      element.querySelector<HTMLElement>("input:enabled, select:enabled, textarea:enabled")?.focus()
    }
    // While it is still in the page, which gives the focus back; where that is not to be had any more, to the heading.
    return () => {
      element?.close()
      if (document.activeElement === document.body) document.querySelector<HTMLElement>("h1")?.focus()
    }
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

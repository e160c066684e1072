/** A dialog: what is behind it waits, its first field has the focus, Escape closes it, and whoever opened it has the focus again. */
import { type ReactNode, useId, useLayoutEffect, useRef } from "react"
import style from "./Dialog.module.css"

/** Milliseconds within which what was done in a dialog is shown. */
const shownWithin = 1_000

/** The heading has the focus where whoever had it is gone, at once or with what was done. */
const headingInstead = (): void => {
  const look = () => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>("h1")?.focus()
  }
  look()
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), shownWithin)
}

export const Dialog = ({ children, isBusy = false, onClose, title }: {
  readonly title: string
  readonly children: ReactNode
  /** What it does is under way: it cannot be left as if nothing were done. */
  readonly isBusy?: boolean
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
    // While it is still in the page, which gives the focus back.
    return () => {
      element?.close()
      headingInstead()
    }
  }, [])
  return (
    <dialog
      aria-labelledby={heading}
      className={style["dialog"]}
      closedby={isBusy ? "none" : "closerequest"}
      onCancel={(event) => {
        if (isBusy) event.preventDefault()
        else onClose()
      }}
      ref={dialog}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <button className="plain" disabled={isBusy} onClick={onClose} type="button">Close</button>
      </header>
      {children}
    </dialog>
  )
}

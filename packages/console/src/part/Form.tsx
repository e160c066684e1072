/** Forms that are read when they are sent: what their fields hold, and how they end. */
import { type FormEvent, type ReactNode, useLayoutEffect, useRef } from "react"
import style from "./Page.module.css"
import { RefusalNotice } from "./RefusalNotice.tsx"

/** Hands over what a form holds when it is sent, and stays on the page. */
export const onSent =
  (take: (data: FormData, form: HTMLFormElement) => void) => (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    take(new FormData(event.currentTarget), event.currentTarget)
  }

/** The number that a field holds; null: it is empty. */
export const limitIn = (data: FormData, field: string): number | null => {
  const text = textIn(data, field)
  return text.trim() === "" ? null : Number(text)
}

/** The text that a field holds. */
export const textIn = (data: FormData, field: string): string => {
  const text = data.get(field)
  return typeof text === "string" ? text : ""
}

/** What a mutation tells of how it goes. */
interface Change {
  readonly error: Error | null
  readonly isPending: boolean
  readonly isSuccess: boolean
}

/** The end of a form: why it was refused or that it was done, and its buttons. */
export const FormEnd = ({ change: { error, isPending, isSuccess }, children, done = "", send = "Save" }: {
  readonly change: Change
  /** What the button is called that sends it. */
  readonly send?: string
  /** What is said once it was done. */
  readonly done?: string
  /** Buttons beside that. */
  readonly children?: ReactNode
}) => {
  const refused = useRef<HTMLDivElement>(null)
  // A form may be longer than the screen, and was sent from any of its fields.
  useLayoutEffect(() => {
    if (error !== null) refused.current?.scrollIntoView({ block: "nearest" })
  }, [error])
  return (
    <>
      {error !== null && (
        <div ref={refused}>
          <RefusalNotice error={error} />
        </div>
      )}
      {isSuccess && done !== "" && <p role="status">{done}</p>}
      <div className={style["buttons"]}>
        <button disabled={isPending} type="submit">{send}</button>
        {children}
      </div>
    </>
  )
}

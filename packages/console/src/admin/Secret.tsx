/** A secret that is shown this once, to be copied: wherever it stands, it is in sight, and reading goes on there. */
import { type ReactNode, useLayoutEffect, useRef } from "react"
import page from "../part/Page.module.css"
import { useCopy } from "../part/useCopy.ts"
import style from "./Admin.module.css"

export const Secret = ({ children, onKept, secret, what = "The secret" }: {
  readonly secret: string
  /** Whose it is, and where it belongs. */
  readonly children: ReactNode
  /** Takes it off the page; without it, it stays there. */
  readonly onKept?: () => void
  readonly what?: string
}) => {
  const { copy, told } = useCopy()
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.focus(), [secret])
  const kept = () => {
    onKept?.()
    // The button goes with the secret.
    document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true })
  }
  return (
    <div ref={place} role="status" tabIndex={-1}>
      <p>{children}</p>
      <code className={style["secret"]}>{secret}</code>
      <div className={page["buttons"]}>
        <button onClick={() => void copy(`${what} was`, secret)} type="button">Copy it</button>
        {onKept !== undefined && <button className="plain" onClick={kept} type="button">I have kept it</button>}
      </div>
      <p className="quiet">{told}</p>
    </div>
  )
}

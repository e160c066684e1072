/** A secret that is shown this once, to be copied. */
import type { ReactNode } from "react"
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
  return (
    <div role="status">
      <p>{children}</p>
      <code className={style["secret"]}>{secret}</code>
      <div className={page["buttons"]}>
        <button onClick={() => void copy(`${what} was`, secret)} type="button">Copy it</button>
        {onKept !== undefined && <button className="plain" onClick={onKept} type="button">I have kept it</button>}
      </div>
      <p className="quiet">{told}</p>
    </div>
  )
}

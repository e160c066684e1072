/** A secret that is shown this once, until whoever made it has kept it. */
import type { ReactNode } from "react"
import style from "./Admin.module.css"

export const Secret = ({ children, onKept, secret }: {
  readonly secret: string
  /** Whose it is, and where it belongs. */
  readonly children: ReactNode
  readonly onKept: () => void
}) => (
  <div role="status">
    <p>{children}</p>
    <code className={style["secret"]}>{secret}</code>
    <p>
      <button className="plain" onClick={onKept} type="button">I have kept it</button>
    </p>
  </div>
)

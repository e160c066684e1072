/** Says what was just moved, and takes it back while the bar is there. */
import { useEffect } from "react"
import style from "./Board.module.css"

/** How long the bar stays. The server takes back for longer, so that a click at the last moment counts. */
const shownMillis = 10_000

export const UndoBar = ({ onEnd, onUndo, said }: {
  /** What was done; null: nothing to say. */
  readonly said: string | null
  /** null: it cannot be taken back. */
  readonly onUndo: (() => void) | null
  readonly onEnd: () => void
}) => {
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(onEnd, shownMillis)
    return () => clearTimeout(timer)
  }, [said, onEnd])
  return (
    <div className={style["undo"]} data-shown={said !== null}>
      <p role="status">{said ?? ""}</p>
      {onUndo !== null && (
        <button className="plain" onClick={onUndo} type="button">
          Undo <kbd>U</kbd>
        </button>
      )}
    </div>
  )
}

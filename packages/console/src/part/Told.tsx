/** What came of an action: said aloud, and where reading goes on when the button that began it has gone. */
import { type ReactNode, useLayoutEffect, useRef } from "react"

/** Whoever had the focus is gone, or is disabled and loses it with the next frame. */
const isNowhere = (): boolean => {
  const { activeElement, body } = document
  return activeElement === null || activeElement === body || activeElement.matches(":disabled")
}

export const Told = ({ children, said }: {
  /** What it is about, another one for each action; null: nothing was done yet. */
  readonly said: unknown
  readonly children: ReactNode
}) => {
  const place = useRef<HTMLDivElement>(null)
  const taken = useRef<unknown>(null)
  // The button may go later than the words come, and they may move; whoever has gone elsewhere by then stays there.
  useLayoutEffect(() => {
    if (said === null || taken.current === said || !isNowhere()) return
    taken.current = said
    place.current?.focus()
  })
  return <div ref={place} role="status" tabIndex={-1}>{children}</div>
}

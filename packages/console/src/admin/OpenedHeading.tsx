/**
 * The heading of what opens below a table: however long that is, what opens is in sight and reading goes on there. Closed, it goes on
 * from where it was opened.
 */
import { type ReactNode, useLayoutEffect, useRef } from "react"

export const OpenedHeading = ({ as: Heading, children }: {
  readonly as: "h2" | "h3"
  readonly children: ReactNode
}) => {
  const place = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const opener = document.activeElement
    const opened = place.current?.parentElement
    place.current?.focus({ preventScroll: true })
    opened?.scrollIntoView({ block: "nearest" })
    return () => {
      const { activeElement, body } = document
      // Whoever opens another one has the focus there.
      if (activeElement !== body && opened?.contains(activeElement) !== true) return
      const next = opener?.isConnected === true ? opener : document.querySelector("h1")
      if (next instanceof HTMLElement) next.focus()
    }
  }, [])
  return <Heading ref={place} tabIndex={-1}>{children}</Heading>
}

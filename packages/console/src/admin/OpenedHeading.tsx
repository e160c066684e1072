/**
 * The heading of what opens below a table: however long that is, what opens is in sight and reading goes on there. Closed, it goes on
 * from where it was opened, or from the heading of the page where that is not known.
 */
import { type ReactNode, useLayoutEffect, useRef } from "react"

export const OpenedHeading = ({ as: Heading, children }: {
  readonly as: "h2" | "h3"
  readonly children: ReactNode
}) => {
  const place = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const { activeElement: opener, body } = document
    const opened = place.current?.parentElement
    place.current?.focus({ preventScroll: true })
    opened?.scrollIntoView({ block: "nearest" })
    return () => {
      const { activeElement } = document
      // Whoever opens another one has the focus there.
      if (activeElement !== body && opened?.contains(activeElement) !== true) return
      // Some browsers give no focus to a button that is clicked.
      if (opener instanceof HTMLElement && opener !== body && opener.isConnected) opener.focus()
      else document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true })
    }
  }, [])
  return <Heading ref={place} tabIndex={-1}>{children}</Heading>
}

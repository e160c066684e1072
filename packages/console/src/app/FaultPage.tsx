/**
 * Instead of a page that cannot be shown. Where the app was renewed since the tab was opened, the page is loaded anew by itself: whoever
 * follows a link arrives, and nothing that was typed stands on a page that is only about to be shown.
 */
import { useEffect, useRef } from "react"
import { FaultNotice, useStanding } from "../part/Fault.tsx"
import { loadAnew } from "../part/Renewal.ts"

export const FaultPage = () => {
  const heading = useRef<HTMLHeadingElement>(null)
  const standing = useStanding()
  useEffect(() => {
    if (standing === "renewed" && loadAnew()) return
    if (standing !== null) heading.current?.focus()
  }, [standing])
  if (standing === null) {
    return (
      <main id="main">
        <p role="status">One moment…</p>
      </main>
    )
  }
  return (
    <main id="main">
      <h1 ref={heading} tabIndex={-1}>{standing === "renewed" ? "Freehold was renewed" : "Something went wrong"}</h1>
      <FaultNotice standing={standing} what="This page" />
    </main>
  )
}

/** Instead of a page that cannot be shown. */
import { useEffect, useRef } from "react"
import { FaultNotice } from "../part/Fault.tsx"

export const FaultPage = () => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <main id="main">
      <h1 ref={heading} tabIndex={-1}>Something went wrong</h1>
      <FaultNotice what="This page" />
    </main>
  )
}

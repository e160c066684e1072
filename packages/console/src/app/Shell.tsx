/** What surrounds every page: the way around, the credits that are left, and who is signed in. */
import { type ReactNode, useEffect, useRef } from "react"
import { late } from "../part/Late.tsx"
import { useSession } from "../service/Session.tsx"
import { Account } from "./Account.tsx"
import { FindOrDo } from "./FindOrDo.tsx"
import { addressOf, Link, usePlace } from "./Router.tsx"
import style from "./Shell.module.css"

const SeenAs = late(async () => (await import("../session/SeenAs.tsx")).SeenAs)

/** A new page is read from its heading on, as soon as it has one; unless somebody has gone elsewhere by then. */
const readFromHeading = (content: HTMLElement): () => void => {
  const left = document.activeElement
  const observer = new MutationObserver(() => focus())
  const focus = () => {
    const heading = content.querySelector("h1")
    if (heading === null) return
    observer.disconnect()
    if (document.activeElement === left || document.activeElement === document.body) heading.focus()
  }
  observer.observe(content, { childList: true, subtree: true })
  focus()
  return () => observer.disconnect()
}

export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const { credits, member, organization: { features }, seen_until: seenUntil } = useSession()
  const { name, page } = usePlace()
  const content = useRef<HTMLDivElement>(null)
  const pages = useRef<HTMLElement>(null)
  const first = useRef(true)
  useEffect(() => {
    const isFirst = first.current
    first.current = false
    return isFirst || content.current === null ? undefined : readFromHeading(content.current)
  }, [name])
  // Where the pages pass by to the side, the one that is shown is among those in sight.
  useEffect(() => {
    pages.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [page])
  return (
    <>
      <a className={style["skip"]} href="#main">Skip to content</a>
      {seenUntil !== null && <SeenAs until={seenUntil} />}
      <header className={style["bar"]}>
        <Link className={style["brand"]} to={addressOf("search")}>Freehold</Link>
        <nav aria-label="Pages" ref={pages}>
          <Link to={addressOf("home")} aria-current={page === "home" ? "page" : undefined}>Home</Link>
          <Link to={addressOf("search")} aria-current={page === "search" ? "page" : undefined}>Search</Link>
          <Link to={addressOf("people")} aria-current={page === "people" ? "page" : undefined}>People</Link>
          <Link to={addressOf("firms")} aria-current={page === "firms" ? "page" : undefined}>Firms</Link>
          {features.pipeline && (
            <Link to={addressOf("pipeline")} aria-current={page === "pipeline" ? "page" : undefined}>Pipeline</Link>
          )}
          <Link
            to={addressOf("lists")}
            aria-current={page === "lists" || page === "list" ? "page" : undefined}
          >
            Lists
          </Link>
          {features.enrichments && (
            <Link
              to={addressOf("research")}
              aria-current={page === "research" || page === "run" ? "page" : undefined}
            >
              Research
            </Link>
          )}
          {features.signals && (
            <Link to={addressOf("changes")} aria-current={page === "changes" ? "page" : undefined}>Changes</Link>
          )}
          <Link to={addressOf("tasks")} aria-current={page === "tasks" ? "page" : undefined}>Tasks</Link>
          {member.role === "admin" && (
            <Link to={addressOf("admin", { part: "keys" })} aria-current={page === "admin" ? "page" : undefined}>
              Administration
            </Link>
          )}
        </nav>
        <FindOrDo />
        <p className={style["credits"]} aria-live="polite">{credits.toLocaleString("en-US")} credits</p>
        <Account />
      </header>
      <div ref={content}>{children}</div>
    </>
  )
}

/** Who is signed in, and what is theirs: a menu that closes by itself when somebody goes elsewhere. */
import { useQuery } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { useSession, useSignOut } from "../service/Session.tsx"
import { organizationsQuery } from "../session/organizationsQuery.ts"
import { addressOf, Link } from "./Router.tsx"
import style from "./Shell.module.css"

const pages = [
  ["searches", "Saved searches"],
  ["usage", "Usage and limits"],
  ["requests", "Requests"],
  ["organizations", "Change organization"],
  ["sessions", "My sessions"]
] as const

export const Account = () => {
  const { member, organization, seen_until: seenUntil } = useSession()
  const signOut = useSignOut()
  const menu = useRef<HTMLDivElement>(null)
  // Whether there is another organization is asked by whoever comes near the menu.
  const [isNear, setNear] = useState(false)
  const { data: organizations = [] } = useQuery({ ...organizationsQuery, enabled: isNear })
  const comeNear = () => setNear(true)
  return (
    <>
      <button
        className={style["who"]}
        onFocus={comeNear}
        onPointerEnter={comeNear}
        popoverTarget="account"
        type="button"
      >
        {member.name}
      </button>
      <div className={style["account"]} id="account" popover="auto" ref={menu}>
        <p>{organization.name}</p>
        {pages.filter(([page]) => page !== "organizations" || organizations.length > 1).map(([page, label]) => (
          <p key={page}>
            <Link
              onClick={() =>
                menu.current?.hidePopover()}
              to={addressOf(page)}
            >
              {label}
            </Link>
          </p>
        ))}
        {signOut.error !== null && <RefusalNotice error={signOut.error} />}
        {seenUntil === null && (
          <button
            className="plain"
            disabled={signOut.isPending}
            onClick={() => signOut.mutate()}
            type="button"
          >
            Sign out
          </button>
        )}
      </div>
    </>
  )
}

/** Who is signed in, and what is theirs: a menu that closes by itself when somebody goes elsewhere. */
import { useRef } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { useSession, useSignOut } from "../service/Session.tsx"
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
  return (
    <>
      <button className={style["who"]} popoverTarget="account" type="button">{member.name}</button>
      <div className={style["account"]} id="account" popover="auto" ref={menu}>
        <p>{organization.name}</p>
        {pages.map(([page, label]) => (
          <p key={page}>
            <Link onClick={() => menu.current?.hidePopover()} to={addressOf(page)}>{label}</Link>
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

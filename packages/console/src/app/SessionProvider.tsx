/** The session that every page below has, and what other tabs tell of it. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useEffect, useRef } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { knownOf } from "../service/Refusals.ts"
import { isSignedOut, leave, type Session, SessionContext, sessionKey, sessionQuery } from "../service/Session.tsx"
import { onNews, tellTabs } from "../service/Tabs.ts"

/**
 * What was bought in another tab is seen here; where somebody else is signed in by now, nothing of the one before stays on
 * screen. The server says who it is, so that tabs of several sessions could not make each other load for ever.
 */
const useOtherTabs = (session: Session | undefined): void => {
  const client = useQueryClient()
  const before = useRef<string>(null)
  const name = session === undefined ? null : `${session.organization.org_id} ${session.member.member_id}`
  useEffect(() => {
    if (name === null) return undefined
    if (before.current !== null && before.current !== name) location.reload()
    before.current = name
    tellTabs({ kind: "session", of: name })
    return onNews((news) => {
      if (news.kind === "spent") void client.invalidateQueries()
      else if (news.kind === "session" && news.of !== name) void client.invalidateQueries({ queryKey: sessionKey })
    })
  }, [client, name])
}

export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const session = useQuery(sessionQuery)
  const client = useQueryClient()
  const { error } = session
  useOtherTabs(session.data?.data)
  useEffect(() => {
    if (isSignedOut(error)) leave(client, error)
  }, [client, error])
  const known = knownOf(session)
  if (known === undefined) return error === null || isSignedOut(error) ? null : <RefusalNotice error={error} />
  return <SessionContext value={known.data}>{children}</SessionContext>
}

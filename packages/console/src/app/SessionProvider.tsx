/** The session that every page below has, and what other tabs tell of it. */
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query"
import { type ReactNode, useEffect } from "react"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { forgetTexts } from "../service/KeptTexts.ts"
import { knownOf } from "../service/Refusals.ts"
import {
  isSignedOut,
  leave,
  nameOf,
  SessionContext,
  sessionKey,
  sessionQuery,
  useSignOut
} from "../service/Session.tsx"
import { onNews } from "../service/Tabs.ts"
import { useOtherTabs } from "../service/useOtherTabs.ts"

/** What was typed here is seen by nobody else, and forgotten once its writer signs out, in another tab too. */
const useTextsOf = (name: string | null): void => {
  useEffect(() => {
    if (name === null) return undefined
    forgetTexts(name)
    return onNews((news) => {
      if (news.kind === "session" && news.of === null) forgetTexts(null)
    })
  }, [name])
}

/** What was bought in another tab is seen here, once somebody is: read anew at once, or when the tab is looked at again. */
const useSpending = (client: QueryClient, isSignedIn: boolean): void => {
  useEffect(() => {
    if (!isSignedIn) return undefined
    let isOld = false
    const look = () => {
      if (!isOld || document.visibilityState === "hidden") return
      isOld = false
      void client.refetchQueries({ type: "active", stale: true })
    }
    document.addEventListener("visibilitychange", look)
    const deafen = onNews(({ kind }) => {
      if (kind !== "spent") return
      isOld = true
      void client.invalidateQueries({ refetchType: "none" })
      look()
    })
    return () => {
      document.removeEventListener("visibilitychange", look)
      deafen()
    }
  }, [client, isSignedIn])
}

export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const session = useQuery(sessionQuery)
  const client = useQueryClient()
  const { error } = session
  const seen = session.data?.data
  const name = seen === undefined ? null : nameOf(seen)
  useOtherTabs("session", name, sessionKey)
  useTextsOf(name)
  useSpending(client, seen !== undefined)
  useEffect(() => {
    if (isSignedOut(error)) leave(client, error)
  }, [client, error])
  const known = knownOf(session)
  if (known === undefined) return error === null || isSignedOut(error) ? null : <KeptOut error={error} />
  return <SessionContext value={known.data}>{children}</SessionContext>
}

/** Somebody who is signed in and gets no further: another sign-in may be what helps. */
const KeptOut = ({ error }: { readonly error: Error }) => {
  const signOut = useSignOut()
  return (
    <main id="main">
      <h1 tabIndex={-1}>Freehold</h1>
      <RefusalNotice error={error} />
      {signOut.error !== null && <RefusalNotice error={signOut.error} />}
      <button className="plain" disabled={signOut.isPending} onClick={() => signOut.mutate()} type="button">
        Sign out
      </button>
    </main>
  )
}

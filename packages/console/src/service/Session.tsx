/** Who is signed in, for every page. Whoever is not is sent to sign in, and comes back to where they were. */
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query"
import { createContext, type ReactNode, use, useEffect, useRef } from "react"
import { paths } from "../app/Paths.ts"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { call, type Output, post, Refused, signOut } from "./Call.ts"
import { knownOf } from "./Refusals.ts"
import { onNews, tellTabs } from "./Tabs.ts"

export type Session = Output<"app_get_session">

const Context = createContext<Session | null>(null)

const key = ["session"]

/** While the server does not say who is signed in, it is asked again so often, in milliseconds. */
const again = 15_000

/** Who is signed in, as the server says. */
export const sessionQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => call("app_get_session", {}, signal),
  refetchInterval: ({ state }) => state.status === "error" && !isSignedOut(state.error) ? again : false
})

export const toSignIn = (): void => {
  const to = new URLSearchParams({ to: location.pathname + location.search })
  location.replace(`${paths.signIn}?${to}`)
}

/** Out of the app, and of the authorization server where people sign in by one. */
export const signOutHere = async (): Promise<void> => {
  const elsewhere = await signOut()
  tellTabs({ kind: "session", of: null })
  if (elsewhere === null) toSignIn()
  else location.assign(elsewhere)
}

/** Nobody is signed in, or the operator sees nothing as a member any more. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof Refused && (error.code === "SIGN_IN_REQUIRED" || error.code === "VIEW_ENDED")

/** To where whoever is signed out goes on. */
export const leave = (error: unknown): void => {
  if (error instanceof Refused && error.code === "VIEW_ENDED") {
    void post("/console/operator/see-no-more", {}).finally(() => location.replace("/operator"))
  } else toSignIn()
}

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
      else if (news.kind === "session" && news.of !== name) void client.invalidateQueries({ queryKey: key })
    })
  }, [client, name])
}

export const SessionProvider = ({ children }: { readonly children: ReactNode }) => {
  const session = useQuery(sessionQuery)
  const { error } = session
  useOtherTabs(session.data?.data)
  useEffect(() => {
    if (isSignedOut(error)) leave(error)
  }, [error])
  const known = knownOf(session)
  if (known === undefined) return error === null || isSignedOut(error) ? null : <RefusalNotice error={error} />
  return <Context value={known.data}>{children}</Context>
}

/** Who is signed in. Below `SessionProvider` there is always somebody. */
export const useSession = (): Session => {
  const session = use(Context)
  if (session === null) throw new Error("a page outside of SessionProvider")
  return session
}

/** What to do once credits were spent: the balance is told anew, in every tab. */
export const useBalanceChanged = (): (credits: number | null) => void => {
  const client = useQueryClient()
  return (credits) => {
    client.setQueryData<{ readonly data: Session }>(
      key,
      (before) => before === undefined || credits === null ? before : { ...before, data: { ...before.data, credits } }
    )
    if (credits === null) void client.invalidateQueries({ queryKey: key })
    tellTabs({ kind: "spent" })
  }
}

/** Who is signed in, for every page. Whoever is not is sent to sign in, and comes back to where they were. */
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query"
import { createContext, use, useEffect } from "react"
import { paths } from "../app/Paths.ts"
import { call, type Output, post, Refused, signOut } from "./Call.ts"
import { forgetTexts } from "./KeptTexts.ts"
import { tellTabs } from "./Tabs.ts"
import { useMutation } from "./useMutation.ts"

export type Session = Output<"app_get_session">

/** Whose session it is, and where. */
export const nameOf = ({ member, organization }: Session): string => `${organization.org_id} ${member.member_id}`

export const SessionContext = createContext<Session | null>(null)

export const sessionKey = ["session"]

/** Milliseconds. */
const atMostEvery = 15_000

/** Who is signed in, as the server says: looked at again by whoever comes back to the window, and after it was not said. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => call("app_get_session", {}, signal),
  refetchInterval: ({ state }) => state.status === "error" && !isSignedOut(state.error) ? atMostEvery : false,
  refetchOnWindowFocus: true,
  staleTime: atMostEvery
})

/** Where people sign in, and come back from to this place. `isEnded`: they were signed in, and did not leave by themselves. */
export const signInAddress = (path: string, isEnded: boolean): string => {
  const to = new URLSearchParams({ to: location.pathname + location.search, ...isEnded ? { ended: "yes" } : {} })
  return `${path}?${to}`
}

/** Whoever signs out goes by that, and not because what was asked for meanwhile is refused. */
let isSigningOut = false

/** Out of the app, and of the authorization server where people sign in by one. */
const signOutHere = async (): Promise<void> => {
  isSigningOut = true
  // Browsers may keep the page as it is for whoever goes back to it.
  addEventListener("pagehide", () => isSigningOut = false, { once: true })
  const elsewhere = await signOut().catch((cause: unknown) => {
    isSigningOut = false
    throw cause
  })
  forgetTexts(null)
  tellTabs({ kind: "session", of: null })
  if (elsewhere === null) location.replace(signInAddress(paths.signIn, false))
  else location.assign(elsewhere)
}

export const useSignOut = () => useMutation({ mutationFn: signOutHere })

/** Nobody is signed in, or the operator sees nothing as a member any more. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof Refused && (error.code === "SIGN_IN_REQUIRED" || error.code === "VIEW_ENDED")

/** To where whoever is signed out goes on. */
export const leave = (client: QueryClient, error: unknown): void => {
  if (isSigningOut) return
  if (error instanceof Refused && error.code === "VIEW_ENDED") {
    void post("/console/operator/see-no-more", {}).finally(() => location.replace("/operator"))
  } else location.replace(signInAddress(paths.signIn, client.getQueryData(sessionKey) !== undefined))
}

/** Who is signed in. Below `SessionProvider` there is always somebody. */
export const useSession = (): Session => {
  const session = use(SessionContext)
  if (session === null) throw new Error("a page outside of SessionProvider")
  return session
}

/** Whether it is an admin who is told something; where nobody is signed in, it is not. */
export const useIsAdmin = (): boolean => use(SessionContext)?.member.role === "admin"

export interface Spendable {
  readonly credits: number
  /** What is left of the member's own monthly limit; null: they have none. */
  readonly ofOwn: number | null
  /** The less of the two. */
  readonly most: number
}

/** What whoever is signed in may spend now. */
export const useSpendable = (): Spendable => {
  const { credits, own_limit: own } = useSession()
  const ofOwn = own?.remaining ?? null
  return { credits, ofOwn, most: ofOwn === null ? credits : Math.min(credits, ofOwn) }
}

/** Has the balance be another one. `updatedAt`: since when it is known. */
const setCredits = (client: QueryClient, credits: number, updatedAt: number): void => {
  client.setQueryData<{ readonly data: Session }>(
    sessionKey,
    (before) => before === undefined ? before : { ...before, data: { ...before.data, credits } },
    { updatedAt }
  )
}

/** Tells the balance in this tab alone, while credits are spent one charge after another; at their end comes `useBalanceChanged`. */
export const useBalanceMeanwhile = (): (credits: number) => void => {
  const client = useQueryClient()
  return (credits) => setCredits(client, credits, Date.now())
}

/**
 * What to do once credits were spent: the balance is told anew, in every tab. What is left of one's own limit is asked for. Other tabs
 * read all that they show anew each time, so that of many charges it is told once, at their end.
 */
export const useBalanceChanged = (): (credits: number | null) => void => {
  const client = useQueryClient()
  const { ofOwn } = useSpendable()
  return (credits) => {
    if (credits !== null) setCredits(client, credits, Date.now())
    if (credits === null || ofOwn !== null) void client.invalidateQueries({ queryKey: sessionKey })
    tellTabs({ kind: "spent" })
  }
}

/** A page was told the balance along with something else: it is told everywhere, unless a newer one is known. */
export const useBalanceTold = (credits: number | undefined, toldAt: number): void => {
  const client = useQueryClient()
  useEffect(() => {
    const knownAt = client.getQueryState(sessionKey)?.dataUpdatedAt ?? toldAt
    if (credits !== undefined && toldAt > knownAt) setCredits(client, credits, toldAt)
  }, [client, credits, toldAt])
}

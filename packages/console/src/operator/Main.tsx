/** The operator's area: who is signed in, the way around, and the page. */
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
import { type ReactNode, StrictMode, type ToggleEvent, useEffect, useRef } from "react"
import { createRoot } from "react-dom/client"
import { FaultPage } from "../app/FaultPage.tsx"
import { Link, usePlace } from "../app/Router.tsx"
import shell from "../app/Shell.module.css"
import { followHeading } from "../app/Titles.ts"
import "../app/tokens.css"
import { FaultBoundary } from "../part/Fault.tsx"
import { IssueWords } from "../part/Issues.ts"
import { momentOf } from "../part/Moment.ts"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { call, post, Refused } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { signInAddress } from "../service/Session.tsx"
import { tellTabs } from "../service/Tabs.ts"
import { useMutation } from "../service/useMutation.ts"
import { useOtherTabs } from "../service/useOtherTabs.ts"
import { EndpointPage } from "./EndpointPage.tsx"
import { inFormWords } from "./FormWords.ts"
import { HealthPage } from "./HealthPage.tsx"
import { ImportsPage } from "./ImportsPage.tsx"
import { LogPage } from "./LogPage.tsx"
import { MatchesPage } from "./MatchesPage.tsx"
import own from "./Operator.module.css"
import { operatorPaths, operatorSignIn, partAddress } from "./OperatorPaths.ts"
import { OrganizationPage } from "./OrganizationPage.tsx"
import { OrganizationsPage } from "./OrganizationsPage.tsx"
import { RecordsPage } from "./RecordsPage.tsx"
import { RequestsPage } from "./RequestsPage.tsx"
import { WebhooksPage } from "./WebhooksPage.tsx"

const parts = {
  organizations: { title: "Organizations", Content: OrganizationsPage },
  imports: { title: "Imports", Content: ImportsPage },
  health: { title: "Health", Content: HealthPage },
  webhooks: { title: "Webhooks", Content: WebhooksPage },
  requests: { title: "Requests", Content: RequestsPage },
  records: { title: "Records", Content: RecordsPage },
  matches: { title: "Matches", Content: MatchesPage },
  log: { title: "Log", Content: LogPage }
} as const

type Part = keyof typeof parts

const names: ReadonlyArray<Part> = [
  "organizations",
  "imports",
  "health",
  "webhooks",
  "requests",
  "records",
  "matches",
  "log"
]

const isSignedOut = (error: unknown): boolean => error instanceof Refused && error.code === "OPERATOR_SIGN_IN_REQUIRED"

const sessionKey = ["operator session"]

const toSignIn = (isEnded: boolean): void => {
  tellTabs({ kind: "operator", of: null })
  location.replace(signInAddress(operatorSignIn, isEnded))
}

const onError = (error: unknown): void => {
  if (isSignedOut(error)) toSignIn(client.getQueryData(sessionKey) !== undefined)
}

const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 10_000,
      networkMode: "always",
      refetchOnReconnect: true,
      refetchOnWindowFocus: false
    },
    mutations: { retry: false, networkMode: "always", onError }
  }
})
client.getQueryCache().subscribe(({ query, type }) => {
  if (type === "updated" && query.state.status === "error") onError(query.state.error)
})

/** Milliseconds. */
const atMostEvery = 60_000

/** Whoever types uses the area though nothing is sent, so that no session ends, and takes a document along, meanwhile. */
const useTyping = (): void => {
  useEffect(() => {
    const onInput = () => {
      const since = client.getQueryState(sessionKey)?.dataUpdatedAt ?? 0
      if (Date.now() - since > atMostEvery) void client.invalidateQueries({ queryKey: sessionKey })
    }
    document.addEventListener("input", onInput)
    return () => document.removeEventListener("input", onInput)
  }, [])
}

const Page = ({ id, part }: { readonly part: string; readonly id: string | undefined }) => {
  if (part === "organizations" && id !== undefined) return <OrganizationPage key={id} orgId={id} />
  if (part === "webhooks" && id !== undefined) return <EndpointPage id={id} key={id} />
  const shown = id === undefined ? names.find((name) => name === part) : undefined
  if (shown === undefined) return <h1 tabIndex={-1}>There is no such page</h1>
  const { Content, title } = parts[shown]
  return (
    <>
      <h1 tabIndex={-1}>{title}</h1>
      <Content />
    </>
  )
}

const Frame = ({ children, part }: { readonly part: string; readonly children: ReactNode }) => {
  const session = useQuery({
    queryKey: sessionKey,
    queryFn: async ({ signal }) => (await call("operator_get_session", {}, signal)).data
  })
  const { error } = session
  const data = knownOf(session)
  useOtherTabs("operator", data?.name ?? null, sessionKey)
  useTyping()
  const signOut = useMutation({
    mutationFn: () => post("/console/operator/sign-out", {}),
    onSuccess: () => toSignIn(false)
  })
  /** What is done meanwhile keeps the session alive. */
  const lookAnew = (event: ToggleEvent<HTMLElement>) => event.newState === "open" && void session.refetch()
  if (data === undefined) return error === null || isSignedOut(error) ? null : <RefusalNotice error={error} />
  return (
    <>
      <a className={shell["skip"]} href="#main">Skip to content</a>
      <header className={shell["bar"]}>
        <Link className={shell["brand"]} to={operatorPaths.start}>Freehold operator</Link>
        <nav aria-label="Pages" className={own["ways"]}>
          {names.map((name) => (
            <Link
              key={name}
              to={partAddress(name)}
              aria-current={name === part ? "page" : undefined}
            >
              {parts[name].title}
            </Link>
          ))}
        </nav>
        <button className={shell["who"]} popoverTarget="account" type="button">{data.name}</button>
        <div className={shell["account"]} id="account" onToggle={lookAnew} popover="auto">
          <p>What you do here is logged under this name.</p>
          <p>Signed in until {momentOf(data.expires_at)}, if you do nothing.</p>
          {signOut.error !== null && <RefusalNotice error={signOut.error} />}
          <button className="plain" disabled={signOut.isPending} onClick={() => signOut.mutate()} type="button">
            Sign out
          </button>
        </div>
      </header>
      {children}
    </>
  )
}

const App = () => {
  usePlace()
  const [, , part = "organizations", id] = location.pathname.split("/").map(decodeURIComponent)
  const content = useRef<HTMLElement>(null)
  const first = useRef(true)
  const at = `${part} ${id}`
  // A new page is read from its heading on.
  useEffect(() => {
    if (first.current) first.current = false
    else content.current?.querySelector("h1")?.focus()
  }, [at])
  return (
    <Frame part={part}>
      <main className={own["area"]} id="main" ref={content}>
        <Page id={id} part={part} />
      </main>
    </Frame>
  )
}

followHeading("Operator · Freehold")

const root = document.getElementById("app")
if (root === null) throw new Error("the document has no place for the area")
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <IssueWords value={inFormWords}>
        <FaultBoundary fallback={<FaultPage />}>
          <App />
        </FaultBoundary>
      </IssueWords>
    </QueryClientProvider>
  </StrictMode>
)

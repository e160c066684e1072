/** The app: who is signed in, the frame around every page, and the page. */
import { focusManager, QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { type ComponentType, StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { FaultBoundary } from "../part/Fault.tsx"
import { late } from "../part/Late.tsx"
import { PropertyPage } from "../property/PropertyPage.tsx"
import { askAhead } from "../search/askAhead.ts"
import { SearchPage } from "../search/SearchPage.tsx"
import { recoverReads } from "../service/Recovery.ts"
import { isBusy, isUnanswered } from "../service/Refusals.ts"
import { isSignedOut, leave, sessionQuery } from "../service/Session.tsx"
import { tellTabs } from "../service/Tabs.ts"
import { FaultPage } from "./FaultPage.tsx"
import { leads } from "./Paths.ts"
import { navigate, type Place, placeOf, usePlace } from "./Router.tsx"
import { SessionProvider } from "./SessionProvider.tsx"
import { Shell } from "./Shell.tsx"
import { followHeading } from "./Titles.ts"
import "./tokens.css"

/** What most people do not open first comes when it is asked for. */
const page = <Properties extends object>(load: () => Promise<ComponentType<Properties>>) =>
  late(
    load,
    <main id="main">
      <p role="status">One moment…</p>
    </main>
  )

const AdminPage = page(async () => (await import("../admin/AdminPage.tsx")).AdminPage)
const BoardPage = page(async () => (await import("../board/BoardPage.tsx")).BoardPage)
const ChangesPage = page(async () => (await import("../change/ChangesPage.tsx")).ChangesPage)
const FirmPage = page(async () => (await import("../firm/FirmPage.tsx")).FirmPage)
const FirmsPage = page(async () => (await import("../firm/FirmsPage.tsx")).FirmsPage)
const HomePage = page(async () => (await import("../home/HomePage.tsx")).HomePage)
const ListPage = page(async () => (await import("../list/ListPage.tsx")).ListPage)
const ListsPage = page(async () => (await import("../list/ListsPage.tsx")).ListsPage)
const OrganizationsPage = page(async () => (await import("../session/OrganizationsPage.tsx")).OrganizationsPage)
const PeoplePage = page(async () => (await import("../people/PeoplePage.tsx")).PeoplePage)
const PersonPage = page(async () => (await import("../people/PersonPage.tsx")).PersonPage)
const RequestsPage = page(async () => (await import("../request/RequestsPage.tsx")).RequestsPage)
const ResearchPage = page(async () => (await import("../research/ResearchPage.tsx")).ResearchPage)
const RunPage = page(async () => (await import("../research/RunPage.tsx")).RunPage)
const SavedSearchesPage = page(async () => (await import("../searches/SavedSearchesPage.tsx")).SavedSearchesPage)
const SessionsPage = page(async () => (await import("../session/SessionsPage.tsx")).SessionsPage)
const TasksPage = page(async () => (await import("../task/TasksPage.tsx")).TasksPage)
const UsagePage = page(async () => (await import("../usage/UsagePage.tsx")).UsagePage)

/** What may go better the next time; a refusal is an answer, and is not asked for again. */
const isWorthRetrying = (error: unknown): boolean => isUnanswered(error) || isBusy(error)

const onError = (error: unknown): void => {
  if (isSignedOut(error)) leave(client, error)
}

/** What may have been done though no answer came is seen by asking for all that is shown, here and in other tabs. */
const onRefusedChange = (error: unknown): void => {
  onError(error)
  if (!isUnanswered(error)) return
  void client.invalidateQueries()
  tellTabs({ kind: "spent" })
}

const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 2 && isWorthRetrying(error),
      staleTime: 30_000,
      // Offline is told, and not waited out; what could not be read is read once there is a connection again.
      networkMode: "always",
      refetchOnReconnect: true,
      refetchOnWindowFocus: false
    },
    mutations: { retry: false, networkMode: "always", onError: onRefusedChange }
  }
})
client.getQueryCache().subscribe(({ query, type }) => {
  if (type === "updated" && query.state.status === "error") onError(query.state.error)
})
recoverReads(client)

const Page = ({ place: { page, parameters, search } }: { readonly place: Place }) => {
  switch (page) {
    case "search":
      return <SearchPage search={search} />
    case "property":
      return <PropertyPage id={parameters["id"] ?? ""} />
    case "people":
      return <PeoplePage search={search} />
    case "person":
      return <PersonPage id={parameters["id"] ?? ""} />
    case "firms":
      return <FirmsPage search={search} />
    case "firm":
      return <FirmPage id={parameters["id"] ?? ""} />
    case "pipeline":
      return <BoardPage search={search} />
    case "home":
      return <HomePage />
    case "tasks":
      return <TasksPage search={search} />
    case "lists":
      return <ListsPage search={search} />
    case "list":
      return <ListPage id={parameters["id"] ?? ""} key={parameters["id"]} />
    case "research":
      return <ResearchPage search={search} />
    case "run":
      return <RunPage id={parameters["id"] ?? ""} key={parameters["id"]} />
    case "searches":
      return <SavedSearchesPage />
    case "changes":
      return <ChangesPage search={search} />
    case "usage":
      return <UsagePage />
    case "requests":
      return <RequestsPage />
    case "admin":
      return <AdminPage part={parameters["part"] ?? ""} />
    case "sessions":
      return <SessionsPage />
    case "organizations":
      return <OrganizationsPage search={search} />
    case null:
      return (
        <main id="main">
          <h1 tabIndex={-1}>There is no such page</h1>
        </main>
      )
  }
}

/** Each page is mounted anew, so that none stands behind one that is still loaded, or takes over its fault. */
const CurrentPage = () => {
  const place = usePlace()
  return (
    <FaultBoundary fallback={<FaultPage />} key={place.name}>
      <Page place={place} />
    </FaultBoundary>
  )
}

// Whoever comes back from another window sees this one all the while, and comes back nevertheless.
focusManager.setEventListener((come) => {
  const listener = () => come()
  const events = ["focus", "visibilitychange"]
  for (const event of events) window.addEventListener(event, listener)
  return () => {
    for (const event of events) window.removeEventListener(event, listener)
  }
})

const lead = leads[location.pathname]
if (lead !== undefined) navigate(lead, { replace: true })

// What every page waits for is on its way before the first of them is drawn.
void client.prefetchQuery(sessionQuery)
const first = placeOf(location.pathname + location.search)
if (first.page === "search") askAhead(client, first.search)

followHeading("Freehold")

const root = document.getElementById("app")
if (root === null) throw new Error("the document has no place for the app")
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <FaultBoundary fallback={<FaultPage />}>
        <SessionProvider>
          <Shell>
            <CurrentPage />
          </Shell>
        </SessionProvider>
      </FaultBoundary>
    </QueryClientProvider>
  </StrictMode>
)

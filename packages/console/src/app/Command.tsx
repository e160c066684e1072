/** What can be found or done by a few letters: pages, what can be done everywhere, properties, people, firms and lists. */
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { allLists } from "../list/allLists.ts"
import { type ListType, types } from "../list/Lists.ts"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { joined } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { type Session, useSession, useSignOut } from "../service/Session.tsx"
import { organizationsQuery } from "../session/organizationsQuery.ts"
import { addressOf, Link } from "./Router.tsx"

interface Way {
  readonly label: string
  readonly what: string
  /** Where it leads, or what it does. */
  readonly to: string | (() => void)
}

/** The pages that somebody has. */
const pagesOf = ({ member, organization: { features } }: Session, hasOthers: boolean): ReadonlyArray<Way> => {
  const ways: ReadonlyArray<readonly [label: string, to: string, isThere?: boolean]> = [
    ["Home", addressOf("home")],
    ["Search properties", addressOf("search")],
    ["People", addressOf("people")],
    ["Firms", addressOf("firms")],
    ["Pipeline", addressOf("pipeline"), features.pipeline],
    ["Lists", addressOf("lists")],
    ["Research", addressOf("research"), features.enrichments],
    ["Changes", addressOf("changes"), features.signals],
    ["Tasks", addressOf("tasks")],
    ["Saved searches", addressOf("searches")],
    ["Usage and limits", addressOf("usage")],
    ["Requests", addressOf("requests")],
    ["My sessions", addressOf("sessions")],
    ["Change organization", addressOf("organizations"), hasOthers],
    ...["keys", "members", "credits", "webhooks", "settings", "log"].map((part) =>
      [`Administration: ${part}`, addressOf("admin", { part }), member.role === "admin"] as const
    )
  ]
  return ways.flatMap(([label, to, isThere = true]) => isThere ? [{ label, to, what: "Page" }] : [])
}

/** An id, or the key of a property: the code of its county and a parcel number, which is no zip code of nine digits. */
const reference = /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|(?!\d{5}-\d{4}$)\d{5}-[\dA-Z]+)$/i

/** Of each kind so many. */
const most = 5

/** Time after the last key press in which nothing is asked. */
const pauseMillis = 150

const search = async (text: string, signal: AbortSignal): Promise<ReadonlyArray<Way>> => {
  const [properties, people, firms] = await Promise.all([
    call("service_search_properties", { query: text, limit: most }, signal),
    call("service_find_contacts", { query: text, limit: most }, signal),
    call("service_browse_organizations", { query: text, limit: most }, signal)
  ])
  return [
    ...properties.data.results.map((row): Way => ({
      to: addressOf("property", { id: row.id }),
      label: joined([row.commonName ?? row.address ?? row.key, row.city]),
      what: "Property"
    })),
    ...people.data.contacts.map(({ employer, id, name }): Way => ({
      to: addressOf("person", { id }),
      label: joined([name, employer]),
      what: "Person"
    })),
    ...firms.data.organizations.map(({ name, organization_id }): Way => ({
      to: addressOf("firm", { id: organization_id }),
      label: name,
      what: "Firm"
    }))
  ]
}

const kinds: ReadonlyArray<ListType> = ["properties", "contacts"]

/** The lists that have these letters in their name. */
const useLists = (wanted: string, isAsking: boolean) => {
  const found = useQueries({
    queries: kinds.map((type) => ({
      queryKey: ["lists", type],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => allLists(type, signal),
      enabled: isAsking
    }))
  })
  return {
    ways: found.flatMap(({ data = [] }) => data)
      .filter(({ list_name }) => list_name.toLowerCase().includes(wanted))
      .slice(0, most)
      .map(({ id, list_name, list_type }): Way => ({
        to: addressOf("list", { id }),
        label: list_name,
        what: `List: ${types[list_type].toLowerCase()}`
      })),
    isFetching: found.some(({ isFetching }) => isFetching),
    error: found.find(({ error }) => error !== null)?.error ?? null
  }
}

const useWays = (text: string) => {
  const session = useSession()
  const signOut = useSignOut()
  const organizations = useQuery(organizationsQuery)
  const [asked, setAsked] = useState("")
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), pauseMillis)
    return () => clearTimeout(timer)
  }, [text])
  const wanted = text.toLowerCase()
  const isAsking = asked.length >= 2
  const records = useQuery({
    queryKey: ["command", asked],
    queryFn: ({ signal }) => search(asked, signal),
    enabled: isAsking,
    placeholderData: keepPreviousData
  })
  const lists = useLists(wanted, isAsking && session.organization.features.lists)
  const isLong = wanted.length >= 2
  const known: ReadonlyArray<Way> = [
    ...pagesOf(session, (organizations.data?.length ?? 0) > 1),
    ...session.seen_until === null ? [{ label: "Sign out", what: "Action", to: () => signOut.mutate() }] : []
  ].filter(({ label }) => label.toLowerCase().includes(wanted))
  const ways: ReadonlyArray<Way> = [
    ...known,
    ...reference.test(text)
      ? [{ to: addressOf("property", { id: text }), label: text, what: "Property of this key" }]
      : [],
    ...isLong && isAsking ? [...records.data ?? [], ...lists.ways] : [],
    ...isLong
      ? [{
        to: addressOf("search", {}, new URLSearchParams({ q: text })),
        label: `Search for “${text}”`,
        what: "Search"
      }]
      : []
  ]
  const isAnswered = asked === text && !records.isFetching && !lists.isFetching
  return {
    ways,
    /** What stands first now stays first. */
    isFirstKnown: known.length > 0 || reference.test(text) || !isLong || isAnswered,
    error: signOut.error ?? records.error ?? lists.error
  }
}

/** `entered`: how often the first that is found was to be chosen. */
export const Command = ({ entered, onClose, text }: {
  readonly text: string
  readonly entered: number
  readonly onClose: () => void
}) => {
  const { error, isFirstKnown, ways } = useWays(text.trim())
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (entered > 0 && isFirstKnown) list.current?.querySelector<HTMLElement>("a, button")?.click()
  }, [entered, isFirstKnown])
  return (
    <>
      <ul aria-label="Ways" ref={list}>
        {ways.map(({ label, to, what }) => {
          const said = (
            <>
              {label} <span className="quiet">{what}</span>
            </>
          )
          return (
            <li key={`${what} ${label} ${typeof to === "string" ? to : ""}`}>
              {typeof to === "string"
                ? <Link onClick={onClose} to={to}>{said}</Link>
                : <button onClick={to} type="button">{said}</button>}
            </li>
          )
        })}
      </ul>
      {error !== null && <RefusalNotice error={error} />}
    </>
  )
}

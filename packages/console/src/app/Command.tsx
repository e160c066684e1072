/** Find or do: pages, properties, people and firms by a few letters, with the keyboard alone. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type KeyboardEvent, useEffect, useRef, useState } from "react"
import { Dialog } from "../part/Dialog.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { joined } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { type Session, useSession } from "../service/Session.tsx"
import style from "./Command.module.css"
import { addressOf, Link } from "./Router.tsx"

interface Way {
  readonly to: string
  readonly label: string
  readonly what: string
}

/** The pages that somebody has. */
const pagesOf = ({ member, organization: { features } }: Session): ReadonlyArray<Way> => {
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
    ...["keys", "members", "credits", "webhooks", "settings", "log"].map((part) =>
      [`Administration: ${part}`, addressOf("admin", { part }), member.role === "admin"] as const
    )
  ]
  return ways.flatMap(([label, to, isThere = true]) => isThere ? [{ label, to, what: "Page" }] : [])
}

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

export const Command = ({ onClose }: { readonly onClose: () => void }) => {
  const session = useSession()
  const [text, setText] = useState("")
  const [asked, setAsked] = useState("")
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), pauseMillis)
    return () => clearTimeout(timer)
  }, [text])
  const isAsking = asked.length >= 2
  const { data, error } = useQuery({
    queryKey: ["command", asked],
    queryFn: ({ signal }) => search(asked, signal),
    enabled: isAsking,
    placeholderData: keepPreviousData
  })
  const wanted = text.trim().toLowerCase()
  const ways: ReadonlyArray<Way> = [
    ...pagesOf(session).filter(({ label }) => label.toLowerCase().includes(wanted)),
    ...wanted.length < 2
      ? []
      : [{
        to: addressOf("search", {}, new URLSearchParams({ q: text.trim() })),
        label: `Search for “${text.trim()}”`,
        what: "Search"
      }],
    ...isAsking && wanted.length >= 2 ? data ?? [] : []
  ]
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const stops = Array.from(list.current?.querySelectorAll<HTMLElement>("input, a") ?? [])
    const at = stops.findIndex((stop) => stop === document.activeElement)
    stops[(at + step + stops.length) % stops.length]?.focus()
  }
  return (
    <Dialog onClose={onClose} title="Find or do">
      <div className={style["command"]} onKeyDown={move} ref={list}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            list.current?.querySelector("a")?.click()
          }}
        >
          <input
            aria-label="A page, an address, a person or a firm"
            onChange={(event) => setText(event.target.value)}
            placeholder="A page, an address, a person or a firm"
            type="search"
            value={text}
          />
        </form>
        <ul aria-label="Ways">
          {ways.map(({ label, to, what }) => (
            <li key={`${what} ${to}`}>
              <Link onClick={onClose} to={to}>
                {label} <span className="quiet">{what}</span>
              </Link>
            </li>
          ))}
        </ul>
        {error !== null && <RefusalNotice error={error} />}
        <p className="quiet">Arrow keys move, Enter opens, Escape closes.</p>
      </div>
    </Dialog>
  )
}

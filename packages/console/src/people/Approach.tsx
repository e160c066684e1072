/** How to approach a person about one of their properties: deep research, and drafts that follow from it. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { addressOf, Link } from "../app/Router.tsx"
import { Priced } from "../part/Priced.tsx"
import { ReceiptLine } from "../part/ReceiptLine.tsx"
import { PropertyLine } from "../part/RecordLink.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { useKeptText } from "../part/useKeptText.ts"
import { useNames } from "../part/useNames.ts"
import { joined, word } from "../part/Wording.ts"
import { RunStatus } from "../property/RunStatus.tsx"
import { DraftText } from "../research/DraftText.tsx"
import { StrategyText } from "../research/StrategyText.tsx"
import { type Answered, call, type Output, Refused } from "../service/Call.ts"
import { isCode, knownOf } from "../service/Refusals.ts"
import { useBalanceChanged, useBalanceTold, useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"

type Person = Output<"service_get_contact">

/** A property of the person in the member's area. */
type Place = Extract<Person["relationships"][number], { readonly in_your_territory: true }>

/** The property that they were looked into about last. */
const lastPlaceOf = (person: Person): string | null =>
  person.revealed ? person.last_strategy?.property_id ?? null : null

const placesOf = ({ relationships }: Person): ReadonlyArray<Place> =>
  relationships.flatMap((each) => each.in_your_territory ? [each] : [])

export const Approach = ({ person }: { readonly person: Person }) => {
  const places = placesOf(person)
  const last = lastPlaceOf(person)
  /** The runs that were started here, by what they are about. */
  const [runs, setRuns] = useState<ReadonlyMap<string, string>>(new Map())
  const [place, setPlace] = useState(places.find(({ property_id }) => property_id === last)?.property_id ?? "")
  if (places.length === 0) return null
  return (
    <section aria-labelledby="approach">
      <h2 id="approach">How to approach them</h2>
      {places.length > 1 && (
        <label>
          About{" "}
          <select onChange={(event) => setPlace(event.target.value)} value={place}>
            <option value="">The one that was unlocked or moved in the pipeline last</option>
            {Array.from(
              new Map(places.map((each) => [each.property_id, each])).values(),
              (each) => (
                <option key={each.property_id} value={each.property_id}>
                  {joined([each.address ?? "A property", each.city])}
                </option>
              )
            )}
          </select>
        </label>
      )}
      <About
        about={{ contact_id: person.contact_id, ...place === "" ? {} : { property_id: place } }}
        key={place}
        onStart={(run) => setRuns((before) => new Map(before).set(place, run))}
        started={runs.get(place) ?? null}
      />
    </section>
  )
}

interface Subject {
  readonly contact_id: string
  /** Absent: the service chooses one of theirs. */
  readonly property_id?: string
}

/** Why it cannot be done: what is to be done first, if there is anything. Nobody asked for it yet, so that nobody was refused. */
const Barred = ({ code, property }: {
  readonly code: string
  /** What has to be opened first, if anything. */
  readonly property: string | undefined
}) =>
  isCode(code)
    ? <RefusalNotice error={new Refused(code, "", { property_id: property })} isHint />
    : <p>It cannot be done: {word(code.toLowerCase())}.</p>

const About = ({ about, onStart, started }: {
  readonly about: Subject
  readonly onStart: (run: string) => void
  /** The run that was started here; null: none. */
  readonly started: string | null
}) => {
  const balanceChanged = useBalanceChanged()
  /** Another one that was under way when somebody came, who is shown its end too. */
  const [other, setOther] = useState<string | null>(null)
  // What was done before costs nothing, and is shown at once.
  const price = useQuery({
    queryKey: ["price of deep research", about],
    queryFn: async ({ signal }) => {
      const asked = { action: "deep_research_contact", ...about } as const
      return (await call("service_price_research", asked, signal)).data
    },
    staleTime: 0
  })
  useBalanceTold(price.data?.balance, price.dataUpdatedAt)
  const start = useMutation({
    mutationFn: () =>
      call("service_deep_research_contact", { ...about, maxCredits: price.data?.projectedCredits ?? 0 }),
    onSuccess: ({ data, receipt }) => {
      if (receipt !== null) balanceChanged(receipt.remaining)
      onStart(data.run_id)
    }
  })
  const [item] = price.data?.items ?? []
  const underWay = item?.refused === "ALREADY_RESEARCHING" ? item.run_id : null
  if (underWay !== null && underWay !== other) setOther(underWay)
  const run = started ?? other
  if (run !== null) return <Found about={about} run={run} />
  return (
    <>
      <p className="quiet">
        Deep research works out who they are to this property, how to begin and what to talk about; an email can be
        drafted from it.
      </p>
      {price.error !== null && <RefusalNotice error={price.error} />}
      {item?.refused === null && (
        <Priced
          disabled={start.isPending}
          freeBecause="since it was done before"
          note="Given back when it fails."
          onClick={() => start.mutate()}
          price={price.data?.projectedCredits ?? 0}
        >
          {price.data?.projectedCredits === 0 ? "Show it" : "Research in depth"}
        </Priced>
      )}
      {item !== undefined && item.refused !== null && <Barred code={item.refused} property={item.property_id} />}
      {start.error !== null && <RefusalNotice error={start.error} />}
    </>
  )
}

const Found = ({ about, run }: { readonly about: Subject; readonly run: string }) => {
  const balanceChanged = useBalanceChanged()
  const client = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ["run", run],
    queryFn: async ({ signal }) => (await call("service_get_research_status", { run_id: run }, signal)).data
  })
  const known = knownOf({ data, error })
  const place = known?.items[0]?.property_id ?? null
  const names = useNames({ properties: place === null ? [] : [place] })
  return (
    <>
      {known?.strategy === undefined
        ? (
          <RunStatus
            onEnd={() => {
              balanceChanged(null)
              void client.invalidateQueries({ queryKey: ["runs"] })
            }}
            run={run}
          />
        )
        : (
          <>
            {place !== null && (
              <p>
                About <PropertyLine id={place} names={names} />
              </p>
            )}
            <StrategyText strategy={known.strategy} />
            <Draft about={{ ...about, ...place === null ? {} : { property_id: place } }} />
          </>
        )}
      <p>
        <Link to={addressOf("run", { id: run })}>This research</Link>
      </p>
    </>
  )
}

const tones = ["friendly", "formal", "direct"] as const

type Drafted = Answered<"service_draft_email">

const Draft = ({ about }: { readonly about: Subject }) => {
  const { prices } = useSession()
  const balanceChanged = useBalanceChanged()
  const { text: purpose, type } = useKeptText(`purpose of an email to ${about.contact_id}`)
  const [tone, setTone] = useState<(typeof tones)[number]>("friendly")
  /** All that were paid for, the newest first. */
  const [drafted, setDrafted] = useState<ReadonlyArray<Drafted>>([])
  const price = prices["draft_email"] ?? 0
  const draft = useMutation({
    mutationFn: () =>
      call("service_draft_email", {
        ...about,
        tone,
        ...purpose.trim() === "" ? {} : { purpose: purpose.trim() },
        maxCredits: price
      }),
    onSuccess: (answer) => {
      balanceChanged(answer.receipt?.remaining ?? null)
      setDrafted((before) => [answer, ...before])
    }
  })
  return (
    <>
      <h3>Draft an email</h3>
      {/* The Enter key in a field spends nothing: the button with the price does. */}
      <form onSubmit={(event) => event.preventDefault()}>
        <label>
          What you offer or ask for{" "}
          <input maxLength={300} onChange={(event) => type(event.target.value)} value={purpose} />
        </label>
        <label>
          Tone{" "}
          <select
            onChange={({ target: { value } }) => setTone(tones.find((each) => each === value) ?? "friendly")}
            value={tone}
          >
            {tones.map((each) => <option key={each} value={each}>{each}</option>)}
          </select>
        </label>
        <Priced
          disabled={draft.isPending}
          note="Given back when none comes of it."
          onClick={() => draft.mutate()}
          price={price}
        >
          Draft an email
        </Priced>
      </form>
      {draft.error !== null && <RefusalNotice error={draft.error} />}
      {drafted.map((answer) => <Outcome drafted={answer} key={answer.data.run_id} />)}
    </>
  )
}

const Outcome = ({ drafted: { data: { draft }, receipt } }: { readonly drafted: Drafted }) => (
  <>
    <ReceiptLine receipt={receipt} what="Drafted" />
    {draft === null ? <p>No draft came of it; what it cost was given back.</p> : <DraftText draft={draft} />}
  </>
)

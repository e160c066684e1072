/** The organization's credits: what is left and until when, what they went to, and every line of the ledger. */
import { useInfiniteQuery } from "@tanstack/react-query"
import { addressOf, Link, usePlace } from "../app/Router.tsx"
import { useFilter } from "../app/useFilter.ts"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { PersonLine } from "../part/RecordLink.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { nextPage, ShowMore } from "../part/ShowMore.tsx"
import { type NamesById, useNames } from "../part/useNames.ts"
import { Waiting } from "../part/Waiting.tsx"
import { numbers, WideTable } from "../part/WideTable.tsx"
import { dayOf, number, word } from "../part/Wording.ts"
import { call, type Input, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useBalanceTold } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import style from "./Admin.module.css"
import { Answered, useAsked } from "./Asking.tsx"
import { csvOf, ledgerOf, save } from "./LedgerCsv.ts"
import { SpendingChart } from "./SpendingChart.tsx"

type Credits = Output<"app_get_credits">
type Filter = Pick<Input<"app_list_ledger">, "kind" | "actor_id" | "action">
type Next = Pick<Input<"app_list_ledger">, "cursor">

/** Where the ledger begins: at its end, or at a receipt that the address names. */
const startOf = (receipt: number | null): Next => receipt === null ? {} : { cursor: String(receipt + 1) }

const receiptIn = (search: URLSearchParams): number | null => {
  const text = search.get("receipt") ?? ""
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}

const bringIntoView = (row: HTMLTableRowElement | null): void => row?.scrollIntoView({ block: "center" })

export const CreditsPage = () => {
  const asked = useAsked("app_get_credits", {})
  useBalanceTold(asked.data?.total, asked.dataUpdatedAt)
  return (
    <Answered<"app_get_credits"> asked={asked}>
      {(credits) => (
        <>
          <Balance credits={credits} />
          <Spending credits={credits} />
          <Ledger credits={credits} />
        </>
      )}
    </Answered>
  )
}

const Balance = ({ credits: { grants, total } }: { readonly credits: Credits }) => (
  <section className={page["panel"]} aria-labelledby="balance">
    <h2 id="balance">{number(total)} credits left</h2>
    <WideTable
      caption="In the order in which they are spent."
      columns={["Bucket", "Grant", numbers("Left"), "Until"]}
      label="What is left"
    >
      {grants.map(({ bucket, expires_at, ref, remaining }) => (
        <tr key={ref}>
          <th scope="row">{word(bucket)}</th>
          <td>{ref}</td>
          <td className="number">{number(remaining)}</td>
          <td>{expires_at === null ? "Without end" : momentOf(expires_at)}</td>
        </tr>
      ))}
    </WideTable>
  </section>
)

/** Added up under a name, the most first. */
const sumsBy = (rows: Credits["days"], name: (row: Credits["days"][number]) => string) => {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(name(row), (sums.get(name(row)) ?? 0) + row.credits)
  return sums
}

const daysShown = 90

const Spending = ({ credits: { actors, days, since } }: { readonly credits: Credits }) => {
  const byDay = sumsBy(days, ({ day }) => day)
  const byAction = [...sumsBy(days, ({ action }) => word(action))].sort(([, left], [, right]) => right - left)
  return (
    <section className={page["panel"]} aria-labelledby="spending">
      <h2 id="spending">Spent in the last {daysShown} days</h2>
      <p className="quiet">What was refunded is left out. Days are those of UTC.</p>
      <SpendingChart days={daysShown} since={since} spent={byDay} />
      <div className={style["columns"]}>
        <Sums
          title="By day"
          rows={Array.from(byDay, ([day, credits]) => [dayOf(day), credits] as const).toReversed()}
        />
        <Sums title="By action" rows={byAction} />
        <Sums
          title="By person and key"
          rows={actors.map(({ credits, kind, name }) => [name ?? word(kind), credits])}
        />
      </div>
    </section>
  )
}

const Sums = ({ rows, title }: {
  readonly title: string
  readonly rows: ReadonlyArray<readonly [string, number]>
}) => (
  <div>
    <WideTable caption={title} isNarrow label={`Credits spent ${title.toLowerCase()}`}>
      {rows.map(([name, credits], index) => (
        <tr key={`${name} ${index}`}>
          <th scope="row">{name}</th>
          <td className="number">{number(credits)}</td>
        </tr>
      ))}
    </WideTable>
    {rows.length === 0 && <p className="quiet">Nothing was spent.</p>}
  </div>
)

const kinds = ["grant", "charge", "refund", "expiry"] as const

const filterIn = (search: URLSearchParams): Filter => {
  const kind = kinds.find((each) => each === search.get("kind"))
  const [action, actor] = [search.get("action"), search.get("actor")]
  return {
    ...kind === undefined ? {} : { kind },
    ...action === null ? {} : { action },
    ...actor === null ? {} : { actor_id: actor }
  }
}

const Ledger = ({ credits: { actors, days } }: { readonly credits: Credits }) => {
  const [search, change] = useFilter()
  const filter = filterIn(search)
  const { action: asked, actor_id: actor = "" } = filter
  // What the address asks for stands among them, though nothing of it was spent lately.
  const actions = [...new Set([...days.map(({ action }) => action), ...asked === undefined ? [] : [asked]])].toSorted()
  const isOther = actor !== "" && actors.every(({ id }) => id !== actor)
  return (
    <section className={page["panel"]} aria-labelledby="ledger">
      <h2 id="ledger">Ledger</h2>
      <div className={style["choices"]}>
        <label>
          Kind
          <select onChange={(event) => change({ kind: event.target.value })} value={filter.kind ?? ""}>
            <option value="">Any</option>
            {kinds.map((kind) => <option key={kind} value={kind}>{word(kind)}</option>)}
          </select>
        </label>
        <label>
          Action
          <select onChange={(event) => change({ action: event.target.value })} value={asked ?? ""}>
            <option value="">Any</option>
            {actions.map((action) => <option key={action} value={action}>{word(action)}</option>)}
          </select>
        </label>
        <label>
          Who
          <select onChange={(event) => change({ actor: event.target.value })} value={actor}>
            <option value="">Anybody</option>
            {isOther && <option value={actor}>{actor}</option>}
            {actors.map(({ id, name }) => id !== null && <option key={id} value={id}>{name ?? id}</option>)}
          </select>
        </label>
      </div>
      <Entries filter={filter} />
      <Csv filter={filter} />
    </section>
  )
}

const Entries = ({ filter }: { readonly filter: Filter }) => {
  const receipt = receiptIn(usePlace().search)
  const found = useInfiniteQuery({
    queryKey: ["admin", "app_list_ledger", filter, receipt],
    queryFn: async ({ pageParam, signal }) =>
      (await call("app_list_ledger", { ...filter, ...pageParam, limit: 50 }, signal)).data,
    initialPageParam: startOf(receipt),
    getNextPageParam: nextPage
  })
  const { error } = found
  const data = knownOf(found)
  const entries = data?.pages.flatMap(({ entries }) => entries) ?? []
  const names = useNames({ properties: subjectsOf(entries, "property"), contacts: subjectsOf(entries, "contact") })
  if (data === undefined) return <Waiting error={error} />
  return (
    <>
      {receipt !== null && (
        <p>
          <Link to={addressOf("admin", { part: "credits" })}>The whole ledger</Link>
        </p>
      )}
      <WideTable
        caption={receipt === null ? "The newest first." : `The newest first, from receipt #${receipt} on.`}
        columns={["Receipt", "When", "What", "Of", "Who", numbers("Credits"), numbers("Balance")]}
        label="The ledger"
      >
        {entries.map((entry) => (
          <tr
            aria-current={entry.entry === receipt ? "true" : undefined}
            key={entry.entry}
            ref={entry.entry === receipt ? bringIntoView : undefined}
          >
            <th scope="row">#{entry.entry}</th>
            <td>{momentOf(entry.at)}</td>
            <td>
              {word(entry.kind)}
              {entry.action !== null && `: ${word(entry.action)}`}
              {entry.refund_of !== null && ` of #${entry.refund_of}`}
            </td>
            <td>
              <Subject entry={entry} names={names} />
            </td>
            <td>{entry.actor.name ?? word(entry.actor.kind)}</td>
            <td className="number">{number(entry.credits)}</td>
            <td className="number">{number(entry.balance_after)}</td>
          </tr>
        ))}
      </WideTable>
      {entries.length === 0 && <p className="quiet">There is no such entry.</p>}
      {error !== null && <RefusalNotice error={error} />}
      <ShowMore of={found} />
    </>
  )
}

type Entry = Output<"app_list_ledger">["entries"][number]

const subjectsOf = (entries: ReadonlyArray<Entry>, type: "property" | "contact"): ReadonlyArray<string> =>
  entries.flatMap(({ subject_id, subject_type }) => subject_type === type && subject_id !== null ? [subject_id] : [])

/** What a line is about: a record, or the reference that was given with it. */
const Subject = (
  { entry: { kind, ref, subject_id: id, subject_type: type }, names }: {
    readonly entry: Entry
    readonly names: NamesById
  }
) => {
  if (ref !== null) return kind === "refund" ? word(ref) : ref
  if (type === null) return null
  // What lies beyond the reader's territory is not named.
  if (id === null) return word(type)
  return type === "property"
    ? <Link to={addressOf("property", { id })}>{names.properties.get(id)?.address ?? "A property"}</Link>
    : type === "contact"
    ? <PersonLine id={id} names={names} />
    : word(type)
}

const Csv = ({ filter }: { readonly filter: Filter }) => {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      const { entries, isWhole } = await ledgerOf(filter)
      save("ledger.csv", csvOf(entries))
      return isWhole
    }
  })
  return (
    <>
      <p>
        <button className="plain" disabled={isPending} onClick={() => mutate()} type="button">
          Save these as CSV
        </button>
      </p>
      {data === false && <p role="status">The file holds the newest 20,000; choose fewer for the rest.</p>}
      {error !== null && <RefusalNotice error={error} />}
    </>
  )
}

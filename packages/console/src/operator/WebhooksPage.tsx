/** The webhook endpoints of all organizations: which are in trouble, what waits for them, what was given up, and why. */
import { useCallback, useEffect } from "react"
import style from "../admin/Admin.module.css"
import { usePaged } from "../admin/Asking.tsx"
import { answerOf, deliveryState, endpointState } from "../admin/DeliveryWords.ts"
import { Link } from "../app/Router.tsx"
import { useFilter } from "../app/useFilter.ts"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { ShowMore } from "../part/ShowMore.tsx"
import { useTyped } from "../part/useTyped.ts"
import { Waiting } from "../part/Waiting.tsx"
import { WideTable } from "../part/WideTable.tsx"
import { joined, number, word } from "../part/Wording.ts"
import { call, type Input, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import own from "./Operator.module.css"
import { endpointAddress, organizationAddress } from "./OperatorPaths.ts"

export type Endpoint = Output<"operator_list_endpoints">["items"][number]

type Asked = Input<"operator_list_endpoints">
type Which = Asked["which"]

const choices: Readonly<Record<Which, string>> = {
  troubled: "Those in trouble",
  waiting: "Those for which something waits",
  all: "All"
}

const isWhich = (text: string): text is Which => Object.hasOwn(choices, text)

/** What is said where there is none. */
const none: Readonly<Record<Which, string>> = {
  troubled: "No endpoint is in trouble: none was disabled by the service, and of what was sent lately all arrived.",
  waiting: "Nothing waits for any endpoint.",
  all: "There is no endpoint."
}

export const WebhooksPage = () => {
  const [search, change] = useFilter()
  const wanted = search.get("which") ?? ""
  const which: Which = isWhich(wanted) ? wanted : "troubled"
  const onTyped = useCallback((org: string) => change({ org }), [change])
  const [typed, setTyped] = useTyped(search.get("org") ?? "", onTyped)
  const orgId = (search.get("org") ?? "").trim()
  const isId = /^[\w-]{1,64}$/.test(orgId)
  return (
    <>
      <form className={own["filter"]} onSubmit={(event) => event.preventDefault()}>
        <label>
          Which
          <select
            onChange={({ target: { value } }) => change({ which: value === "troubled" ? "" : value })}
            value={which}
          >
            {Object.entries(choices).map(([value, name]) => <option key={value} value={value}>{name}</option>)}
          </select>
        </label>
        <label>
          Organization, by its id
          <input
            aria-describedby="no-organization"
            autoComplete="off"
            maxLength={64}
            onChange={({ target }) => setTyped(target.value)}
            value={typed}
          />
        </label>
        <p className={own["fault"]} id="no-organization" role="status">
          {orgId !== "" && !isId
            && "An id has letters, digits, - and _ alone. The endpoints of all organizations are shown."}
        </p>
      </form>
      <Found asked={{ which, ...isId ? { org_id: orgId } : {} }} />
    </>
  )
}

/** An answer is of so many endpoints that were looked at and may have none; so many are asked for by themselves. */
const answersWithNone = 20

const Found = ({ asked }: { readonly asked: Asked }) => {
  const found = usePaged(
    ["operator_list_endpoints", asked],
    (position, signal) => call("operator_list_endpoints", { ...asked, ...position }, signal)
  )
  const { error, fetchNextPage, hasNextPage } = found
  const data = knownOf(found)
  const items = data?.pages.flatMap(({ items }) => items) ?? []
  const answers = data?.pages.length ?? 0
  const goesOn = error === null && hasNextPage && items.length === 0 && answers < answersWithNone
  useEffect(() => {
    if (goesOn) void fetchNextPage()
  }, [answers, fetchNextPage, goesOn])
  if (data === undefined) return <Waiting error={error} />
  if (goesOn) return <Waiting error={null} says="Looking at further endpoints…" />
  return (
    <section className={page["panel"]} aria-label="Endpoints">
      {items.length === 0 ?
        (
          <p role="status">
            {hasNextPage
              ? "None among the first that were looked at; there are more."
              : asked.org_id === undefined
              ? none[asked.which]
              : "None of this organization."}
          </p>
        ) :
        (
          <WideTable
            label="Endpoints"
            columns={["Endpoint", "Organization", "State", "Waits", "Given up", "The last trouble"]}
          >
            {items.map((each) => (
              <tr key={each.id}>
                <th scope="row" className={own["wrap"]}>
                  <Link to={endpointAddress(each.id)}>{each.label ?? each.url}</Link>
                  {each.label !== null && <div className={style["address"]}>{each.url}</div>}
                </th>
                <td>
                  <Link to={organizationAddress(each.org_id)}>{each.organization}</Link>
                  {each.organization_status !== "active" && (
                    <div className={page["quiet"]}>{word(each.organization_status)}: its deliveries wait</div>
                  )}
                </td>
                <td className={isWell(each) ? undefined : own["fault"]}>{stateOf(each)}</td>
                <td>{waitingIn(each)}</td>
                <td>{givenUpOf(each)}</td>
                <td className={own["wrap"]}>{troubleOf(each)}</td>
              </tr>
            ))}
          </WideTable>
        )}
      {error !== null && <RefusalNotice error={error} />}
      <ShowMore of={found} />
    </section>
  )
}

export const isWell = ({ active, consecutive_failures }: Endpoint): boolean => active && consecutive_failures === 0

export const stateOf = ({ consecutive_failures, disabled_reason }: Endpoint): string =>
  endpointState(disabled_reason, consecutive_failures)

/** Where the service counts no further. */
const countedAtMost = 1000

export const waitingIn = ({ next_attempt_at, waiting }: Endpoint): string =>
  waiting === 0 ? "–" : joined([
    waiting >= countedAtMost ? `${number(waiting)} or more` : number(waiting),
    next_attempt_at === null ? null : `the next ${momentOf(next_attempt_at)}`
  ])

export const givenUpOf = ({ ended, given_up }: Endpoint): string =>
  given_up === 0 ? "–" : `${given_up} of the last ${ended}`

export const troubleOf = ({ last_fault: fault }: Endpoint): string =>
  fault === null ? "–" : joined([
    deliveryState(fault.state),
    answerOf(fault.last_status, fault.last_error),
    `of ${momentOf(fault.created_at)}`
  ])

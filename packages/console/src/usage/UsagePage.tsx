/** Limits of all levels: what is used, what is left, and when each begins anew; for admins by key and by member too. */
import { useQuery } from "@tanstack/react-query"
import { Facts } from "../part/Facts.tsx"
import { momentOf } from "../part/Moment.ts"
import style from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { WideTable } from "../part/WideTable.tsx"
import { number, plural } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { DailyLimits } from "./DailyLimits.tsx"
import { ofLimit, type OrganizationUsage, type Usage } from "./Usage.ts"

export const UsagePage = () => {
  const { data, error } = useQuery({
    queryKey: ["usage"],
    queryFn: async ({ signal }) => (await call("app_get_usage", {}, signal)).data,
    staleTime: 0
  })
  const known = knownOf({ data, error })
  return (
    <main id="main">
      <h1 tabIndex={-1}>Usage and limits</h1>
      {error !== null && <RefusalNotice error={error} />}
      {known === undefined ? error === null && <p role="status">One moment…</p> : (
        <>
          <div className={style["grid"]}>
            <Mine mine={known.mine} />
            {known.organization !== null && (
              <>
                <Requests usage={known.organization} />
                <Records usage={known.organization} />
              </>
            )}
          </div>
          {known.organization !== null && (
            <>
              <DailyLimits usage={known.organization} />
              <Members usage={known.organization} />
            </>
          )}
        </>
      )}
    </main>
  )
}

const Mine = ({ mine: { limit, resets_at, spent } }: Pick<Usage, "mine">) => (
  <section aria-labelledby="mine" className={style["panel"]}>
    <h2 id="mine">My credits this month</h2>
    <p className={style["figure"]}>{number(spent)} spent</p>
    <p className={style["quiet"]}>
      {limit === null
        ? "You have no monthly limit of your own."
        : `Of ${number(limit)}: ${number(Math.max(0, limit - spent))} left.`} The month ends {momentOf(resets_at)}.
    </p>
  </section>
)

const Requests = ({ usage: { requests } }: { readonly usage: OrganizationUsage }) => (
  <section aria-labelledby="requests" className={style["panel"]}>
    <h2 id="requests">Requests of keys and assistants</h2>
    <Facts
      facts={[
        ["Each of them a minute", number(requests.per_minute)],
        ...requests.per_day === null ? [["All of them today", "not counted: there is no daily ceiling"] as const] : [
          ["All of them today", ofLimit(requests.used_today, requests.per_day)] as const,
          ["Left today", number(Math.max(0, requests.per_day - requests.used_today))] as const,
          ["The day ends", momentOf(requests.resets_at)] as const
        ]
      ]}
    />
    <h3>This minute, by key</h3>
    <p className={style["quiet"]}>
      {requests.keys.length === 0 ? "No key is active." : "A key’s minute begins with its first request."}
    </p>
    <Facts
      facts={requests.keys.map(({ label, used }) =>
        [label, `${number(used)} used, ${number(Math.max(0, requests.per_minute - used))} left`] as const
      )}
    />
  </section>
)

const Records = ({ usage: { records } }: { readonly usage: OrganizationUsage }) => {
  const { initial_load: initial, overage, period, records_allowance: allowance } = records
  const [without, including] = initial === null ? [undefined, ""] : [
    "without those of the first load",
    ", with those of the first load"
  ]
  return (
    <section aria-labelledby="records" className={style["panel"]}>
      <h2 id="records">Records allowance</h2>
      {allowance === null
        ? <p className={style["quiet"]}>No records allowance is in force: records are not counted by the period.</p>
        : (
          <>
            <Facts
              facts={[
                ["Taken in this period", ofLimit(allowance.used, allowance.value), without],
                ["Left", number(allowance.remaining)],
                [
                  "First load",
                  initial === null ? null : `${ofLimit(initial.used, initial.value)}, ${number(initial.remaining)} left`
                ],
                [
                  "Beyond the allowance",
                  overage.enabled
                    ? `${plural(overage.accrued_records, "record", "records")}, $${overage.accrued_usd.toFixed(2)}`
                    : "refused"
                ]
              ]}
            />
            <h3>By kind{including}</h3>
            <Facts
              facts={[
                ["Properties", number(allowance.by_kind.property)],
                ["People", number(allowance.by_kind.contact)],
                ["Firms", number(allowance.by_kind.organization)]
              ]}
            />
            <p className={style["quiet"]}>
              {period.basis === "contract" ? "The contract’s period" : "The month"} ends {momentOf(period.end)}.
            </p>
          </>
        )}
    </section>
  )
}

const Members = ({ usage: { members } }: { readonly usage: OrganizationUsage }) => (
  <section aria-labelledby="members">
    <h2 id="members">Credits of the month, by member</h2>
    <WideTable columns={["Member", "Spent", "Left of their limit"]} isFramed label="What members spent this month">
      {members.map(({ limit, member_id, name, spent }) => (
        <tr key={member_id}>
          <th scope="row">{name}</th>
          <td>{ofLimit(spent, limit)}</td>
          <td>{limit === null ? "–" : number(Math.max(0, limit - spent))}</td>
        </tr>
      ))}
    </WideTable>
  </section>
)

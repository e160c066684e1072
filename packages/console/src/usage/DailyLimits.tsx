/** The daily limits by kind: each layer, what is used and left today, and each key's part. */
import { momentOf } from "../part/Moment.ts"
import style from "../part/Page.module.css"
import { number } from "../part/Wording.ts"
import type { OrganizationUsage } from "./Usage.ts"

type Daily = OrganizationUsage["daily"][number]

const kinds: Readonly<Record<Daily["kind"], string>> = {
  contact_reveal: "People revealed",
  lead_export: "Leads delivered",
  agent_pipeline_change: "Lead moves by keys and assistants",
  paid_property_unlock: "Properties unlocked",
  records_taken_per_day: "Records taken"
}

const capOf = (value: number | null): string => value === null ? "none" : value === 0 ? "0, paused" : number(value)

const leftOf = (remaining: number | null): string => remaining === null ? "no limit" : number(remaining)

export const DailyLimits = ({ usage: { daily, daily_resets_at } }: { readonly usage: OrganizationUsage }) => (
  <section aria-labelledby="daily">
    <h2 id="daily">Daily limits of keys and assistants</h2>
    <p className={style["quiet"]}>
      They begin anew {momentOf(daily_resets_at)}. What people do in the app counts towards none of them.
    </p>
    <div aria-label="Table of daily limits" className={style["scroll"]} role="region" tabIndex={0}>
      <table className={style["table"]}>
        <caption className="visually-hidden">Daily limits</caption>
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">The service’s</th>
            <th scope="col">Your own</th>
            <th scope="col">Used today</th>
            <th scope="col">Left today</th>
            <th scope="col">By key</th>
          </tr>
        </thead>
        <tbody>
          {daily.map((each) => (
            <tr key={each.kind}>
              <th scope="row">{kinds[each.kind]}</th>
              <td>
                {capOf(each.service)}
                {each.derived && <div className={style["quiet"]}>from the records allowance</div>}
              </td>
              <td>{capOf(each.organization)}</td>
              <td>{number(each.used)}</td>
              <td>{leftOf(each.remaining)}</td>
              <td>
                {each.keys.map((key) => (
                  <div key={key.credential_id}>
                    {key.label}: {number(key.used)}
                    {key.value !== null && ` of ${number(key.value)}`} used,{" "}
                    {key.remaining === null ? "no limit" : `${number(key.remaining)} left`}
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
)

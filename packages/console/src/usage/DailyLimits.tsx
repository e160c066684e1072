/** The daily limits by kind: each layer, what is used and left today, and each key's part. */
import { kindName } from "../admin/Words.ts"
import { momentOf } from "../part/Moment.ts"
import style from "../part/Page.module.css"
import { numbers, WideTable } from "../part/WideTable.tsx"
import { number } from "../part/Wording.ts"
import type { OrganizationUsage } from "./Usage.ts"

const capOf = (value: number | null): string => value === null ? "none" : value === 0 ? "0, paused" : number(value)

const leftOf = (remaining: number | null): string => remaining === null ? "no limit" : number(remaining)

export const DailyLimits = ({ usage: { daily, daily_resets_at } }: { readonly usage: OrganizationUsage }) => (
  <section aria-labelledby="daily">
    <h2 id="daily">Daily limits of keys, assistants and webhooks</h2>
    <p className={style["quiet"]}>
      They begin anew {momentOf(daily_resets_at)}. What people do in the app counts towards none of them.
    </p>
    <WideTable
      columns={["Limit", "The service’s", "The organization’s", numbers("Used today"), "Left today", "By key"]}
      isFramed
      label="Daily limits"
    >
      {daily.map((each) => (
        <tr key={each.kind}>
          <th scope="row">{kindName(each.kind)}</th>
          <td>
            {capOf(each.service)}
            {each.derived && <div className={style["quiet"]}>from the records allowance</div>}
          </td>
          <td>{capOf(each.organization)}</td>
          <td className="number">{number(each.used)}</td>
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
    </WideTable>
  </section>
)

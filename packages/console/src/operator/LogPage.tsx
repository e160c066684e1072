/** Who of the operator's people did what, here or by a command, and why. */
import { usePaged } from "../admin/Asking.tsx"
import { actionName } from "../admin/Changed.ts"
import { ChangedFields } from "../admin/ChangedFields.tsx"
import { Link } from "../app/Router.tsx"
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { ShowMore } from "../part/ShowMore.tsx"
import { Waiting } from "../part/Waiting.tsx"
import { WideTable } from "../part/WideTable.tsx"
import { call } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import own from "./Operator.module.css"
import { organizationAddress } from "./OperatorPaths.ts"
import { useCountyNames } from "./useCountyNames.ts"

export const LogPage = () => {
  const found = usePaged(["operator_list_log"], (position, signal) => call("operator_list_log", position, signal))
  const countyOf = useCountyNames()
  const { error } = found
  const data = knownOf(found)
  if (data === undefined) return <Waiting error={error} />
  const entries = data.pages.flatMap(({ entries }) => entries)
  return (
    <section className={page["panel"]} aria-label="What was done">
      {entries.length === 0 ? <p>Nothing was done yet.</p> : (
        <WideTable
          label="What was done"
          caption="What the operator's people did here and by commands, the newest first."
          columns={["When", "Who", "What", "Of", "Organization", "What was changed", "Why"]}
        >
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className={page["moment"]}>{momentOf(entry.at)}</td>
              <td>{entry.actor}</td>
              <th scope="row">{actionName(entry.action)}</th>
              <td className={own["wrap"]}>{entry.subject}</td>
              <td>
                {entry.orgId === null ? "–" : <Link to={organizationAddress(entry.orgId)}>{entry.orgId}</Link>}
              </td>
              <td>
                <ChangedFields after={entry.after} before={entry.before} countyOf={countyOf} />
              </td>
              <td className={own["wrap"]}>{entry.reason ?? "–"}</td>
            </tr>
          ))}
        </WideTable>
      )}
      {error !== null && <RefusalNotice error={error} />}
      <ShowMore of={found} />
    </section>
  )
}

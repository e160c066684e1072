/** Who changed what, and what the admins were told. */
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { ShowMore } from "../part/ShowMore.tsx"
import { Waiting } from "../part/Waiting.tsx"
import { WideTable } from "../part/WideTable.tsx"
import { call, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { Answered, useAsked, usePaged } from "./Asking.tsx"
import { actionName } from "./Changed.ts"
import { ChangedFields } from "./ChangedFields.tsx"
import { useCountyNames } from "./TerritoryChoice.tsx"

type Entry = Output<"app_list_administration">["entries"][number]

export const LogPage = () => {
  const notices = useAsked("app_list_notices", {})
  return (
    <>
      <Answered<"app_list_notices"> asked={notices}>
        {({ notices }) =>
          notices.length === 0 ? null : (
            <section className={page["panel"]} aria-labelledby="notices">
              <h2 id="notices">Notices of the last 90 days</h2>
              <ul>
                {notices.map(({ created_at, id, text }) => <li key={id}>{momentOf(created_at)}: {text}</li>)}
              </ul>
            </section>
          )}
      </Answered>
      <Log />
    </>
  )
}

const Log = () => {
  const found = usePaged(
    ["app_list_administration"],
    (position, signal) => call("app_list_administration", position, signal)
  )
  const countyOf = useCountyNames()
  const { error } = found
  const data = knownOf(found)
  if (data === undefined) return <Waiting error={error} />
  const entries = data.pages.flatMap(({ entries }) => entries)
  return (
    <section className={page["panel"]} aria-label="Changes">
      {entries.length === 0 ?
        <p>Nothing was changed yet.</p> :
        (
          <WideTable
            caption="Changes of keys, members and settings of the last two years, the newest first."
            columns={["When", "Who", "What", "Of", "What was changed"]}
            label="Changes"
          >
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td className={page["moment"]}>{momentOf(entry.at)}</td>
                <td>{actorOf(entry)}</td>
                <th scope="row">{actionName(entry.action)}</th>
                <td>{entry.subjectName}</td>
                <td>
                  <ChangedFields after={entry.after} before={entry.before} countyOf={countyOf} />
                </td>
              </tr>
            ))}
          </WideTable>
        )}
      {error !== null && <RefusalNotice error={error} />}
      <ShowMore of={found} />
    </section>
  )
}

const actorOf = ({ actor: { kind, name } }: Entry): string => kind === "operator" ? "The operator" : name ?? kind

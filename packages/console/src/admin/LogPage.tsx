/** Who changed what, and what the admins were told. */
import { momentOf } from "../part/Moment.ts"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { ShowMore } from "../part/ShowMore.tsx"
import { Waiting } from "../part/Waiting.tsx"
import { WideTable } from "../part/WideTable.tsx"
import { word } from "../part/Wording.ts"
import { call, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { Answered, useAsked, usePaged } from "./Asking.tsx"
import { useCountyNames } from "./TerritoryChoice.tsx"
import { isKind, kindName } from "./Words.ts"

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
            columns={["When", "Who", "What", "Of", "Before", "After"]}
            label="Changes"
          >
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td className={page["moment"]}>{momentOf(entry.at)}</td>
                <td>{actorOf(entry)}</td>
                <th scope="row">{word(entry.action)}</th>
                <td>{entry.subjectName}</td>
                <td>
                  <Side side={entry.before} />
                </td>
                <td>
                  <Side side={entry.after} />
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

/** A member without a territory of their own sees all that their organization does. */
const nothingOf = (field: string): string => field === "territory" ? "everything" : "none"

const nameOf = (field: string): string =>
  field === "county_fips" ? "Counties" : isKind(field) ? kindName(field) : word(field)

const moment = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

const told = (field: string, value: unknown, countyOf: (fips: string) => string): string => {
  if (value === null) return nothingOf(field)
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (Array.isArray(value)) return value.map((each) => told(field, each, countyOf)).join(", ") || "none"
  if (typeof value !== "object") {
    const text = String(value)
    return field === "county_fips" ? countyOf(text) : moment.test(text) ? momentOf(text) : text
  }
  const set = Object.entries(value).filter(([, each]) => each !== null)
  return set.map(([name, each]) => `${nameOf(name)} ${told(name, each, countyOf)}`).join("; ") || "none"
}

const Side = ({ side }: { readonly side: Entry["before"] }) => {
  const countyOf = useCountyNames()
  return side === null ? <span className="quiet">–</span> : (
    <>
      {Object.entries(side).map(([field, value]) => (
        <div key={field}>{nameOf(field)}: {told(field, value, countyOf)}</div>
      ))}
    </>
  )
}

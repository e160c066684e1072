/** What changed about a property or a person, newest first. */
import { useQuery } from "@tanstack/react-query"
import { toldOf, withheldOf } from "../change/ChangeLine.tsx"
import { wordsOf } from "../change/Kinds.ts"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { dayOf, joined, word } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useSession } from "../service/Session.tsx"
import style from "./PropertyPage.module.css"

/** All that was ever recorded. */
const days = 3650

export const Changes = (
  { of }: { readonly of: { readonly property_id: string } | { readonly contact_id: string } }
) => {
  const { organization } = useSession()
  const { data, error } = useQuery({
    queryKey: ["changes", of],
    queryFn: async ({ signal }) => (await call("service_get_changes", { ...of, days, limit: 20 }, signal)).data.changes,
    enabled: organization.features.signals
  })
  const known = knownOf({ data, error })
  if (!organization.features.signals) return null
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      {error !== null && <RefusalNotice error={error} />}
      {known === undefined && error === null && <p className="quiet">One moment…</p>}
      {known?.length === 0 && <p className="quiet">No change was recorded.</p>}
      <ul className={style["notes"]}>
        {known?.map(({ detected_at, evidence, kind, signal_id, withdrawn }) => (
          <li key={signal_id}>
            <p>
              <strong>{wordsOf(kind)}</strong>
              {withdrawn && " (taken back)"}
              <br />
              {joined([toldOf(evidence), withheldOf(evidence)], ". ")}
            </p>
            <p className="quiet">{dayOf(detected_at)}, {word(evidence.source_kind)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

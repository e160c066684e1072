/** What changed about a property or a person, newest first. */
import { useQuery } from "@tanstack/react-query"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { dayOf, dollars, joined, word } from "../part/Wording.ts"
import { call, type Output } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"
import style from "./PropertyPage.module.css"

type Evidence = Output<"service_get_changes">["changes"][number]["evidence"]

const sideOf = (side: Evidence["after"]): string | null => {
  if (side === null) return null
  if ("value" in side) return side.value
  return joined([side.date, side.price === null ? null : dollars(side.price), side.document_type])
}

const tellOf = (evidence: Evidence): string => {
  const { after, before, dates_withheld, manager_withheld, owner_withheld } = evidence
  if (manager_withheld) return "there is one, locked"
  if (owner_withheld) return "withheld"
  const [from, to] = [sideOf(before), sideOf(after)]
  const withheld = dates_withheld ? ["dates are not part of your plan"] : []
  return joined([from === null ? to : `${from} → ${to ?? "nobody"}`, ...withheld], "; ")
}

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
  if (!organization.features.signals) return null
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      {error !== null && <RefusalNotice error={error} />}
      {data?.length === 0 && <p className="quiet">No change was recorded.</p>}
      <ul className={style["notes"]}>
        {data?.map(({ detected_at, evidence, kind, signal_id, withdrawn }) => (
          <li key={signal_id}>
            <p>
              <strong>{word(kind)}</strong>
              {withdrawn && " (withdrawn)"}: {tellOf(evidence)}
            </p>
            <p className="quiet">{dayOf(detected_at)}, {word(evidence.source_kind)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

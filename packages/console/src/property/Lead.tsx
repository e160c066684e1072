/** How far the property is in the pipeline, putting it there, and onto lists. */
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { stageOf } from "../board/Stages.ts"
import { Facts } from "../part/Facts.tsx"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { dayOf, dollars } from "../part/Wording.ts"
import { ListDialog } from "../search/ListDialog.tsx"
import { call, type Output, Refused } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"
import type { Detail } from "./Detail.ts"
import { QualifyDialog } from "./QualifyDialog.tsx"

const LeadDialog = lazy(async () => ({ default: (await import("../board/LeadDialog.tsx")).LeadDialog }))

type Found = Output<"app_get_lead">

/** Its lead, if it has one that is open; null: it has none. */
const leadOf = async (property_id: string, signal: AbortSignal): Promise<Found | null> => {
  const { data: { properties: [named] } } = await call("app_name_records", { property_ids: [property_id] }, signal)
  // A customer may have had a lead.
  if (named?.standing !== "lead" && named?.standing !== "customer") return null
  try {
    return (await call("app_get_lead", { property_id }, signal)).data
  } catch (error) {
    if (error instanceof Refused && error.code === "NO_PIPELINE_RECORD") return null
    throw error
  }
}

const hasEnded = ({ status }: Found): boolean => status === "lost" || status === "disqualified"

export const Lead = ({ property: { address, id, key } }: { readonly property: Detail["property"] }) => {
  const { member, organization: { features } } = useSession()
  const [open, setOpen] = useState<"qualify" | "list" | "lead" | null>(null)
  const [told, setTold] = useState("")
  const { data, error } = useQuery({
    queryKey: ["lead", id],
    queryFn: ({ signal }) => leadOf(id, signal),
    enabled: features.pipeline
  })
  const lead = data ?? null
  const close = () => setOpen(null)
  const done = (words: string) => {
    setTold(words)
    close()
  }
  const isReadOnly = member.role === "read_only"
  if (!features.pipeline && (isReadOnly || !features.lists)) return null
  return (
    <section aria-labelledby="lead">
      <h2 id="lead">Lead</h2>
      {error !== null && <RefusalNotice error={error} />}
      {data === null && <p className="quiet">It has no open lead.</p>}
      {lead !== null && (
        <Facts
          facts={[
            ["Stage", stageOf(lead.status)],
            ["Since", dayOf(lead.status_changed_at)],
            ["Deal value", lead.deal_value === null ? null : dollars(lead.deal_value)],
            ["Owner", lead.owner?.name ?? "nobody"]
          ]}
        />
      )}
      <div className={page["buttons"]}>
        {!isReadOnly && features.pipeline && (lead === null ? data === null : hasEnded(lead)) && (
          <button onClick={() => setOpen("qualify")} type="button">Qualify</button>
        )}
        {lead !== null && (
          <button className="plain" onClick={() => setOpen("lead")} type="button">History and owner</button>
        )}
        {!isReadOnly && features.lists && (
          <button className="plain" onClick={() => setOpen("list")} type="button">Add to list</button>
        )}
      </div>
      <p role="status">{told}</p>
      {open === "qualify" && <QualifyDialog ids={[id]} onClose={close} onDone={done} />}
      {open === "list" && <ListDialog ids={[id]} onAdded={done} onClose={close} />}
      {open === "lead" && lead !== null && (
        <Suspense>
          <LeadDialog
            card={{ property_id: id, property_key: key, address, owner: lead.owner }}
            onClose={close}
          />
        </Suspense>
      )}
    </section>
  )
}

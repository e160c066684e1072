/** How far the property is in the pipeline, where it may go from there, putting it there, and onto lists. */
import { type ReactNode, useState } from "react"
import type { Move } from "../board/MoveDialog.tsx"
import { stageOf } from "../board/Stages.ts"
import { useLead } from "../board/useLead.ts"
import { useReasonName } from "../board/useReasons.ts"
import { Facts } from "../part/Facts.tsx"
import { late } from "../part/Late.tsx"
import page from "../part/Page.module.css"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { useLeadChanged } from "../part/Standing.ts"
import { Told } from "../part/Told.tsx"
import { dayOf, dollars } from "../part/Wording.ts"
import { ListDialog } from "../search/ListDialog.tsx"
import { call, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import type { Detail } from "./Detail.ts"
import { QualifyDialog } from "./QualifyDialog.tsx"

const LeadDialog = late(async () => (await import("../board/LeadDialog.tsx")).LeadDialog)
const MoveDialog = late(async () => (await import("../board/MoveDialog.tsx")).MoveDialog)

type Found = NonNullable<Output<"app_get_lead">["lead"]>

/** Moves the lead as it was seen here; what somebody else moved meanwhile is refused, and shown anew. */
const useMoveOf = (onMoved: (told: string) => void) => {
  const leadChanged = useLeadChanged()
  return useMutation({
    mutationFn: async ({ asked, lead: { property_id, version }, to }: Move & { readonly lead: Found }) => {
      await call("app_move_lead", { property_id, version, status: to, ...asked })
      return to
    },
    onSuccess: (to) => onMoved(`Moved to ${stageOf(to)}.`),
    onSettled: leadChanged
  })
}

export const Lead = ({ property: { address, id, key } }: { readonly property: Detail["property"] }) => {
  const { member, organization: { features } } = useSession()
  const [open, setOpen] = useState<"qualify" | "list" | "lead" | "move" | null>(null)
  const [told, setTold] = useState<ReactNode>("")
  const found = useLead(id, features.pipeline)
  const { error } = found
  const lead = knownOf(found)
  const close = () => setOpen(null)
  const done = (words: ReactNode) => {
    setTold(words)
    close()
  }
  const move = useMoveOf(setTold)
  const mayChange = member.role !== "read_only"
  if (!features.pipeline && (!mayChange || !features.lists)) return null
  const named = { property_id: id, property_key: key, address }
  return (
    <section aria-labelledby="lead">
      <h2 id="lead">Lead</h2>
      {error !== null && <RefusalNotice error={error} />}
      {move.error !== null && <RefusalNotice error={move.error} />}
      {features.pipeline && lead === undefined && error === null && <p className="quiet">One moment…</p>}
      {lead === null && <p className="quiet">Not a lead yet.</p>}
      {lead && <Standing lead={lead} />}
      <div className={page["buttons"]}>
        {mayChange && lead === null && <button onClick={() => setOpen("qualify")} type="button">Qualify</button>}
        {mayChange && lead && lead.targets.length > 0 && (
          <button
            disabled={move.isPending}
            onClick={() => setOpen("move")}
            type="button"
          >
            {lead.status === "disqualified" ? "Qualify again" : "Move to…"}
          </button>
        )}
        {lead && <button className="plain" onClick={() => setOpen("lead")} type="button">History and owner</button>}
        {mayChange && features.lists && (
          <button className="plain" onClick={() => setOpen("list")} type="button">Add to list</button>
        )}
      </div>
      <Told said={told === "" ? null : told}>{told !== "" && <p>{told}</p>}</Told>
      {open === "qualify" && <QualifyDialog ids={[id]} onClose={close} onDone={done} />}
      {open === "list" && <ListDialog ids={[id]} onAdded={done} onClose={close} />}
      {lead && open === "lead" && <LeadDialog card={{ ...named, owner: lead.owner }} onClose={close} />}
      {lead && open === "move" && (
        <MoveDialog
          card={{ ...named, deal_value: lead.deal_value }}
          onClose={close}
          onMove={(wish, sent) => {
            close()
            setTold("")
            move.mutate({ ...wish, lead }, { onSuccess: sent })
          }}
          targets={lead.targets}
          to={null}
        />
      )}
    </section>
  )
}

const Standing = (
  { lead: { deal_value, owner, reason_code, status, status_changed_at } }: { readonly lead: Found }
) => {
  const reasonName = useReasonName(status === "lost")
  return (
    <Facts
      facts={[
        ["Stage", stageOf(status)],
        ["Reason", reason_code === null ? null : reasonName(reason_code)],
        ["Since", dayOf(status_changed_at)],
        ["Deal value", deal_value === null ? null : dollars(deal_value)],
        ["Owner", owner?.name ?? "nobody"]
      ]}
    />
  )
}

/** One lead: whose it is, and every move that led there. */
import { useQueryClient } from "@tanstack/react-query"
import { Dialog } from "../part/Dialog.tsx"
import { momentOf } from "../part/Moment.ts"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { dollars } from "../part/Wording.ts"
import { Notes } from "../property/Notes.tsx"
import { call, type Output } from "../service/Call.ts"
import { knownOf } from "../service/Refusals.ts"
import { useMutation } from "../service/useMutation.ts"
import { useColleagues } from "../task/useColleagues.ts"
import style from "./Board.module.css"
import { type Card, nameOf, stageOf } from "./Stages.ts"
import { useLead } from "./useLead.ts"
import { useReasonName } from "./useReasons.ts"

type Line = NonNullable<Output<"app_get_lead">["lead"]>["history"][number]

export const LeadDialog = (
  { card, onClose }: {
    readonly card: Pick<Card, "property_id" | "property_key" | "address" | "owner">
    readonly onClose: () => void
  }
) => {
  const client = useQueryClient()
  const { property_id } = card
  const lead = useLead(property_id)
  const known = knownOf(lead)
  const reasonName = useReasonName(known?.history.some(({ to }) => to === "lost") ?? false)
  const colleagues = useColleagues()
  const assign = useMutation({
    mutationFn: (memberId: string | null) => call("app_assign_lead", { property_id, member_id: memberId }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ["lead", property_id] }),
        client.invalidateQueries({ queryKey: ["board"] })
      ])
  })
  const { owner } = known ?? card
  const isGone = owner !== null && colleagues.data?.every(({ member_id }) => member_id !== owner.member_id) === true
  return (
    <Dialog onClose={onClose} title={nameOf(card)}>
      <div className={style["form"]}>
        <label>
          Owner
          <select
            disabled={assign.isPending || colleagues.data === undefined}
            onChange={(event) => assign.mutate(event.target.value === "" ? null : event.target.value)}
            value={owner?.member_id ?? ""}
          >
            <option value="">Nobody</option>
            {isGone && <option value={owner.member_id}>{owner.name} (no longer here)</option>}
            {colleagues.data?.map(({ member_id, name }) => <option key={member_id} value={member_id}>{name}</option>)}
          </select>
        </label>
        <p className="visually-hidden" role="status">{assign.isSuccess ? "The owner was changed." : ""}</p>
        {colleagues.error !== null && <RefusalNotice error={colleagues.error} />}
        {assign.error !== null && <RefusalNotice error={assign.error} />}
        {lead.error !== null && <RefusalNotice error={lead.error} />}
        <h3>History</h3>
        {lead.isPending && <p role="status">One moment…</p>}
        {known && (
          <ol className={style["history"]}>
            {known.history.toReversed().map((line) => (
              <HistoryLine key={line.version} line={line} reasonName={reasonName} />
            ))}
          </ol>
        )}
        <Notes id={property_id} />
      </div>
    </Dialog>
  )
}

const HistoryLine = (
  { line: { at, by, by_agent, deal_value, from, note, reason_code, to }, reasonName }: {
    readonly line: Line
    readonly reasonName: (code: string) => string
  }
) => (
  <li>
    <strong>{from === null ? stageOf(to) : `From ${stageOf(from)} to ${stageOf(to)}`}</strong>
    {deal_value !== null && <span>· {dollars(deal_value)}</span>}
    {reason_code !== null && <span>· {reasonName(reason_code)}</span>}
    <div className={style["quiet"]}>{momentOf(at)}, {by}{by_agent ? " (by key or assistant)" : ""}</div>
    {note !== null && <p>{note}</p>}
  </li>
)

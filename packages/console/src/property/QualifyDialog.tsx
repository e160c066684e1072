/** Putting properties into the pipeline, each with what it may bring. */
import { type SubmitEvent, useState } from "react"
import { Dialog } from "../part/Dialog.tsx"
import { partOf, RefusalNotice } from "../part/RefusalNotice.tsx"
import { useLeadChanged } from "../part/Standing.ts"
import { plural } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { useMutation } from "../service/useMutation.ts"

export const QualifyDialog = ({ ids, onClose, onDone }: {
  readonly ids: ReadonlyArray<string>
  readonly onDone: (told: string) => void
  readonly onClose: () => void
}) => {
  const leadChanged = useLeadChanged()
  const [value, setValue] = useState("")
  /** Those that are qualified, and whether that made a lead. */
  const [qualified, setQualified] = useState<ReadonlyMap<string, boolean>>(new Map())
  const qualify = useMutation({
    mutationFn: async () => {
      // One after the other: each is a change of its own, and the first refusal ends it. What is done stays done.
      const done = new Map(qualified)
      for (const property_id of ids.filter((id) => !done.has(id))) {
        const { data } = await call("service_qualify_lead", { property_id, deal_value: Number(value) })
        done.set(property_id, data.first_time)
        setQualified(new Map(done))
      }
      return Array.from(done.values()).filter((isNew) => isNew).length
    },
    onSuccess: (fresh) =>
      onDone(
        `${plural(ids.length, "property is", "properties are")} in the pipeline, ${
          plural(fresh, "new lead", "new leads")
        }.`
      ),
    onSettled: leadChanged
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    qualify.mutate()
  }
  return (
    <Dialog
      isBusy={qualify.isPending}
      onClose={onClose}
      title={ids.length === 1 ? "Qualify" : `Qualify ${ids.length} properties`}
    >
      <form onSubmit={submit}>
        <label>
          Deal value{ids.length === 1 ? "" : " of each"}, whole US dollars{" "}
          <input
            min={2}
            onChange={(event) => setValue(event.target.value)}
            required
            step={1}
            type="number"
            value={value}
          />
        </label>
        <p className="quiet">Free. A lead that is new is sent to your organization's endpoints.</p>
        {qualify.error !== null && (
          <RefusalNotice done={partOf(qualified.size, ids.length, "qualified")} error={qualify.error} />
        )}
        <button disabled={qualify.isPending} type="submit">Qualify</button>
      </form>
    </Dialog>
  )
}

/** Putting properties into the pipeline, each with what it may bring. */
import { useQueryClient } from "@tanstack/react-query"
import { type SubmitEvent, useState } from "react"
import { Dialog } from "../part/Dialog.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { plural } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { useMutation } from "../service/useMutation.ts"

export const QualifyDialog = ({ ids, onClose, onDone }: {
  readonly ids: ReadonlyArray<string>
  readonly onDone: (told: string) => void
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const [value, setValue] = useState("")
  const qualify = useMutation({
    mutationFn: async () => {
      // One after the other: each is a change of its own, and the first refusal ends it.
      let fresh = 0
      for (const property_id of ids) {
        const { data } = await call("service_qualify_lead", { property_id, deal_value: Number(value) })
        if (data.first_time) fresh++
      }
      return fresh
    },
    onSuccess: (fresh) =>
      onDone(
        `${plural(ids.length, "property is", "properties are")} in the pipeline, ${
          plural(fresh, "new lead", "new leads")
        }.`
      ),
    onSettled: () =>
      Promise.all([["map"], ["lead"], ["board"]].map((queryKey) => client.invalidateQueries({ queryKey })))
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    qualify.mutate()
  }
  return (
    <Dialog onClose={onClose} title={ids.length === 1 ? "Qualify" : `Qualify ${ids.length} properties`}>
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
        {qualify.error !== null && <RefusalNotice error={qualify.error} />}
        <button disabled={qualify.isPending} type="submit">Qualify</button>
      </form>
    </Dialog>
  )
}

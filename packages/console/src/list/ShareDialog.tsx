/** Says who sees a list: its owner, some of the team, or all of it. */
import { useQueryClient } from "@tanstack/react-query"
import { type SubmitEvent, useState } from "react"
import { Dialog } from "../part/Dialog.tsx"
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { number } from "../part/Wording.ts"
import { call } from "../service/Call.ts"
import { useSession } from "../service/Session.tsx"
import { useMutation } from "../service/useMutation.ts"
import { useColleagues } from "../task/useColleagues.ts"
import type { KeptList } from "./Lists.ts"

const choices = [
  ["private", "I alone"],
  ["shared", "Some of the team"],
  ["team", "All of the team"]
] as const satisfies ReadonlyArray<readonly [KeptList["visibility"], string]>

export const ShareDialog = ({ list, onClose }: { readonly list: KeptList; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const { member } = useSession()
  const colleagues = useColleagues()
  const [visibility, setVisibility] = useState(list.visibility)
  const [shared, setShared] = useState<ReadonlyArray<string>>(list.shared_with ?? [])
  const team = colleagues.data?.filter(({ member_id }) => member_id !== member.member_id)
  /** Those who can be seen to be chosen: who is gone is not shared with anew. */
  const there = team?.flatMap(({ member_id }) => shared.includes(member_id) ? [member_id] : []) ?? []
  const gone = team === undefined ? 0 : shared.length - there.length
  const share = useMutation({
    mutationFn: () =>
      call("app_change_list", {
        list_id: list.id,
        visibility,
        ...visibility === "shared" ? { shared_with: there } : {}
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["lists"] })
      onClose()
    }
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    share.mutate()
  }
  return (
    <Dialog onClose={onClose} title="Who sees the list">
      <form onSubmit={submit}>
        <fieldset>
          <legend>Seen by</legend>
          {choices.map(([value, label]) => (
            <div key={value}>
              <label>
                <input
                  checked={visibility === value}
                  name="visibility"
                  onChange={() => setVisibility(value)}
                  type="radio"
                />{" "}
                {label}
              </label>
            </div>
          ))}
        </fieldset>
        {visibility === "shared" && (
          <fieldset>
            <legend>Besides you</legend>
            {team?.map(({ member_id, name }) => (
              <div key={member_id}>
                <label>
                  <input
                    checked={shared.includes(member_id)}
                    onChange={({ target }) =>
                      setShared((before) =>
                        target.checked ? [...before, member_id] : before.filter((each) => each !== member_id)
                      )}
                    type="checkbox"
                  />{" "}
                  {name}
                </label>
              </div>
            ))}
            {gone > 0 && <p className="quiet">No longer here, and taken off: {number(gone)}.</p>}
          </fieldset>
        )}
        {colleagues.error !== null && <RefusalNotice error={colleagues.error} />}
        {share.error !== null && <RefusalNotice error={share.error} />}
        <button disabled={share.isPending || visibility === "shared" && team === undefined} type="submit">Save</button>
      </form>
    </Dialog>
  )
}

/** Who is to do a task: one of the team, nobody yet, or whoever has it already, though they are no longer here. */
import { RefusalNotice } from "../part/RefusalNotice.tsx"
import { useColleagues } from "./useColleagues.ts"

/** Somebody who has a task; `id` null: of before members were known. */
export interface Assignee {
  readonly id: string | null
  readonly name: string
}

const unknown = "unknown"

/** `null`: nobody's. */
const valueOf = (assignee: Assignee | null): string => assignee === null ? "" : assignee.id ?? unknown

export const AssigneeChoice = ({ assignee, before, onChoose }: {
  readonly assignee: Assignee | null
  /** Who has it, or is whoever writes it. */
  readonly before: Assignee | null
  readonly onChoose: (assignee: Assignee | null) => void
}) => {
  const { data: colleagues, error } = useColleagues()
  const team = colleagues?.map(({ member_id: id, name }): Assignee => ({ id, name })) ?? []
  const isOther = before !== null && team.every(({ id }) => id !== before.id)
  const all = isOther ? [before, ...team] : team
  return (
    <>
      <label>
        By whom
        <select
          onChange={({ target }) => onChoose(all.find((each) => valueOf(each) === target.value) ?? null)}
          value={valueOf(assignee)}
        >
          <option value="">Nobody yet</option>
          {all.map((each) => (
            <option key={valueOf(each)} value={valueOf(each)}>
              {each.name}
              {isOther && each === before && colleagues !== undefined && " (no longer here)"}
            </option>
          ))}
        </select>
      </label>
      {error !== null && <RefusalNotice error={error} />}
    </>
  )
}

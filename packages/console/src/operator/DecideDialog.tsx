/** Decides about several matches, one after the other, for one reason: the first refusal ends it, and what is decided stays so. */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { partOf } from "../part/RefusalNotice.tsx"
import { plural } from "../part/Wording.ts"
import { call, type Input } from "../service/Call.ts"
import { useMutation } from "../service/useMutation.ts"
import { Act } from "./Act.tsx"

export type Decidable = "operator_decide_owner_match" | "operator_decide_place_match"
export type Decision = Input<Decidable>["decision"]

/** So many are named before it is done. */
const named = 8

export const DecideDialog = ({ decision, items, onClose, onDone, operation, says, title }: {
  readonly title: string
  readonly says: string
  readonly operation: Decidable
  readonly decision: Decision
  readonly items: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly onDone: (told: string) => void
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const [decided, setDecided] = useState(0)
  /** What is decided is not among the matches any more once they are asked for anew. */
  const [all] = useState(items.length)
  const act = useMutation({
    mutationFn: async ({ reason }: { readonly reason: string }) => {
      for (const { id } of items) {
        await call(operation, { id, decision, reason })
        setDecided((before) => before + 1)
      }
    },
    onSuccess: () => onDone(`Decided about ${plural(all, "match", "matches")}.`),
    onSettled: () => client.invalidateQueries({ queryKey: ["admin"] })
  })
  return (
    <Act
      act={act}
      button={`${title} (${items.length})`}
      done={partOf(decided, all, "decided")}
      input={(_, reason) => ({ reason })}
      onClose={onClose}
      says={
        <>
          <p>{says}</p>
          <ul>
            {items.slice(0, named).map(({ id, name }) => <li key={id}>{name}</li>)}
            {items.length > named && <li>and {plural(items.length - named, "other", "others")}</li>}
          </ul>
        </>
      }
      title={title}
    />
  )
}

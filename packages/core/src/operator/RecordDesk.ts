/** The operator stops listing people and owners, lists them again, and merges properties. */
import { Effect, Option } from "effect"
import type { OperatorHandlerOf } from "../access/Operator.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { type Merged, type MergeRefused, PropertyMerges } from "../property/PropertyMerges.ts"
import { ownerNameKey } from "../suppression/OwnerName.ts"
import { nameOf, type SuppressionChange, Suppressions, type SuppressionSubject } from "../suppression/Suppressions.ts"
import * as OperatorWork from "./OperatorWork.ts"
import type {
  LiftSuppression,
  ListSuppressions,
  MergeProperties,
  PlanMerge,
  SuppressRecord
} from "./RecordOperations.ts"

type Given = (typeof SuppressRecord)["input"]["Type"]

const subjectOf = ({ kind, named }: Pick<Given, "kind" | "named">): SuppressionSubject => {
  switch (kind) {
    case "contact":
      return { _tag: "Contact", named }
    case "property":
      return { _tag: "Property", named }
    case "owner":
      return { _tag: "Owner", name: named }
  }
}

const viewOf = ({ outcome, properties, suppression: { at, id, key, kind, name } }: SuppressionChange) => ({
  kind,
  id,
  key,
  name,
  at,
  outcome,
  properties
})

const mergeRefused = (refusal: MergeRefused) =>
  invalid(refusal.reason === "unknown_into" ? "into" : "from", refusal.message)

const mergeView = ({ from, into, moved, outcome }: Merged) => ({ outcome, from, into, moved })

export const make = Effect.gen(function*() {
  const suppressions = yield* Suppressions
  const merges = yield* PropertyMerges
  const { act } = yield* OperatorWork.make

  const list: OperatorHandlerOf<typeof ListSuppressions> = Effect.fn("RecordDesk.list")(function*() {
    const items = yield* suppressions.list
    return { items: items.map(({ at, id, key, kind, name }) => ({ kind, id, key, name, at })) }
  })

  /** Records a suppression or lifts one, with its line of the log. */
  const change = ({ kind, named, reason }: Given, lift: boolean) =>
    act(
      reason,
      Effect.gen(function*() {
        if (kind === "owner" && ownerNameKey(named) === "") {
          return yield* invalid("named", "Expected a name with a letter or a digit")
        }
        const subject = subjectOf({ kind, named })
        const changed = yield* lift ? suppressions.lift(subject) : suppressions.suppress(subject)
        if (Option.isNone(changed)) {
          return yield* invalid("named", lift ? "Expected somebody who is not listed" : "There is no such record")
        }
        const view = viewOf(changed.value)
        return [
          view,
          view.outcome === "unchanged" ? null : {
            orgId: null,
            action: lift ? "suppression.lifted" as const : "suppression.made" as const,
            subject: nameOf(subject),
            before: { listed: !lift },
            after: { listed: lift, properties: view.properties }
          }
        ] as const
      })
    )

  const suppress: OperatorHandlerOf<typeof SuppressRecord> = Effect.fn("RecordDesk.suppress")((given) =>
    change(given, false)
  )

  const lift: OperatorHandlerOf<typeof LiftSuppression> = Effect.fn("RecordDesk.lift")((given) => change(given, true))

  const plan: OperatorHandlerOf<typeof PlanMerge> = Effect.fn("RecordDesk.plan")((pair) =>
    merges.merge({ ...pair, dryRun: true }).pipe(
      Effect.map(mergeView),
      Effect.catchTag("MergeRefused", (refusal) => Effect.fail(mergeRefused(refusal)))
    )
  )

  const merge: OperatorHandlerOf<typeof MergeProperties> = Effect.fn("RecordDesk.merge")(({ from, into, reason }) =>
    act(
      reason,
      Effect.map(
        merges.merge({ from, into, dryRun: false }).pipe(
          Effect.catchTag("MergeRefused", (refusal) => Effect.fail(mergeRefused(refusal)))
        ),
        (merged) =>
          [
            mergeView(merged),
            merged.outcome === "unchanged" ? null : {
              orgId: null,
              action: "property.merged" as const,
              subject: `${merged.from.key} into ${merged.into.key}`,
              before: { id: merged.from.id, key: merged.from.key },
              after: { id: merged.into.id, key: merged.into.key, moved: merged.moved }
            }
          ] as const
      )
    )
  )

  return { list, suppress, lift, plan, merge }
})

/** What the operator does to the records themselves: who is not listed, and two records that are one. */
import { Schema } from "effect"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { oneLine } from "../operation/PlainText.ts"
import { access, Reason } from "./OperatorOperation.ts"

const Named = Schema.String.check(
  Schema.makeFilter((text: string) => text.trim() !== "" && text.length <= 500 || "Expected 1 to 500 characters"),
  oneLine
)

const Kind = Schema.Literals(["contact", "owner", "property"])

const Suppressed = Schema.Struct({
  kind: Kind,
  id: Schema.NullOr(Schema.String),
  key: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  at: Schema.String
})

export const ListSuppressions = Operation.make("operator_list_suppressions", {
  title: "Who is not listed",
  description: "Free. Who asked not to be listed, the oldest first.",
  input: NoInput,
  output: Schema.Struct({ items: Schema.Array(Suppressed) }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

const subject = {
  kind: Kind,
  /** Of a contact or a property its id or key, of an owner the name. */
  named: Named,
  reason: Reason
}

const SuppressionChanged = Schema.Struct({
  ...Suppressed.fields,
  outcome: Schema.Literals(["created", "lifted", "unchanged"]),
  /** Properties that show less, or more again. */
  properties: Schema.Int
})

export const SuppressRecord = Operation.make("operator_suppress", {
  title: "Stop listing",
  description: "Free. From now on nobody is told of the person or the owner, whoever paid for it before.",
  input: Schema.Struct(subject),
  output: SuppressionChanged,
  refusals: [],
  access,
  effect: "write",
  tool: false
})

export const LiftSuppression = Operation.make("operator_lift_suppression", {
  title: "List again",
  description: "Free. Shows the person or the owner again.",
  input: Schema.Struct(subject),
  output: SuppressionChanged,
  refusals: [],
  access,
  effect: "write",
  tool: false
})

const Merge = Schema.Struct({
  outcome: Schema.Literals(["merged", "unchanged"]),
  from: Schema.Struct({ id: Schema.String, key: Schema.String }),
  into: Schema.Struct({ id: Schema.String, key: Schema.String }),
  /** How many of each kind, as `PropertyMerges` counts them. */
  moved: Schema.Record(Schema.String, Schema.Int)
})

export const PlanMerge = Operation.make("operator_plan_merge", {
  title: "What a merge would move",
  description: "Free. Tells what merging one property into another would move, and moves nothing.",
  input: Schema.Struct({ from: Named, into: Named }),
  output: Merge,
  refusals: [],
  access,
  effect: "read",
  tool: false
})

export const MergeProperties = Operation.make("operator_merge_properties", {
  title: "Merge two properties",
  description: "Free. Retires one record in favour of another, for all organizations at once. Nothing is charged.",
  input: Schema.Struct({ from: Named, into: Named, reason: Reason }),
  output: Merge,
  refusals: [],
  access,
  effect: "write",
  tool: false
})

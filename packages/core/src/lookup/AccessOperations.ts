/** Asking beforehand what could be opened, and what it would cost. */
import { Schema } from "effect"
import { NoVisibleTerritory } from "../coverage/CoverageRefusals.ts"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"
import { PropertyIdOrKey } from "../property/PropertyOperations.ts"

export const maximumIds = 500

const several = <Item extends typeof Uuid | typeof PropertyIdOrKey>(item: Item) =>
  Schema.Array(item).check(Schema.isMinLength(1), Schema.isMaxLength(maximumIds))

const Checked = Schema.Struct({
  id: Schema.String.annotate({ description: "As it was asked." }),
  visible: Schema.Boolean.annotate({ description: "False for what does not exist, too." }),
  revealed: Schema.Boolean.annotate({ description: "Readable in full already, by payment or by coverage." }),
  credits: Schema.NullOr(Schema.Int).annotate({
    description: "What opening it would cost, each by itself; null: it cannot be opened."
  }),
  blocked_by: Schema.NullOr(Schema.Struct({
    code: Schema.String.annotate({ description: "The code that opening it, by itself, would be refused with now." }),
    message: Schema.String
  }))
})

/** POST /access/check. */
export const CheckAccess = Operation.make("service_check_access", {
  title: "Check access",
  description:
    "Free, counts nothing. For up to 500 properties and contacts: visible, revealed, what opening would cost, and " +
    "which lack or limit stands in the way.",
  input: Schema.Struct({
    property_ids: Schema.optionalKey(several(PropertyIdOrKey)),
    contact_ids: Schema.optionalKey(several(Uuid))
  }),
  output: Schema.Struct({
    properties: Schema.Array(Checked),
    contacts: Schema.Array(Checked),
    total_credits: Schema.Int.annotate({
      description: "Of everything that could be opened, if nothing stood in the way."
    }),
    available_credits: Schema.Int
  }),
  refusals: [NoVisibleTerritory],
  access: { scope: "data:read", plan: "enterprise" },
  effect: "read",
  tool: false,
  extension: true
})

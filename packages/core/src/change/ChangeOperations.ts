/** What can be asked about changes. GET /changes is an extension; decisions, section 14. */
import { Schema } from "effect"
import { SignalsNotEnabled } from "../access/AccessRefusals.ts"
import { NotFound, OutOfTerritory, PropertyRetired } from "../coverage/CoverageRefusals.ts"
import { atMost } from "../operation/Characters.ts"
import { InvalidCursor } from "../operation/InvalidCursor.ts"
import { IsoMoment } from "../operation/IsoMoment.ts"
import { noteField } from "../operation/Noting.ts"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"
import { Evidence } from "./Evidence.ts"
import { SignalKind } from "./SignalKind.ts"

/** A list, or its values with commas between them. */
const Kinds = Schema.Union([
  Schema.Array(SignalKind).check(Schema.isMinLength(1), Schema.isMaxLength(20)),
  Schema.String.check(atMost(200))
]).annotate({ description: `Of ${SignalKind.literals.join(", ")}, with commas between them; default: all.` })

/** GET /changes. */
export const GetChanges = Operation.make("service_get_changes", {
  title: "Recorded changes",
  description:
    "Free. What changed (owner, sale, manager, a person's employer or title), newest first: of one property or contact, or all. " +
    "It tells ids; addresses: service_search_properties, filter changedWithinDays. Evidence is of what is open.",
  input: Schema.Struct({
    property_id: Schema.optionalKey(
      Schema.String.check(Schema.isMinLength(1), atMost(200)).annotate({
        description: "Id or key."
      })
    ),
    contact_id: Schema.optionalKey(Uuid),
    kinds: Schema.optionalKey(Kinds),
    since: Schema.optionalKey(IsoMoment),
    days: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3650 })).annotate({ description: "Default 30." })
    ),
    limit: Schema.optionalKey(
      Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 })).annotate({ description: "Default 50." })
    ),
    cursor: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1), atMost(1000)))
  }),
  output: Schema.Struct({
    changes: Schema.Array(Schema.Struct({
      event_id: Schema.NullOr(Schema.String),
      signal_id: Schema.String,
      kind: SignalKind,
      subject: Schema.Struct({ type: Schema.Literals(["property", "contact"]), id: Schema.String }),
      detected_at: Schema.String,
      source: Schema.String,
      withdrawn: Schema.Boolean,
      evidence: Evidence
    })),
    next_cursor: Schema.NullOr(Schema.String),
    ...noteField
  }),
  refusals: [SignalsNotEnabled, InvalidCursor, NotFound, OutOfTerritory, PropertyRetired],
  access: { scope: "data:read", plan: "enterprise" },
  effect: "read",
  // The specification has the tool alone.
  extension: true
})

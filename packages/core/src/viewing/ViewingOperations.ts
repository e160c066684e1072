/** Opening the page of a property in the app. */
import { Schema } from "effect"
import * as Operation from "../operation/Operation.ts"
import { GetProperty } from "../property/PropertyOperations.ts"

/** The member opened too many property pages for reading; it ends by itself. */
export class ViewingPaused extends Schema.TaggedError<ViewingPaused>()("VIEWING_PAUSED", {
  /** ISO-8601. */
  until: Schema.String,
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `You opened many property pages in a short time. They open again at ${this.until}; search, lists and the ` +
      "pipeline go on."
  }
}

/**
 * What `GetProperty` answers, with everybody shown who is open to the organization elsewhere, and who can be revealed alone,
 * under fair use instead of limits.
 */
export const OpenProperty = Operation.make("app_open_property", {
  title: "Open a property's page",
  description: "Free. What is shown of one property; fair use counts the distinct properties that a person opens.",
  input: GetProperty.input,
  output: Schema.Struct({
    ...GetProperty.output.fields,
    locked_contacts: Schema.Array(Schema.Struct({
      contact_id: Schema.String,
      title: Schema.NullOr(Schema.String),
      role_type: Schema.NullOr(Schema.String),
      availability: Schema.Struct({ email: Schema.Boolean, phone: Schema.Boolean, linkedin: Schema.Boolean })
    }))
  }),
  refusals: [...GetProperty.refusals, ViewingPaused],
  access: { ...GetProperty.access, app: "members" },
  effect: "read",
  work: "point",
  tool: false
})

/** What the app asks about counties: all that there are for somebody, to be chosen from and drawn. */
import { Schema } from "effect"
import * as Operation from "../operation/Operation.ts"

const Text = Schema.NullOr(Schema.String)

export const ListCounties = Operation.make("app_list_counties", {
  title: "Counties of the organization",
  description:
    "Free. All counties that your organization sees and the service has records of, the licensed ones first: what each is called, how " +
    "many properties it has, and whether it is in your own territory.",
  input: Schema.Struct({}),
  output: Schema.Struct({
    counties: Schema.Array(Schema.Struct({
      fips: Schema.String,
      name: Text,
      /** With its state, such as `Dallas, TX`. */
      label: Text,
      properties: Schema.Int,
      seen: Schema.Boolean
    }))
  }),
  refusals: [],
  access: { scope: null, plan: "team" },
  effect: "read",
  tool: false
})

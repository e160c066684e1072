/** Who works in the caller's organization, as every member of it may know. */
import { Schema } from "effect"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"

export const ListColleagues = Operation.make("app_list_colleagues", {
  title: "Colleagues",
  description: "Free. The members of your organization with a seat, by name.",
  input: NoInput,
  output: Schema.Struct({
    members: Schema.Array(Schema.Struct({ member_id: Schema.String, name: Schema.String }))
  }),
  refusals: [],
  access: { scope: null, plan: "team" },
  effect: "read",
  work: "point",
  tool: false
})

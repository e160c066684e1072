/** What the app asks about records that something else names by id alone: what they are called, and how they stand. */
import { Schema } from "effect"
import * as Operation from "../operation/Operation.ts"
import { Uuid } from "../operation/Uuid.ts"

/** Most ids of each kind that are named at once. */
export const maximumNamed = 200

const Ids = Schema.Array(Uuid).check(Schema.isMaxLength(maximumNamed))

const Text = Schema.NullOr(Schema.String)

/** How a property stands with the organization: as its map and its lists mark it. */
export const PropertyState = Schema.Literals(["none", "locked", "revealed", "lead", "customer"])

export const NameRecords = Operation.make("app_name_records", {
  title: "Names of records",
  description:
    "Free. Of properties and people what a line tells, and how each stands. What does not exist, was merged or lies outside your " +
    "area is left out; a name is told of whoever is revealed.",
  input: Schema.Struct({
    property_ids: Schema.optionalKey(Ids),
    contact_ids: Schema.optionalKey(Ids)
  }),
  output: Schema.Struct({
    properties: Schema.Array(Schema.Struct({
      id: Schema.String,
      key: Schema.String,
      address: Text,
      city: Text,
      state: Text,
      standing: PropertyState
    })),
    contacts: Schema.Array(Schema.Struct({
      id: Schema.String,
      /** null: not revealed. */
      full_name: Text,
      title: Text,
      employer_name: Text,
      revealed: Schema.Boolean
    }))
  }),
  refusals: [],
  access: { scope: null, plan: "team" },
  effect: "read",
  tool: false
})

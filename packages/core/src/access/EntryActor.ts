/** Whoever is written down as the author of an entry, an event, a move or a list. */
import { Schema } from "effect"

/** Who made an entry: a key, a member or the operator. */
export const EntryActor = Schema.Struct({
  kind: Schema.Literals(["key", "member", "operator", "system"]),
  id: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String)
})
export type EntryActor = typeof EntryActor.Type

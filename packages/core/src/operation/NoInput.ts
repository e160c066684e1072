/** The input of an operation that takes none. */
import { Schema } from "effect"
import { unknownKey } from "./InvalidInput.ts"

/** A struct without fields would let any value through. */
export const NoInput = Schema.Record(Schema.String, Schema.Never.annotate({ message: unknownKey }))

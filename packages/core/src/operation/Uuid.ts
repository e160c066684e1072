/** An id that the service gave out. */
import { Schema } from "effect"

/** A UUID of any case, decoded to lower case by `parseId` where it is used. */
export const Uuid = Schema.String.annotate({ format: "uuid" }).check(
  Schema.isPattern(/^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/, { message: "Expected a UUID" })
)

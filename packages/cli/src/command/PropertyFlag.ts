/** The property that a command is about. */
import { Flag } from "effect/cli"

export const property = Flag.String("property").pipe(
  Flag.withMetavar("P"),
  Flag.withDescription("Id or key of the property")
)

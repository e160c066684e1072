/** Why a command did nothing, or not all of what was asked: one sentence for the person, and exit code 1. */
import { Schema } from "effect"

export class CommandRefused extends Schema.TaggedError<CommandRefused>()("CommandRefused", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

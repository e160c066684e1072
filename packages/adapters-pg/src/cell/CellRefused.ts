/** Why a cell is not made, changed or left: one sentence that says what to do. */
import { Schema } from "effect"

export class CellRefused extends Schema.TaggedError<CellRefused>()("CellRefused", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

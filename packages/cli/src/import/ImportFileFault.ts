/** What keeps an import from running at all: a fault of the file or of the map, as opposed to a fault of a row. */
import { Schema } from "effect"

/** `file` is the file at fault, as the person named it; `reason` says where in it and what. */
export class ImportFileFault extends Schema.TaggedError<ImportFileFault>()("ImportFileFault", {
  file: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.file}: ${this.reason}`
  }
}

/** The version of this package. */
import { Schema } from "effect"
import { readFileSync } from "node:fs"

const Package = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))

export const version: string =
  Schema.decodeUnknownSync(Package)(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version

/** Imports by the operator, in the app: a file is uploaded in parts, then loaded; each import is kept with its outcome. */
import { Schema } from "effect"
import { ImportKind } from "../import/ImportKind.ts"
import { ImportRun, ListedRun } from "../import/ImportRuns.ts"
import { atMost } from "../operation/Characters.ts"
import { NoInput } from "../operation/NoInput.ts"
import * as Operation from "../operation/Operation.ts"
import { oneLine } from "../operation/PlainText.ts"
import { Uuid } from "../operation/Uuid.ts"
import { access, Reason } from "./OperatorOperation.ts"

/** Another file is being loaded. */
export class ImportRunning extends Schema.TaggedError<ImportRunning>()("IMPORT_RUNNING", {
  /** Of that file. */
  name: Schema.String
}) {
  override get message() {
    return `${this.name} is being loaded, and one file at a time is; import this one when it has ended.`
  }
}

const Name = Schema.String.check(
  Schema.makeFilter((text: string) => text.trim() !== "" && text.length <= 200 || "Expected 1 to 200 characters"),
  oneLine
)

/** Characters of a map. */
const longestMap = 500_000

export const BeginImport = Operation.make("operator_begin_import", {
  title: "Begin an import",
  description: "Free. Checks the map, and takes the parts of the file from then on.",
  input: Schema.Struct({
    kind: ImportKind,
    name: Name,
    /** How the columns of a CSV file become fields; null: the file is NDJSON. */
    map: Schema.NullOr(Schema.String.check(atMost(longestMap))),
    strict: Schema.Boolean,
    dry_run: Schema.Boolean,
    reason: Reason
  }),
  output: Schema.Struct({ id: Schema.String, part_bytes: Schema.Int, most_parts: Schema.Int }),
  refusals: [ImportRunning],
  access,
  effect: "write",
  tool: false
})

export const StartImport = Operation.make("operator_start_import", {
  title: "Load what was uploaded",
  description: "Free. The file is whole: loads it in the background; one at a time.",
  input: Schema.Struct({ id: Uuid }),
  output: ImportRun,
  refusals: [ImportRunning],
  access,
  effect: "write",
  tool: false
})

export const GetImport = Operation.make("operator_get_import", {
  title: "How an import is",
  description: "Free. How far an import is, or how it ended.",
  input: Schema.Struct({ id: Uuid }),
  output: ImportRun,
  refusals: [],
  access,
  effect: "read",
  tool: false
})

export const ListImports = Operation.make("operator_list_imports", {
  title: "Imports",
  description: "Free. The imports of the app, the newest first.",
  input: NoInput,
  output: Schema.Struct({ items: Schema.Array(ListedRun) }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

export const ListRejects = Operation.make("operator_list_rejects", {
  title: "Rejected rows",
  description: "Free. The rejected rows of an import with their reasons, as lines of NDJSON, some at a time.",
  input: Schema.Struct({ id: Uuid, after: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 })) }),
  output: Schema.Struct({ texts: Schema.Array(Schema.String), next: Schema.NullOr(Schema.Int) }),
  refusals: [],
  access,
  effect: "read",
  tool: false
})

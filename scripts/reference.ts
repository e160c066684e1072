/** Writes the pages that are made of the code: `docs/settings.md`, `docs/import.md` and the schemas in `docs/schemas`. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { schemaKinds, text } from "../packages/cli/src/Schemas.ts"
import * as ImportPage from "./ImportPage.ts"
import * as SettingsPage from "./SettingsPage.ts"

const docs = join(import.meta.dirname, "../docs")

mkdirSync(join(docs, "schemas"), { recursive: true })
writeFileSync(join(docs, "settings.md"), SettingsPage.page())
writeFileSync(join(docs, "import.md"), ImportPage.page())
for (const kind of schemaKinds) writeFileSync(join(docs, `schemas/${kind}.json`), text(kind))

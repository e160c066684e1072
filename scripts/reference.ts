/** Writes the pages that are made of the code: `docs/settings.md`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SettingsPage from "./SettingsPage.ts"

writeFileSync(join(import.meta.dirname, "../docs/settings.md"), SettingsPage.page())

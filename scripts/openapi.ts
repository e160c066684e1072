/** Writes the contract's document, made from the definitions, to `docs/openapi.json`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "../packages/cli/src/Contract.ts"

writeFileSync(join(import.meta.dirname, "../docs/openapi.json"), text())

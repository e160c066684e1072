/** Writes the contract's documents, made from the definitions: `docs/openapi.json` and `docs/errors.md`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { errors, text } from "../packages/cli/src/Contract.ts"

writeFileSync(join(import.meta.dirname, "../docs/openapi.json"), text())
writeFileSync(join(import.meta.dirname, "../docs/errors.md"), errors())

/** Builds the app once for a run of tests, if its source has changed. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"

export default (): void => {
  execFileSync(process.execPath, [join(import.meta.dirname, "../build.ts"), "--if-changed"], { stdio: "inherit" })
}

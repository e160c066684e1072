/**
 * Writes the small files beside an embedded database so that a full disk or a kill leaves the old text or the new one,
 * never half of it or none.
 */
import * as Fs from "node:fs"
import type { ServerAccount } from "./PostgresAccount.ts"

/** Readable by the owner only. What could not be written whole leaves nothing behind. */
export const replaceFile = (file: string, text: string, owner: ServerAccount | undefined): void => {
  const draft = `${file}.new`
  try {
    Fs.writeFileSync(draft, text, { mode: 0o600 })
    if (owner !== undefined) Fs.chownSync(draft, owner.uid, owner.gid)
    Fs.renameSync(draft, file)
  } finally {
    Fs.rmSync(draft, { force: true })
  }
}

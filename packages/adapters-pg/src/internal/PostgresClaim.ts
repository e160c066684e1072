/**
 * The claim to be the guard of a data directory: the file `guard.N.json`, N counting up.
 *
 * Making that file is the claim, so there is never more than one; it is never deleted but for a newer one, so that a
 * claim is never made twice. It says where the guard listens, and what a user has to say there.
 */
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Net from "node:net"
import * as Path from "node:path"
import { createInterface } from "node:readline"

interface Claim {
  readonly pid: number
  readonly port: number
  readonly token: string
}

const fileOf = (folder: string, number: number): string => Path.join(folder, `guard.${number}.json`)

const numbers = (folder: string): ReadonlyArray<number> =>
  Fs.readdirSync(folder).flatMap((name) => /^guard\.(\d+)\.json$/.exec(name)?.slice(1).map(Number) ?? [])

/** Whether the guard of that claim is in office. */
const answers = async (file: string): Promise<boolean> => {
  try {
    const claim: Claim = JSON.parse(Fs.readFileSync(file, "utf8"))
    const socket = Net.connect(claim.port, "127.0.0.1")
    try {
      socket.write(`${claim.token}\n`)
      const [line] = await once(createInterface({ input: socket }), "line", { signal: AbortSignal.timeout(3000) })
      return line === "welcome"
    } finally {
      socket.destroy()
    }
  } catch {
    return false
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** What guards prepared that ended before they could claim. */
const removeLeftovers = (folder: string): void => {
  for (const name of Fs.readdirSync(folder)) {
    const pid = /^claim\.(\d+)/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) Fs.rmSync(Path.join(folder, name), { force: true })
  }
}

/** Becomes the guard, unless there is one. `write` makes a file that others cannot read. */
export const claim = async (
  folder: string,
  own: Claim,
  write: (file: string, text: string) => void
): Promise<boolean> => {
  removeLeftovers(folder)
  const newest = Math.max(0, ...numbers(folder))
  if (newest > 0 && await answers(fileOf(folder, newest))) return false
  const prepared = Path.join(folder, `claim.${own.pid}`)
  write(prepared, JSON.stringify(own))
  try {
    Fs.linkSync(prepared, fileOf(folder, newest + 1))
  } catch (error) {
    // Another one was quicker; whatever else it is (a full disk) has to be told.
    if (Fs.existsSync(fileOf(folder, newest + 1))) return false
    throw error
  } finally {
    Fs.rmSync(prepared)
  }
  // Whoever looked before others came and went may have claimed a number that is long past.
  if (Math.max(...numbers(folder)) !== newest + 1) {
    Fs.rmSync(fileOf(folder, newest + 1))
    return false
  }
  for (const older of numbers(folder)) if (older <= newest) Fs.rmSync(fileOf(folder, older), { force: true })
  return true
}

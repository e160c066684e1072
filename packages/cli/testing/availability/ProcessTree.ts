/** Processes and their memory, as Linux tells it. A process that ended meanwhile has no children and no memory. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const parentOf = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[1])
  } catch {
    return Number.NaN
  }
}

/** The first process of the embedded PostgreSQL in a data directory. */
export const postmasterOf = (dataDirectory: string): number =>
  Number(readFileSync(join(dataDirectory, "postgres/data/postmaster.pid"), "utf8").split("\n")[0])

/** Every process below, the nearest first. */
export const descendantsOf = (pid: number): ReadonlyArray<number> => {
  const parents = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((name) =>
    [Number(name), parentOf(Number(name))] as const
  )
  const found = [pid]
  for (const each of found) found.push(...parents.flatMap(([child, parent]) => parent === each ? [child] : []))
  return found.slice(1)
}

/** The memory of a process by kind, in bytes. */
const rollupOf = (pid: number, kinds: RegExp): number => {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
    return [...rollup.matchAll(kinds)].reduce((sum, [, kB]) => sum + 1024 * Number(kB), 0)
  } catch {
    return 0
  }
}

/** What it shares with no other process. */
export const privateOf = (pid: number): number => rollupOf(pid, /^Private_\w+:\s+(\d+) kB$/gm)

/** The same, and its part of what it shares: over all that share, everything counts once. */
const partOf = (pid: number): number => rollupOf(pid, /^Pss:\s+(\d+) kB$/gm)

/**
 * The memory that a command takes of its machine: of its process, those below, and the embedded PostgreSQL in its data
 * directory with the guard of it, as far as they run.
 */
export const memoryOf = (pid: number, dataDirectory: string): number => {
  const server = (): ReadonlyArray<number> => {
    try {
      const postmaster = postmasterOf(dataDirectory)
      return [parentOf(postmaster), postmaster, ...descendantsOf(postmaster)]
    } catch {
      return []
    }
  }
  const all = new Set([pid, ...descendantsOf(pid), ...server()])
  return [...all].reduce((sum, each) => sum + partOf(each), 0)
}

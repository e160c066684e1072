/**
 * The builds of the command that runs of tests use. What is built is kept by its sources; a run takes a copy, which is its own:
 * another run of the same checkout, with other sources, replaces what is kept and takes nothing from under it.
 *
 * A copy is removed with its run. What a run left that was killed is removed by a later one: its process is gone, and it was made an
 * hour ago or longer, since from within a container no process of the machine is seen.
 *
 * *Gotchas.* A folder gets its name when it is whole, and loses it before it is removed, so nobody reads half of one.
 */
import { cpSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"

export interface CommandBuilds {
  /** A folder of this run with what `build` makes of these sources, once for all runs. */
  readonly take: (sources: string, build: (folder: string) => Promise<void>) => Promise<string>
  /** Removes what this run has taken. */
  readonly close: () => void
}

const hour = 3_600_000

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    // Somebody else's process is there, too.
    return !(cause instanceof Error && "code" in cause && cause.code === "ESRCH")
  }
}

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** Those in `cache`, which is made. */
export const open = (cache: string): CommandBuilds => {
  const taken: Array<string> = []

  /** A folder that nobody else has. */
  const own = (): string => {
    const folder = mkdtempSync(join(cache, `run-${process.pid}-`))
    taken.push(folder)
    return folder
  }

  /** Whether it could: somebody else may be quicker. */
  const moved = (from: string, to: string): boolean => {
    try {
      renameSync(from, to)
      return true
    } catch {
      return false
    }
  }

  /** Keeps what was built, and nothing of other sources. */
  const keep = (built: string, kept: string): void => {
    for (const name of globSync("command-*", { cwd: cache })) {
      const old = join(own(), "old")
      if (moved(join(cache, name), old)) remove(old)
    }
    const copy = join(own(), "copy")
    cpSync(built, copy, { recursive: true })
    moved(copy, kept)
  }

  mkdirSync(cache, { recursive: true })
  for (const name of globSync("run-*", { cwd: cache })) {
    const folder = join(cache, name)
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - made > hour && !isAlive(Number(name.split("-")[1]))) remove(folder)
  }

  return {
    take: async (sources, build) => {
      const kept = join(cache, `command-${sources}`)
      const copy = join(own(), "copy")
      try {
        cpSync(kept, copy, { recursive: true })
        return copy
      } catch {
        // It was never built, or somebody replaces it at this moment.
      }
      const built = join(own(), "built")
      await build(built)
      keep(built, kept)
      return built
    },
    close: () => taken.splice(0).forEach(remove)
  }
}

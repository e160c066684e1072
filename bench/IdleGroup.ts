/**
 * A control group of Linux whose processes have what processors nobody else wants (`cpu.idle`), for as long as the scope is open.
 *
 * A low priority is not enough for that: a process that has it and has begun goes on for some 3 ms whoever wakes up meanwhile.
 */
import { Effect } from "effect"
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs"

/** Where groups of processors are: of the first version, which may be mounted beside the second, and of that. */
const hierarchies = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup"]

const madeIn = (hierarchy: string): string | null => {
  const folder = `${hierarchy}/freehold-bench-${process.pid}`
  try {
    mkdirSync(folder)
  } catch {
    return null
  }
  try {
    writeFileSync(`${folder}/cpu.idle`, "1")
    return folder
  } catch {
    rmdirSync(folder)
    return null
  }
}

const make = (): string | null => {
  for (const hierarchy of hierarchies) {
    const folder = madeIn(hierarchy)
    if (folder !== null) return folder
  }
  return null
}

/** Takes a process in; null: this machine has no such groups, or not for whoever runs this. Its processes must end before the scope does. */
export const idleGroup = Effect.acquireRelease(
  Effect.sync(make),
  (folder) => Effect.sync(() => folder === null ? undefined : rmdirSync(folder))
).pipe(
  Effect.map((folder) =>
    folder === null ? null : (pid: number): void => writeFileSync(`${folder}/cgroup.procs`, String(pid))
  )
)

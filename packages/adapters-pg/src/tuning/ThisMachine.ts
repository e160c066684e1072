/** What a PostgreSQL on this machine may have of it. */
import * as Fs from "node:fs"
import { availableParallelism, totalmem } from "node:os"

/** Of the memory; a container that has no limit tells none, or one that is larger than the machine. */
export const memoryWithin = (total: number, limit: number): number => limit > 0 ? Math.min(total, limit) : total

/** `folder` lies on the disk that is meant. */
export const thisMachine = (folder: string) => {
  const { blocks, bsize } = Fs.statfsSync(folder)
  return {
    memory: memoryWithin(totalmem(), process.constrainedMemory()),
    processors: availableParallelism(),
    disk: blocks * bsize
  }
}

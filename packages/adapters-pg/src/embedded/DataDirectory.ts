/**
 * The data directory, made where it is missing.
 *
 * *Gotcha*: `mkdir` with `recursive` never ends where the system denies a folder below one that is there, as in `/proc`.
 */
import * as Fs from "node:fs/promises"
import * as Path from "node:path"

const makeOne = async (folder: string): Promise<void> => {
  try {
    await Fs.mkdir(folder)
  } catch (cause) {
    const found = await Fs.stat(folder).catch(() => undefined)
    if (found === undefined) throw cause
    if (!found.isDirectory()) throw new Error("it is no directory", { cause })
  }
}

const isMissing = (cause: unknown): boolean => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

const makeWithParents = async (folder: string): Promise<void> => {
  try {
    await makeOne(folder)
  } catch (cause) {
    const parent = Path.dirname(folder)
    if (!isMissing(cause) || parent === folder) throw cause
    await makeWithParents(parent)
    await makeOne(folder)
  }
}

/** Makes it with the folders above it; rejects where that cannot be, or it cannot be read and written. */
export const make = async (directory: string): Promise<void> => {
  await makeWithParents(directory)
  await Fs.access(directory, Fs.constants.R_OK | Fs.constants.W_OK | Fs.constants.X_OK)
}

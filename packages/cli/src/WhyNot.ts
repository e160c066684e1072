/** Why a file cannot be read or written, in words. */
import { PlatformError, Predicate } from "effect"

const sentences: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "there is no such file or folder"],
  ["ENOTDIR", "a part of its path is no directory"],
  ["EISDIR", "it is a directory"],
  ["EEXIST", "it is there already"],
  ["EACCES", "you have no right to it"],
  ["EPERM", "you have no right to it"],
  ["EROFS", "its disk may only be read"],
  ["ENOSPC", "the disk is full"]
])

/** The system's name of a failure, such as ENOENT. */
const codeOf = (error: unknown): string | undefined => {
  if (error instanceof PlatformError.PlatformError) return codeOf(error.reason.cause)
  return Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : undefined
}

/** Whoever read what is written has gone. */
export const isClosedPipe = (error: unknown): boolean => codeOf(error) === "EPIPE"

/** The reason of a failed read or write; what the system says, where that is not one of the usual. */
export const whyNot = (error: unknown): string =>
  sentences.get(codeOf(error) ?? "") ?? (error instanceof Error ? error.message : String(error))

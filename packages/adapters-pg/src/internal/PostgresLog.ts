/**
 * The log of an embedded server: `server.log`, and `server.log.1` with what was written before it. Both together stay
 * below a bound that no client and no time can move, since the guard looks at the size for as long as it lives.
 *
 * The server writes by the handle that it was started with, so the file is emptied and not replaced. Lines written in
 * between are lost, which a log may.
 */
import * as Fs from "node:fs"

/** Each of the two files is about as large at most. */
export const largestLog = 8 * 1024 * 1024

/** For appending: what is written after the file was emptied begins at its start. */
export const openLog = (file: string): number => Fs.openSync(file, "a", 0o600)

/** Moves the lines of a log that has become large to the older file. */
export const rotateLog = (file: string): void => {
  if ((Fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= largestLog) return
  const older = `${file}.1`
  try {
    Fs.copyFileSync(file, older)
  } catch {
    // A disk that is full has room for the new lines only.
    Fs.rmSync(older, { force: true })
  }
  Fs.truncateSync(file)
}

/** The last complaint of a server that ended, or the last line where it made none. */
export const lastComplaint = (file: string): string => {
  const log = Fs.openSync(file, "r")
  try {
    const { size } = Fs.fstatSync(log)
    const tail = Buffer.alloc(Math.min(size, 8192))
    const length = Fs.readSync(log, tail, 0, tail.length, size - tail.length)
    const lines = tail.toString("utf8", 0, length).trimEnd().split("\n")
    return (lines.findLast((line) => /\b(ERROR|FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? "").slice(0, 500)
  } finally {
    Fs.closeSync(log)
  }
}

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

/** Why a server ended, by its log; the last lines where it made no complaint. */
export const lastComplaint = (file: string): string => {
  const log = Fs.openSync(file, "r")
  try {
    const { size } = Fs.fstatSync(log)
    const tail = Buffer.alloc(Math.min(size, 8192))
    const length = Fs.readSync(log, tail, 0, tail.length, size - tail.length)
    const lines = tail.toString("utf8", 0, length).trimEnd().split("\n")
    const complaints = lines.filter((line) => /\b(ERROR|FATAL|PANIC|error):/.test(line))
    // What a process complains of first is the cause of what it says after that.
    const [teller] = /\[\d+\]/.exec(complaints.at(-1) ?? "") ?? []
    const first = teller === undefined ? complaints.at(-1) : complaints.find((line) => line.includes(teller))
    return (first ?? lines.slice(-3).join("; ")).slice(0, 500)
  } finally {
    Fs.closeSync(log)
  }
}

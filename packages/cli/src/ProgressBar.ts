/**
 * A bar on standard error for long work, where standard error is a terminal; nothing otherwise.
 *
 * The cursor waits at the start of the bar, so that a line said in between takes its place.
 */
import { Effect } from "effect"

const width = 24

const eraseLine = "\u001b[2K"

const counted = new Intl.NumberFormat("en-US")

/** `done` of `of`; null where nobody knows how much there is. */
export interface Progress {
  readonly done: number
  readonly of: number | null
  /** What the number beside the bar counts. */
  readonly count: number
  readonly unit: string
}

export const line = ({ count, done, of, unit }: Progress): string => {
  const counter = `${counted.format(count)} ${unit}`
  if (of === null || of === 0) return counter
  const part = Math.min(1, done / of)
  const filled = Math.round(part * width)
  return `[${"=".repeat(filled)}${" ".repeat(width - filled)}] ${
    String(Math.floor(part * 100)).padStart(3)
  } %  ${counter}`
}

const write = (text: string) => Effect.sync(() => void process.stderr.write(text))

/** Draws the bar as it is now. */
export const show = (progress: Progress): Effect.Effect<void> =>
  process.stderr.isTTY ? write(`${eraseLine}${line(progress)}\r`) : Effect.void

/** Takes the bar away. */
export const clear: Effect.Effect<void> = Effect.suspend(() => process.stderr.isTTY ? write(eraseLine) : Effect.void)

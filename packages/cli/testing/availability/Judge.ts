/** What the samples of a probe say: how fast it was answered, how often refused, and when everything was normal again. */
import type { Kind, Sample } from "./Probe.ts"

/** The law: p99 stays below so many times its quiet value. */
export const tolerated = 4

export interface Figures {
  readonly count: number
  readonly p50: number
  readonly p99: number
}

const quantile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN

export const figuresOf = (samples: ReadonlyArray<Sample>, kind: Kind): Figures => {
  const times = samples.filter((sample) => sample.kind === kind).map(({ millis }) => millis).sort((a, b) => a - b)
  return { count: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

/** What was not answered with the right data: how often, by what was answered instead. */
export const faultsOf = (samples: ReadonlyArray<Sample>): Readonly<Record<string, number>> => {
  const faults: Record<string, number> = {}
  for (const { right, status } of samples) {
    const fault = status === 0 ? "no answer" : status === 200 ? "wrong data" : String(status)
    if (!right) faults[fault] = (faults[fault] ?? 0) + 1
  }
  return faults
}

/** Seconds after `ended` at which the last request was sent that was not answered well within what is tolerated. */
export const secondsUntilNormal = (
  samples: ReadonlyArray<Sample>,
  quiet: Readonly<Record<Kind, Figures>>,
  ended: number
): number => {
  const late = samples.filter(({ at, kind, millis, right }) =>
    at >= ended && (!right || millis > tolerated * quiet[kind].p99)
  )
  return Math.max(0, ...late.map(({ at }) => (at - ended) / 1000))
}

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

/** Whether it was not answered well within what is tolerated. */
export const isSlow = (quiet: Readonly<Record<Kind, Figures>>) => ({ kind, millis }: Sample): boolean =>
  millis > tolerated * quiet[kind].p99

/** Of so many requests one is beyond p99 in quiet too. */
const oneIn = 100

/** Those slow ones that are not the only one of a hundred after each other. */
const together = (samples: ReadonlyArray<Sample>, isTooSlow: (sample: Sample) => boolean): ReadonlyArray<Sample> => {
  const slow = samples.flatMap((sample, place) => isTooSlow(sample) ? [{ sample, place }] : [])
  const isNear = (one: number, other: number | undefined) => other !== undefined && Math.abs(one - other) < oneIn
  return slow.flatMap(({ place, sample }, n) =>
    isNear(place, slow[n - 1]?.place) || isNear(place, slow[n + 1]?.place) ? [sample] : []
  )
}

/**
 * Seconds after `ended` at which the last request was sent that was refused or wrong, or because of which of a hundred of its kind more than one was
 * not answered within what is tolerated: so p99 is judged as it is under the attack.
 */
export const secondsUntilNormal = (
  samples: ReadonlyArray<Sample>,
  quiet: Readonly<Record<Kind, Figures>>,
  ended: number
): number => {
  const after = samples.filter(({ at }) => at >= ended).sort((one, other) => one.at - other.at)
  const late = [
    ...after.filter(({ right }) => !right),
    ...(["me", "search"] as const).flatMap((kind) =>
      together(after.filter((sample) => sample.kind === kind), isSlow(quiet))
    )
  ]
  return Math.max(0, ...late.map(({ at }) => (at - ended) / 1000))
}

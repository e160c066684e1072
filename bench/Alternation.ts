/**
 * Contenders take turns, A B A B, so that a machine that is slow for a while is slow for both. A figure is the median of
 * a contender's turns, a ratio the median of the ratios within each round.
 */
import { Effect, Record } from "effect"

/** The middle value; of an even number of values the mean of the two in the middle. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const at = (index: number) => sorted[index] ?? Number.NaN
  return sorted.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2
}

/** How many times the baseline: the middle one of the rounds' ratios. */
export const medianRatio = (values: ReadonlyArray<number>, baseline: ReadonlyArray<number>): number =>
  median(values.map((value, round) => value / (baseline[round] ?? Number.NaN)))

/** The value below which a share of the values lies. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The samples of each contender, round by round. */
export const alternately = <Name extends string, A, E, R>(
  rounds: number,
  contenders: Readonly<Record<Name, Effect.Effect<A, E, R>>>
): Effect.Effect<Record<Name, Array<A>>, E, R> =>
  Effect.gen(function*() {
    const samples: Record<Name, Array<A>> = Record.map(contenders, (): Array<A> => [])
    for (let round = 0; round < rounds; round++) {
      for (const name of Object.keys(contenders) as Array<Name>) {
        samples[name].push(yield* contenders[name])
      }
    }
    return samples
  })

/** Repeatable numbers: the same seed gives the same sequence on every machine (mulberry32). */

export interface SeededRandom {
  /** A whole number from 0 to below the limit. */
  readonly below: (limit: number) => number
  /** A number between two, with so many decimals. */
  readonly between: (low: number, high: number, decimals: number) => number
  readonly of: <A>(values: readonly [A, ...Array<A>]) => A
  /** The value in that share of the calls, null otherwise. */
  readonly sometimes: <A>(share: number, value: () => A) => A | null
  /** A copy in another order. */
  readonly shuffled: <A>(values: ReadonlyArray<A>) => Array<A>
}

export const randomOf = (seed: number): SeededRandom => {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    between: (low, high, decimals) => Number((low + next() * (high - low)).toFixed(decimals)),
    of: (values) => values[below(values.length)] ?? values[0],
    sometimes: (share, value) => next() < share ? value() : null,
    shuffled: (values) => {
      const copy = [...values]
      for (let last = copy.length - 1; last > 0; last--) {
        const other = below(last + 1)
        const [a, b] = [copy[last], copy[other]]
        if (a !== undefined && b !== undefined) [copy[last], copy[other]] = [b, a]
      }
      return copy
    }
  }
}

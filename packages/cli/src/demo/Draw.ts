/** Draws from a seed: the same seed, the same draws, on every machine. Not for secrets. */

export interface Draw {
  /** From 0 up to but without 1. */
  readonly part: () => number
  /** A whole number from `min` to `max`. */
  readonly whole: (min: number, max: number) => number
  /** Whether something of that probability happens. */
  readonly happens: (probability: number) => boolean
  readonly oneOf: <A>(choices: readonly [A, ...ReadonlyArray<A>]) => A
}

/** The mulberry32 generator. */
export const fromSeed = (seed: number): Draw => {
  let state = seed >>> 0
  const part = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ state >>> 15, 1 | state)
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
    return ((mixed ^ mixed >>> 14) >>> 0) / 0x1_0000_0000
  }
  return {
    part,
    whole: (min, max) => min + Math.floor(part() * (max - min + 1)),
    happens: (probability) => part() < probability,
    oneOf: (choices) => choices[Math.floor(part() * choices.length)] ?? choices[0]
  }
}

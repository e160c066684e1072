/**
 * The sum over the pieces of a text (`TokenPieces`) without cutting it, two bytes a step: rows are long, and nearly all of them
 * plain.
 *
 * It is an automaton. Its states are examples, one for all pieces that go on and cost alike; what each two kinds of characters
 * add to an example, and what they make of it, is found once, by cutting it with them. No step branches, so that the processor
 * guesses nothing. But each waits for the one before, so a text is walked in three places at once.
 *
 * *Gotchas.* One text after the other: they share their memory.
 */
import { cut, tokensOf } from "./TokenPieces.ts"

/** Kinds of characters. `other`: not plain. `nothing`: no character, after the last one of a text. */
const [sign, space, lineEnd, digit, upper, lower, other, nothing] = [0, 1, 2, 3, 4, 5, 6, 7]

/** One of each plain kind. */
const characters = ["-", " ", "\n", "7", "A", "a"]

const kindOf = (character: string): number => {
  if (!/^[\t-\r -~]$/.test(character)) return other
  if (/[\r\n]/.test(character)) return lineEnd
  if (/\s/.test(character)) return space
  if (/[0-9]/.test(character)) return digit
  return /[A-Z]/.test(character) ? upper : /[a-z]/.test(character) ? lower : sign
}

/** Of each byte of a text in UTF-8. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(String.fromCharCode(byte)))

/** Both kinds of each two bytes. */
const pairs = new Uint8Array(2 ** 16)
const kindBits = 3
const pairBits = 2 * kindBits
for (let both = 0; both < pairs.length; both++) {
  pairs[both] = (kinds[both % 256] ?? other) << kindBits | (kinds[both >> 8] ?? other)
}

/** Longer pieces of a kind cost as much more for each character, whatever their length. */
const longest = 12

/** What goes on and costs as the piece does. One capital more than `longest`: so many or more. */
const exampleOf = (piece: string): string => {
  const length = Math.min(piece.length, longest)
  if (/AAa+$/.test(piece)) return "AA".padEnd(length, "a")
  if (piece.endsWith("a")) return "a".repeat(length)
  if (piece.endsWith("AA")) return "A".repeat(Math.min(piece.length, longest + 1))
  return /^\s\s/.test(piece) ? "\n".repeat(length) : piece.slice(0, length)
}

interface Step {
  readonly example: string | null
  readonly tokens: number
}

/** The piece under way after one more character, and what that costs. Null: it depends on how many capitals there were. */
const stepOf = (example: string, character: string): Step => {
  const grown = example + character
  if (cut(grown).length > 1) return { example: character, tokens: tokensOf(character) }
  return {
    example: example.length > longest && character === "a" ? null : exampleOf(grown),
    tokens: tokensOf(grown) - (example === "" ? 0 : tokensOf(example))
  }
}

/** The states: nothing yet, what is not counted here, and the examples that are come to. */
const states: Array<string | null> = ["", null]
const [start, uncounted] = [0, 1]

const stateOf = (example: string | null): number => {
  const known = states.indexOf(example)
  return known < 0 ? states.push(example) - 1 : known
}

/** By state, what one character of each kind does. */
const single: Array<ReadonlyArray<{ readonly state: number; readonly units: number }>> = []

/** Tokens are added as whole numbers of these. */
const unitsOfToken = 300

for (let state = 0; state < states.length; state++) {
  const example = states[state] ?? null
  const ofPlain = characters.map((character) => {
    const { example: next, tokens } = example === null ? { example, tokens: 0 } : stepOf(example, character)
    return { state: stateOf(next), units: Math.round(tokens * unitsOfToken) }
  })
  single.push([...ofPlain, { state: uncounted, units: 0 }, { state, units: 0 }])
}

/** By state and pair: the units that it adds, above, and the state after it, moved to where a pair is put beside it. */
const steps = new Int32Array(states.length << pairBits)
const [above, below] = [16, 0xffff]
single.forEach((ofFirst, state) => {
  ofFirst.forEach((one, first) => {
    single[one.state]?.forEach((two, second) => {
      steps[state << pairBits | first << kindBits | second] = (one.units + two.units) << above | two.state << pairBits
    })
  })
})

const encoder = new TextEncoder()

/** As many bytes of a text are walked. */
export const capacity = 256 * 1024

const bytes = new Uint8Array(capacity)
const view = new DataView(bytes.buffer)

const even = (length: number): number => length - length % 2

/** From a place on, where a piece begins in any case and the number of bytes before is even; the end if there is none. */
const borderFrom = (place: number, end: number): number => {
  for (let at = even(place); at < end; at += 2) {
    if (kinds[bytes[at] ?? 0] === sign && kinds[bytes[at - 1] ?? 0] === lower) return at
  }
  return end
}

/** Walks from one place to another. States are moved as they stand in `steps`. */
const walk = (from: number, to: number, before: number): { readonly state: number; readonly units: number } => {
  let state = before
  let units = 0
  for (let at = from; at < to; at += 2) {
    const pair = at + 1 < to
      ? pairs[view.getUint16(at, true)] ?? 0
      : (kinds[bytes[at] ?? 0] ?? other) << kindBits | nothing
    const step = steps[state | pair] ?? 0
    units += step >> above
    state = step & below
  }
  return { state, units }
}

/** Tokens of a text; undefined: it is not plain, has a word that begins with more capitals than any, or does not fit into the bytes. */
export const inPlain = (text: string): number | undefined => {
  const { read, written } = encoder.encodeInto(text, bytes)
  if (read < text.length) return undefined
  const second = borderFrom(Math.trunc(written / 3), written)
  const third = borderFrom(Math.max(second, Math.trunc(2 * written / 3)), written)
  const together = Math.min(second, third - second, even(written - third))
  let [a, b, c] = [start, start, start]
  let units = 0
  for (let at = 0; at < together; at += 2) {
    const one = steps[a | (pairs[view.getUint16(at, true)] ?? 0)] ?? 0
    const two = steps[b | (pairs[view.getUint16(second + at, true)] ?? 0)] ?? 0
    const three = steps[c | (pairs[view.getUint16(third + at, true)] ?? 0)] ?? 0
    units += (one >> above) + (two >> above) + (three >> above)
    a = one & below
    b = two & below
    c = three & below
  }
  const rests = [
    walk(together, second, a),
    walk(second + together, third, b),
    walk(third + together, written, c)
  ]
  if (rests.some(({ state }) => state === uncounted << pairBits)) return undefined
  return rests.reduce((sum, rest) => sum + rest.units, units) / unitsOfToken
}

/**
 * Which known name a person may have meant by an unknown one: `lastSalesPrice`, `last_sale_price` and `salePrice` are all
 * like `lastSalePrice`.
 *
 * Case and what separates words do not count. A name is like another when few letters differ, or when one holds the other.
 */

/** What is longer was not mistyped. */
const longestName = 64

/** Shorter names are held by too many others. */
const shortestPart = 3

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** The letters to put in, to take out or to exchange. */
const distance = (a: string, b: string): number => {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const exchanged = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(exchanged, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    above = current
  }
  return above[b.length] ?? 0
}

/** How far apart two names are; infinity where they are not alike. */
const apart = (a: string, b: string): number => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  // Better than a third of the letters wrong, worse than one.
  if (short.length >= shortestPart && long.includes(short)) return 1 + (long.length - short.length) / longestName
  const found = distance(a, b)
  return found <= Math.max(1, Math.floor(long.length / 3)) && found < short.length ? found : Infinity
}

/** The known name that is most like this one, undefined where none is. */
export const nearest = (name: string, known: Iterable<string>): string | undefined => {
  if (name.length > longestName) return undefined
  const letters = lettersOf(name)
  let found: string | undefined
  let least = Infinity
  for (const candidate of known) {
    const far = apart(letters, lettersOf(candidate))
    if (far < least) {
      found = candidate
      least = far
    }
  }
  return found
}

/** A list that is longer helps nobody in a message. */
const mostListed = 20

/** What follows the sentence that a name is unknown: the nearest one, or all where they are few. Empty: nothing helps. */
export const hint = (name: string, known: ReadonlyArray<string>): string => {
  const meant = nearest(name, known)
  if (meant !== undefined) return `; did you mean ${meant}?`
  return known.length > 0 && known.length <= mostListed ? `; known are ${known.join(", ")}` : ""
}

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

/** So many letters may be wrong in a name of that length. */
const mostWrong = (length: number): number => Math.max(1, Math.floor(length / 3))

/**
 * The letters to put in, to take out or to exchange; infinity where they are more than `most`, which the first rows tell: a
 * message may hold thousands of names that are like none.
 */
const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return Infinity
  let above = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= b.length; column++) {
      const exchanged = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const wrong = Math.min(exchanged, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
      current.push(wrong)
      least = Math.min(least, wrong)
    }
    if (least > most) return Infinity
    above = current
  }
  const found = above[b.length] ?? 0
  return found > most ? Infinity : found
}

/** How far apart two names are; infinity where they are not alike. */
const apart = (a: string, b: string): number => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  // Better than a third of the letters wrong, worse than one.
  if (short.length >= shortestPart && long.includes(short)) return 1 + (long.length - short.length) / longestName
  const found = distance(a, b, mostWrong(long.length))
  return found < short.length ? found : Infinity
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

/**
 * Which known name a person may have meant by an unknown one: `lastSalesPrice`, `last_sale_price` and `salePrice` are all
 * like `lastSalePrice`.
 *
 * Case, what separates words and one or many do not count. A name is like another when few letters differ, or when one holds the
 * other. The name of an id is like that of the one id that is missing, since which id is meant is clear by then.
 */

/** What is longer was not mistyped, and nothing of it is looked at: a name may be as long as a body. */
const longestName = 64

const isTooLong = (name: string): boolean => name.length > longestName

/** Shorter names are held by too many others. */
const shortestPart = 3

const lettersOf = (name: string): string =>
  name.toLowerCase().replaceAll(/[^a-z0-9]/g, "").replace(/ies$/, "y").replace(/([^s])s$/, "$1")

/** So many letters may be wrong in a name of that length. */
const mostWrong = (length: number): number => Math.max(1, Math.floor(length / 3))

/** The rows of `distance`, kept: thousands of cities may be compared with a name. Of what is not too long no name is twice as long. */
const [row0, row1] = [new Uint8Array(2 * longestName), new Uint8Array(2 * longestName)]

/**
 * The letters to put in, to take out or to exchange; infinity where they are more than `most`, which the first rows tell: a
 * message may hold thousands of names that are like none.
 */
const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return Infinity
  let [above, current] = [row0, row1]
  for (let column = 0; column <= b.length; column++) above[column] = column
  for (let row = 1; row <= a.length; row++) {
    const letter = a.charCodeAt(row - 1)
    let [before, least] = [row, row]
    current[0] = row
    for (let column = 1; column <= b.length; column++) {
      const exchanged = (above[column - 1] ?? 0) + (letter === b.charCodeAt(column - 1) ? 0 : 1)
      before = Math.min(exchanged, (above[column] ?? 0) + 1, before + 1)
      current[column] = before
      if (before < least) least = before
    }
    if (least > most) return Infinity
    ;[above, current] = [current, above]
  }
  const found = above[b.length] ?? 0
  return found > most ? Infinity : found
}

/** How far apart two names are; infinity where they are not alike. */
const apart = (a: string, b: string): number => {
  if (a === b) return 0
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  // Better than a third of the letters wrong, worse than one.
  if (short.length >= shortestPart && long.includes(short)) return 1 + (long.length - short.length) / longestName
  const found = distance(a, b, mostWrong(long.length))
  return found < short.length ? found : Infinity
}

/** The known name that is most like this one, undefined where none is. */
export const nearest = (name: string, known: Iterable<string>): string | undefined => {
  if (isTooLong(name)) return undefined
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

/** Where a name stands, besides what is known there. */
export interface Place {
  /** The names that must stand there and do not. */
  readonly missing?: ReadonlyArray<string>
  /** What was given under the name. */
  readonly value?: unknown
  /** The names of what stands in one of the known, as paths: `filters.cities`. */
  readonly within?: ReadonlyArray<string>
}

/** A shorter name is a part of too many others to be looked for elsewhere, but as their beginning. */
const shortestElsewhere = 6

/** Of a path, such as `filters.cities`. */
export const lastName = (path: string): string => path.slice(path.lastIndexOf(".") + 1)

const mayStandWithin = (name: string, path: string): boolean => {
  const letters = lettersOf(name)
  return letters.length >= shortestElsewhere || lettersOf(lastName(path)).startsWith(letters)
}

/** Whether something by that name is named by its id. */
export const isIdName = (name: string): boolean => /^ids?$|_ids?$|[a-z]Ids?$/.test(name)

/** An object is no text: what it has by the names of methods may be anything. */
const isFips = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every(isFips)
    : (typeof value === "string" || typeof value === "number") && /^\d{5}$/.test(String(value))

/** Whether the value can be what is known by that name; only of codes of counties the name tells. */
const mayStand = (known: string, { value }: Place): boolean =>
  value === undefined || !/fips$/i.test(known) || isFips(value)

/** The known name, or a path to one, that was meant by this one in its place; undefined where none is like it. */
export const meant = (name: string, known: ReadonlyArray<string>, place: Place = {}): string | undefined => {
  if (isTooLong(name)) return undefined
  const within = (place.within ?? []).filter((path) => mayStandWithin(name, path))
  const paths = new Map(within.map((path) => [lastName(path), path]))
  const like = nearest(name, [...known, ...paths.keys()].filter((each) => mayStand(each, place)))
  if (like !== undefined) return known.includes(like) ? like : paths.get(like)
  if (!isIdName(name)) return undefined
  const [id, ...others] = (place.missing ?? []).filter(isIdName)
  return others.length === 0 ? id : undefined
}

/** A list that is longer helps nobody in a message. */
const mostListed = 20

const firstWord = (name: string): string | undefined =>
  isTooLong(name) ? undefined : /^[a-z]+(?=[A-Z_])/.exec(name)?.[0]

const listed = (names: ReadonlyArray<string>): boolean => names.length > 0 && names.length <= mostListed

/**
 * What follows the sentence that a name is unknown: the nearest one; all where they are few; else those that begin with the same
 * word. Empty: nothing helps.
 */
export const hint = (name: string, known: ReadonlyArray<string>, place: Place = {}): string => {
  const found = meant(name, known, place)
  if (found !== undefined) return `; did you mean ${found}?`
  if (listed(known)) return `; known are ${known.join(", ")}`
  const first = firstWord(name)
  const alike = first === undefined ? [] : known.filter((each) => firstWord(each) === first)
  return listed(alike) ? `; known with ${first} are ${alike.join(", ")}` : ""
}

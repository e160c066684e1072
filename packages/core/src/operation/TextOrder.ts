/** The order of text, the same on every machine and in every adapter: `folded` texts, by code point. */

/** Compares by code point; `<` on strings would compare UTF-16 units. */
export const compareText = (left: string, right: string): number => {
  const others = right[Symbol.iterator]()
  for (const character of left) {
    const other = others.next()
    if (other.done === true) return 1
    const difference = (character.codePointAt(0) ?? 0) - (other.value.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return others.next().done === true ? 0 : -1
}

/** The text that is compared instead of a text: A to Z as a to z. */
export const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

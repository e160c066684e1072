/**
 * Whether a text names somebody: all words of the name stand in it in a row.
 *
 * - Case and accents do not matter, nor what stands between words: `Ortiz's` is `Ortiz` and an `s`.
 * - What has one letter is left out on both sides: `Ana B. Sample` is `Ana Sample`. Where one word would be left it stays: `J. Sample`
 *   is not every Sample.
 * - A single word names nobody: it is another one's name as well, or a word of the language.
 *
 * Nothing is guessed: a family name alone, a nickname or `Sample, Ana` does not name Ana Sample; a namesake does.
 *
 * *Gotcha*: the database has the same as `named_words` and `person_words`, and keeps the words of names.
 */
import { withoutAccents } from "../operation/Accents.ts"

/** What stands between words. */
export const separators = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\t\n\r\u00a0‘’“”–—…"

const between = new RegExp(`[ ${separators.replaceAll(/[\\\]^-]/g, "\\$&")}]+`, "g")

/** All words, with one space around each. */
const wordsOf = (text: string): string => ` ${withoutAccents(text.toLowerCase())} `.replace(between, " ")

/** Those of more than one letter. */
const longOf = (words: string): string => words.replace(/ (?:[^ ] )*/gu, " ")

/** The words of a text, with one space around each: those of more than one letter, and then all. */
export const namedWords = (text: string): string => {
  const words = wordsOf(text)
  return longOf(words) + words
}

const isSeveral = (words: string): boolean => words.includes(" ")

/** The words by which a text names whoever is called so; null: there are none. */
export const personWords = (name: string): string | null => {
  const words = wordsOf(name)
  const long = longOf(words).trim()
  if (isSeveral(long)) return long
  return long !== "" && isSeveral(words.trim()) ? words.trim() : null
}

/** Whether the text names whoever is called so. */
export const isNamedIn = (text: string, name: string): boolean => {
  const words = personWords(name)
  return words !== null && namedWords(text).includes(` ${words} `)
}

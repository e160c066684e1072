/**
 * Texts without their accents, for who looks for `Müller` on a keyboard that has none: letters of Latin scripts become those of
 * ASCII, and marks that follow their letter are left out. What is no accent stays: `ß` and `æ` are letters of their own.
 *
 * *Gotcha*: databases have an index of what this makes (`without_accents`), which a change of the letters makes wrong.
 */

const accented: Readonly<Record<string, string>> = {
  a: "àáâãäåāăąǎ",
  c: "çćĉċč",
  d: "ďđ",
  e: "èéêëēĕėęěẽ",
  g: "ĝğġģ",
  h: "ĥħ",
  i: "ìíîïĩīĭįıǐ",
  j: "ĵ",
  k: "ķ",
  l: "ĺļľŀł",
  n: "ñńņňǹ",
  o: "òóôõöøōŏőǒ",
  r: "ŕŗř",
  s: "śŝşšș",
  t: "ţťŧț",
  u: "ùúûüũūŭůűųǔ",
  w: "ŵẁẃẅ",
  y: "ýÿŷỳỹ",
  z: "źżž"
}

/** Each letter in both cases, since not every database knows the small ones of all; with its letter of ASCII. */
export const letters: ReadonlyArray<readonly [letter: string, plain: string]> = Object.entries(accented).flatMap((
  [plain, all]
) =>
  Array.from(all).flatMap((letter) =>
    [letter, letter.toUpperCase()].flatMap((each) => /^[A-Z]$/.test(each) ? [] : [[each, plain] as const])
  )
)

/** The marks that are written behind a letter. */
export const marks: ReadonlyArray<string> = Array.from(
  { length: 0x70 },
  (_, index) => String.fromCharCode(0x300 + index)
)

const plainByLetter: ReadonlyMap<string, string> = new Map([
  ...letters,
  ...marks.map((mark) => [mark, ""] as const)
])

/** Of a text in lower case. */
export const withoutAccents = (text: string): string =>
  Array.from(text, (letter) => plainByLetter.get(letter) ?? letter).join("")

/** Whether texts are looked for by it without accents: of less than three letters or digits in a row no index tells. */
export const isTold = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(withoutAccents(text))

/** Whether a text has a letter, or another character, that ASCII has not: no other has accents. */
export const isBeyondAscii = (text: string): boolean => /\P{ASCII}/u.test(text)

/**
 * Whether words stand in a text: whitespace of any kind and length is one space, everything else is exact.
 *
 * A value stands in a text as a whole: `Ann` does not stand in `Annual`, nor a number in a longer one.
 */

/** The text with each run of whitespace as one space, and none at its ends. */
export const spaced = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

/** What beside `.` and `/` may stand between two digits of a telephone number, in a class of a regular expression. */
export const numberMarks = String.raw`\p{Pd}\u2212\u00b7\u2022\u2219`

/** What next to a value makes it a part of something longer. */
const neighbours = {
  words: { before: /[\p{L}\p{N}\p{M}]$/u, after: /^[\p{L}\p{N}\p{M}]/u },
  email: { before: /[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~@-]$/u, after: /^[\p{L}\p{N}\p{M}_@-]|^\.[\p{L}\p{N}]/u },
  phone: {
    before: new RegExp(String.raw`[\p{L}\p{N}+]$|\p{N}[./${numberMarks}]$`, "u"),
    after: new RegExp(String.raw`^[\p{L}\p{N}]|^[./${numberMarks}]\p{N}`, "u")
  }
} as const

/** Whether the value stands in the text as a whole; both are spaced. */
export const holds = (text: string, value: string, kind: keyof typeof neighbours = "words"): boolean => {
  if (value === "") return false
  const { after, before } = neighbours[kind]
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const end = at + value.length
    if (!before.test(text.slice(Math.max(0, at - 2), at)) && !after.test(text.slice(end, end + 3))) return true
  }
  return false
}

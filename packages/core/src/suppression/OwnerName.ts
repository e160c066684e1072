/**
 * When two spellings of an owner's name are one name. The rule is exact: nothing is guessed, no word is left out or
 * turned round.
 *
 * - Case does not matter for A to Z.
 * - A dot or an apostrophe is not there; any other ASCII punctuation is a space.
 * - Spaces at the ends do not count, and several in a row are one.
 *
 * So `ACME HOLDINGS, L.L.C.` is `Acme Holdings LLC`, and neither is `Acme Holdings` nor `Holdings Acme LLC`.
 */

const gone = /[.'’]/g
const blanks = /[\t\n\r !"#$%&()*+,\-/:;<=>?@[\\\]^_`{|}~\u00a0]+/g

/** The key under which an owner is suppressed; empty when the name has nothing but punctuation. */
export const ownerNameKey = (name: string): string =>
  name.replace(gone, "").replace(blanks, " ").replace(/[A-Z]/g, (letter) => letter.toLowerCase()).trim()

/**
 * Words that are made up of parts, as expressions of SQL on a whole number: 200,000 streets, 2,000,000 names of owners,
 * 1,000 words that towns are named by. The lower the number, the more common the word is meant to be.
 */

const texts = (values: ReadonlyArray<string>): string =>
  `('{${values.map((value) => `"${value}"`).join(",")}}'::text[])`

const beginnings = [
  "Al",
  "Bar",
  "Cal",
  "Dun",
  "El",
  "Fair",
  "Glen",
  "Har",
  "Is",
  "Jun",
  "Kel",
  "Lar",
  "Mar",
  "Nor",
  "Oak",
  "Pen",
  "Quar",
  "Ros",
  "Sher",
  "Tal",
  "Up",
  "Ver",
  "Wil",
  "Yar",
  "Zen",
  "Ash",
  "Birch",
  "Cedar",
  "Elm",
  "Stan",
  "Thorn",
  "West",
  "East",
  "South",
  "Stone",
  "River",
  "Hill",
  "Lake",
  "Mill",
  "Brook"
] as const
const endings = [
  "ton",
  "field",
  "wood",
  "bury",
  "ford",
  "ham",
  "dale",
  "mont",
  "view",
  "side",
  "ley",
  "worth",
  "bridge",
  "crest",
  "gate",
  "haven",
  "lin",
  "moor",
  "port",
  "ridge",
  "shire",
  "stead",
  "vale",
  "wick",
  "zo"
] as const
const qualities = [
  "",
  "North ",
  "South ",
  "East ",
  "West ",
  "Old ",
  "New ",
  "Upper ",
  "Lower ",
  "Great ",
  "Little ",
  "Grand ",
  "Park ",
  "Lake ",
  "River ",
  "Hill ",
  "Spring ",
  "Saint ",
  "Fort ",
  "Mount "
] as const
const kinds = [
  "Street",
  "Avenue",
  "Road",
  "Drive",
  "Boulevard",
  "Lane",
  "Parkway",
  "Court",
  "Highway",
  "Way"
] as const
const trades = [
  "Realty",
  "Property",
  "Capital",
  "Land",
  "Development",
  "Investment",
  "Asset",
  "Equity",
  "Commercial",
  "Retail"
] as const
const sorts = [
  "Holdings",
  "Partners",
  "Group",
  "Associates",
  "Ventures",
  "Properties",
  "Management",
  "Trust",
  "Fund",
  "Company"
] as const
const forms = [
  "LLC",
  "LP",
  "Inc",
  "Corp",
  "I LLC",
  "II LLC",
  "III LLC",
  "IV LLC",
  "V LLC",
  "Limited",
  "I LP",
  "II LP",
  "III LP",
  "IV LP",
  "North LLC",
  "South LLC",
  "East LLC",
  "West LLC",
  "USA Inc",
  "PLLC"
] as const

const at = (values: ReadonlyArray<string>, index: string): string =>
  `${texts(values)}[1 + (${index}) % ${values.length}]`

export const words = beginnings.length * endings.length

/** One of the words. */
export const word = (i: string): string => `${at(beginnings, `(${i}) / ${endings.length}`)} || ${at(endings, i)}`

export const streets = words * qualities.length * kinds.length

export const street = (i: string): string =>
  `${at(qualities, `(${i}) / ${kinds.length}`)} || ${word(`(${i}) / ${kinds.length * qualities.length}`)}
    || ' ' || ${at(kinds, i)}`

export const owners = words * trades.length * sorts.length * forms.length

export const owner = (i: string): string =>
  `${word(`(${i}) / ${trades.length * sorts.length * forms.length}`)} || ' ' || ${
    at(trades, `(${i}) / ${sorts.length * forms.length}`)
  } || ' ' || ${at(sorts, `(${i}) / ${forms.length}`)} || ' ' || ${at(forms, i)}`

/** One of several values. */
export const oneOf = at

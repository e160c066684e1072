/** Core's `withoutAccents` in SQL, for the indexes of names that have letters beyond ASCII. */
import { letters, marks } from "@freehold/core/operation/Accents"
import * as Comment from "./Comment.ts"

/** What nearly all of a text is of, in lower case. Every character is looked for among the letters from the first on: these stay as they are, and are found at once. */
const usual = " eaorinstlcdmhupgbyvfwkjxzq0123456789.,&-/"

const from = [usual, ...letters.map(([letter]) => letter), ...marks].join("")
const to = [usual, ...letters.map(([, plain]) => plain)].join("")

export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION without_accents(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN translate($1, '${from}', '${to}')`,
  Comment.onFunction(
    "without_accents",
    "A text in lower case with letters of ASCII in the place of those with accents. Indexes stand on it: with other letters they are made anew."
  )
]

/** How many more bytes than characters it has: a letter that may have an accent has some. Indexes stand on it. */
export const beyondAscii = (expression: string): string => `octet_length(${expression}) - char_length(${expression})`

/** What the expression says, in lower case and without accents. */
export const plain = (expression: string): string => `without_accents(lower(${expression}))`

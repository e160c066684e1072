/** Core's `withoutAccents` in SQL, for the indexes of names that have letters beyond ASCII. */
import { letters, marks } from "@freehold/core/operation/Accents"
import * as Comment from "./Comment.ts"

const from = [...letters.map(([letter]) => letter), ...marks].join("")
const to = letters.map(([, plain]) => plain).join("")

export const functions: ReadonlyArray<string> = [
  `CREATE OR REPLACE FUNCTION without_accents(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN translate($1, '${from}', '${to}')`,
  Comment.onFunction(
    "without_accents",
    "A text in lower case with letters of ASCII in the place of those with accents. Indexes stand on it: with other letters they are made anew."
  )
]

/** What the expression says, in lower case and without accents. */
export const plain = (expression: string): string => `without_accents(lower(${expression}))`

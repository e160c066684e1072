/** Words of an enum that callers must treat as open, in a sentence. */
export const oneOf = (words: ReadonlyArray<string>): string => `One of ${words.join(", ")}.`

/** What a file that looks like CSV has instead of commas. */

const delimiters = [";", "\t", "|"]

/** What seems to stand between the names of a header that was read as one name. */
export const otherDelimiter = ([name = "", ...others]: ReadonlyArray<string>): string | undefined =>
  others.length > 0 ? undefined : delimiters.find((each) => name.includes(each))

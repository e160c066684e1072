/** What is wrong with what somebody entered, in the words of the page and not of the service's own fields. */
import { createContext } from "react"
import { fieldName, inPageWords } from "./ServiceWords.ts"

export interface Issue {
  /** Dotted: `filters.maxYearBuilt`; null: it is about the whole. */
  readonly field: string | null
  readonly message: string
}

/** How the service says what fits, and how people do. */
const sayings: ReadonlyArray<readonly [RegExp, string]> = [
  [/^Missing key$/, "it is missing"],
  [/^Unknown key.*/, "it is not known here"],
  [/^Expected an integer.*/, "it has to be a whole number, and not too large"],
  [/^Expected a value with a length of at least (\d+).*/, "it has to be at least $1 long"],
  [/^Expected a value with a length of at most (\d+).*/, "it may be at most $1 long"],
  [/^Expected at least (\d+ characters?)\b.*/, "it has to be at least $1 long"],
  [/^Expected at most (\d+ characters?)\b.*/, "it may be at most $1 long"],
  [/^Expected a value greater than or equal to (-?\d+).*/, "it has to be $1 or more"],
  [/^Expected a value less than or equal to (-?\d+).*/, "it may be $1 at most"],
  [/^Expected at most /, "it may be at most "],
  [/^Expected /, "it has to be "]
]

/** Of what has several values: those are called by a plural. */
const ofSeveral: typeof sayings = [[/^Expected a value with a length of at least 1\b.*/, "choose at least one"]]

const hasSeveral = (field: string | null): boolean => field !== null && /[^s]s$/.test(field)

const sayingOf = ({ field, message }: Issue): string => {
  const found = (hasSeveral(field) ? [...ofSeveral, ...sayings] : sayings).find(([pattern]) => pattern.test(message))
  return found === undefined ? message : message.replace(...found)
}

/** What is wrong, in a sentence; `nameOf`: what the page calls a field. */
export const issueText = (issue: Issue, nameOf = fieldName): string => {
  const { field } = issue
  const told = inPageWords(sayingOf(issue))
  const text = field === null ? told.charAt(0).toUpperCase() + told.slice(1) : `${nameOf(field)}: ${told}`
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** As the service says it: to whoever writes documents in its own names. */
export const asWritten = ({ field, message }: Issue): string => field === null ? message : `${field}: ${message}`

/** How an area says what is wrong. */
export const IssueWords = createContext((issue: Issue): string => issueText(issue))

/** Whether it is about the address of a record that cannot be one. */
export const isOfNoRecord = ({ field, message }: Issue): boolean =>
  field !== null && /(^|_)id$/.test(field) && message.startsWith("Expected a UUID")

/** What the operator's forms call the fields of the service. */
import { type Issue, issueText } from "../part/Issues.ts"
import { fieldName } from "../part/ServiceWords.ts"

/** By the field without the numbers of its entries. */
const names: ReadonlyMap<string, string> = new Map([
  ["amount", "Credits"],
  ["ref", "Reference"],
  ["expires_at", "Until"],
  ["reason", "Reason"],
  ["answer", "Answer"],
  ["named", "Id, key or name"],
  ["from", "Retire this one"],
  ["into", "In favour of this one"],
  ["org_id", "Id"],
  ["serviceable_area.county_fips", "Counties"],
  ["members.name", "First admin"],
  ["members.email", "Their email address"]
])

const nameOf = (field: string): string => names.get(field.replace(/\.\d+/g, "")) ?? fieldName(field)

export const inFormWords = (issue: Issue): string => issueText(issue, nameOf)

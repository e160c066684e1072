/** What the service says in its own names, as pages say it to people. */
import { assert, describe, it } from "vitest"
import { issueText } from "../src/part/Issues.ts"
import { noteText } from "../src/search/NoteText.ts"

describe("an issue of what was entered", () => {
  it.each([
    [
      "filters.maxYearBuilt",
      "Expected at least minYearBuilt (2000)",
      "Built until: it has to be at least “Built since” (2000)."
    ],
    ["deal_value", "Expected an integer, got 2.5", "Deal value: it has to be a whole number, and not too large."],
    ["deal_value", "Expected a value greater than or equal to 2, got 1", "Deal value: it has to be 2 or more."],
    ["name", "Missing key", "Name: it is missing."],
    ["filters.cities.0", "Expected a value with a length of at least 1", "City: it has to be at least 1 long."],
    ["scopes", "Expected a value with a length of at least 1", "Scopes: choose at least one."],
    ["list_name", "Expected at most 200 characters", "List name: it may be at most 200 characters long."],
    [
      "title",
      "Expected at most 500 open tasks; end some first",
      "Title: it may be at most 500 open tasks; end some first."
    ],
    [null, "expected something else", "Expected something else."]
  ])("%s: %s", (field, message, text) => {
    assert.strictEqual(issueText({ field, message }), text)
  })
})

describe("the note of a search", () => {
  it.each([
    [
      "Free text looks at address, city and owner, and knows no categories: use filters " +
      `{"cities":["Paulton"],"categories":["Office"]} instead of query. Without the category, query "paul" finds some.`,
      "Free text looks at address, city and owner, and knows no categories: use the filter “City: Paulton” and " +
      "“Category: Office” instead. Without the category, “paul” finds some."
    ],
    [
      `It knows no categories: use filters with a location and {"categories":["Office"]} instead of query.`,
      "It knows no categories: use a place and the filter “Category: Office” instead."
    ],
    [`It knows no zip codes: send query "12 oak".`, "It knows no zip codes: look for “12 oak”."],
    [
      "Properties lie there, but none fits every filter. Without minYearBuilt and maxYearBuilt there are some.",
      "Properties lie there, but none fits every filter. Without “Built since” and “Built until” there are some."
    ],
    [
      `Without roofCover there are some. Records there have roofCover "Built-up", "Metal".`,
      `Without “Roof cover” there are some. Records there have “Roof cover” "Built-up", "Metal".`
    ],
    [`"Oakley" is a city: send it as cities.`, `"Oakley" is a city: use the filter “City”.`],
    [`For "oak filters {x}" look among the other filters.`, `For "oak filters {x}" look among the other filters.`],
    [
      "No property that you see lies there. service_get_coverage lists the counties of your area.",
      "No property that you see lies there."
    ]
  ])("%s", (note, text) => {
    assert.strictEqual(noteText(note), text)
  })
})

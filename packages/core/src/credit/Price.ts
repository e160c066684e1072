/** What each action costs, in credits: the one price table. service-api "Credits". */

export type PaidAction = keyof typeof prices

export const prices = {
  unlock_property: 10,
  research_property: 10,
  reveal_contact: 5,
  research_contact: 5,
  research_organization: 2,
  find_email: 5,
  deep_research_contact: 10,
  draft_email: 5,
  lead_delivery: 1
} as const

/** A run is charged when it starts. */
const givenBack = "the run finds nothing or fails: the credits are given back"

/** When an action of the table costs nothing. */
export const freeWhen: Readonly<Record<PaidAction, ReadonlyArray<string>>> = {
  unlock_property: ["already unlocked", "the subscription covers the county"],
  research_property: [givenBack],
  reveal_contact: [
    "already revealed",
    "attached to an unlocked property",
    "the subscription covers the county of one of its properties"
  ],
  research_contact: [givenBack],
  research_organization: [givenBack],
  find_email: ["the email is known already", givenBack],
  deep_research_contact: ["there is some about the property already, unless again is true", givenBack],
  draft_email: [givenBack],
  lead_delivery: ["within the free monthly allowance", "the Enterprise records allowance is in force"]
}

/** The made-up records that all scenarios share: places in an area switched on, licensed, and outside. */

export const open = "53903"
export const licensed = "53901"
export const outside = "53905"

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`

export const places = {
  researched: id(1),
  bare: id(2),
  outside: id(3),
  retired: id(4),
  covered: id(5),
  spare: id(6),
  // Research of a place is everybody's, so each scenario has its own.
  unread: id(7),
  unreadToo: id(8),
  unreadThree: id(9),
  nowhere: id(99)
} as const

export const people = {
  atResearched: id(101),
  atCovered: id(102),
  atBare: id(103),
  notEmailed: id(104)
} as const

const place = (placeId: string, countyFips: string, more: object = {}) => ({
  id: placeId,
  key: `${countyFips}-CODES${placeId.slice(-2)}`,
  address: `${Number(placeId.slice(-3))} Nonesuch Avenue`,
  city: "Quillgate (made up)",
  state: "WA",
  countyFips,
  ...more
})

const keyOf = (placeId: string, countyFips: string) => `${countyFips}-CODES${placeId.slice(-2)}`

export const properties = [
  place(places.researched, open),
  place(places.bare, open),
  place(places.outside, outside),
  place(places.retired, open, { retiredInto: keyOf(places.researched, open) }),
  place(places.covered, licensed),
  place(places.spare, open),
  place(places.unread, open),
  place(places.unreadToo, open),
  place(places.unreadThree, open)
]

export const research = [
  keyOf(places.researched, open),
  keyOf(places.outside, outside),
  keyOf(places.covered, licensed),
  keyOf(places.spare, open)
].map((propertyKey) => ({
  propertyKey,
  beneficialOwner: "Sample Holdings (made up)",
  researchedAt: "2026-06-01T00:00:00Z"
}))

const person = (contactId: string, propertyKey: string, more: object = {}) => ({
  id: contactId,
  key: `codes:${contactId}`,
  fullName: `Sample Person ${contactId.slice(-3)}`,
  title: "Property Manager",
  email: `person${contactId.slice(-3)}@sample.example`,
  properties: [{ propertyKey, role: "property_manager", relationshipStatus: "current" }],
  ...more
})

export const contacts = [
  person(people.atResearched, keyOf(places.researched, open)),
  person(people.atCovered, keyOf(places.covered, licensed)),
  person(people.atBare, keyOf(places.bare, open)),
  person(people.notEmailed, keyOf(places.covered, licensed), { doNotContact: { email: true, phone: false } })
]

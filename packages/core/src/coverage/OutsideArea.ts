/** Counties beyond what a caller sees, in sentences, and who can help. */
import { quotedRecord } from "../operation/Excerpt.ts"
import * as Territory from "./Territory.ts"
import { stateOfCounty } from "./UsState.ts"

/** A county as it is told; null: no name is known. */
export interface NamedCounty {
  readonly countyFips: string
  readonly name: string | null
  readonly state: string | null
}

/** So many places of one kind are told. */
const mostTold = 5

/** The county by its name, if one is known, and its code. */
export const labelOf = ({ countyFips, name, state }: NamedCounty): string =>
  name === null ? `County ${countyFips}` : `${quotedRecord(`${name}, ${state}`)} (${countyFips})`

/** The first of them, and how many more there are. */
export const listed = (labels: ReadonlyArray<string>): string =>
  labels.length > mostTold
    ? `${labels.slice(0, mostTold).join("; ")} and ${labels.length - mostTold} more`
    : labels.join("; ")

const verb = (count: number): string => count === 1 ? "lies" : "lie"

/** The counties that are asked for and not seen, and who can help. */
export const outsideOf = (
  perspective: Territory.Perspective,
  asked: ReadonlyArray<NamedCounty>
): ReadonlyArray<string> => {
  const area = Territory.switchedOn(perspective.organization)
  const unseen = asked.filter(({ countyFips }) => !Territory.sees(perspective, countyFips))
  const nowhere = unseen.filter(({ countyFips }) => stateOfCounty(countyFips) === undefined)
  const hidden = unseen.filter((county) => !nowhere.includes(county))
  const [closed, foreign] = [
    hidden.filter(({ countyFips }) => Territory.contains(area, countyFips)),
    hidden.filter(({ countyFips }) => !Territory.contains(area, countyFips))
  ]
  return [
    ...nowhere.length === 0 ? [] : [
      `No state has a county ${listed(nowhere.map(({ countyFips }) => countyFips))}.`,
      "service_lookup with kind counties lists them."
    ],
    ...foreign.length === 0 ? [] : [
      `${listed(foreign.map(labelOf))} ${verb(foreign.length)} outside the area that your organization switched on.`,
      `service_request_coverage asks for it: ${
        JSON.stringify({ county_fips: foreign.slice(0, mostTold).map(({ countyFips }) => countyFips) })
      }.`
    ],
    ...closed.length === 0
      ? []
      : [
        `${listed(closed.map(labelOf))} ${
          verb(closed.length)
        } outside your territory, which an admin of your organization can widen.`
      ]
  ]
}

/** The order of browsing: numbers from the greatest, texts from A to Z, without one last; then by id. */
import type { Place } from "../operation/PageCursor.ts"
import { compareText } from "../operation/TextOrder.ts"
import { compareBy } from "./property/PropertyReading.ts"

const compareValues = (left: Place["value"], right: Place["value"]): number =>
  left === null || right === null
    ? Number(left === null) - Number(right === null)
    : typeof left === "number" && typeof right === "number"
    ? right - left
    : compareText(String(left), String(right))

const comparePlaces = compareBy<Place>(
  (left, right) => compareValues(left.value, right.value),
  (left, right) => compareText(left.id, right.id)
)

/** Of the rows, in order, those after a place and beyond the offset. */
export const pageOf = <Row>(
  rows: ReadonlyArray<Row>,
  place: (row: Row) => Place,
  { after, limit, offset }: { readonly after: Place | null; readonly limit: number; readonly offset: number }
): ReadonlyArray<Row> =>
  rows.filter((row) => after === null || comparePlaces(place(row), after) > 0)
    .toSorted((left, right) => comparePlaces(place(left), place(right)))
    .slice(offset, offset + limit)

/**
 * What reading properties with their people delivers in full, once they are open: told before an unlock is paid for, since what
 * cannot be read is of no use to whoever paid for it.
 */
import { Effect } from "effect"
import type { Limits } from "../limit/Limits.ts"
import type { RecordRef } from "../limit/Usage.ts"
import { Properties } from "./Properties.ts"

const uncounted: ReadonlyArray<RecordRef> = []

export const make = Effect.gen(function*() {
  const properties = yield* Properties

  /** Of the properties, by id; nothing is looked for where no records are counted. */
  return Effect.fn("PropertyRecords.of")(function*({ countsRecords }: Limits, propertyIds: ReadonlyArray<string>) {
    if (!countsRecords || propertyIds.length === 0) return uncounted
    const people = yield* properties.people(propertyIds)
    return [
      ...propertyIds.map((id): RecordRef => ({ kind: "property", id })),
      ...people.map((id): RecordRef => ({ kind: "contact", id }))
    ]
  })
})

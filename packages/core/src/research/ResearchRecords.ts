/** Which records reading what a paid action opens or finds delivers in full. */
import { Effect } from "effect"
import type { Limits } from "../limit/Limits.ts"
import type { RecordRef } from "../limit/Usage.ts"
import * as PropertyRecords from "../property/PropertyRecords.ts"
import type { PricedAction } from "./PricedAction.ts"

export const make = Effect.gen(function*() {
  const ofProperties = yield* PropertyRecords.make

  /** Of the subjects, by id; none of what is answered by its run alone. */
  return (limits: Limits, action: PricedAction, subjectIds: ReadonlyArray<string>) => {
    const each = (kind: RecordRef["kind"]) => Effect.succeed(subjectIds.map((id): RecordRef => ({ kind, id })))
    switch (action) {
      case "unlock_property":
      case "research_property":
        return ofProperties(limits, subjectIds)
      case "reveal_contact":
      case "research_contact":
        return each("contact")
      case "research_organization":
        return each("organization")
      case "find_email":
      case "deep_research_contact":
      case "draft_email":
        return Effect.succeed([])
    }
  }
})

/** Which records reading what a paid action opens or finds delivers in full. */
import { Effect } from "effect"
import type { Limits } from "../limit/Limits.ts"
import type { RecordRef } from "../limit/Usage.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import * as PropertyRecords from "../property/PropertyRecords.ts"
import type { ResearchAction } from "./ResearchRun.ts"

/** People or firms, each of them a record. */
export const each = (kind: RecordRef["kind"], ids: ReadonlyArray<string>): PropertyRecords.Opening => ({
  records: ids.map((id) => ({ kind, id })),
  contacts: []
})

export const make = Effect.gen(function*() {
  const ofProperties = yield* PropertyRecords.make

  /** Of the subjects, by id; none of what is answered by its run alone. */
  return (limits: Limits, orgId: OrganizationId, action: ResearchAction, subjectIds: ReadonlyArray<string>) => {
    switch (action) {
      case "research_property":
        return ofProperties(limits, orgId, subjectIds.map((id) => ({ id, paid: true, researched: true })))
      case "research_contact":
        return Effect.succeed(each("contact", subjectIds))
      case "research_organization":
        return Effect.succeed(each("organization", subjectIds))
      case "find_email":
      case "deep_research_contact":
      case "draft_email":
        return Effect.succeed(PropertyRecords.uncounted)
    }
  }
})

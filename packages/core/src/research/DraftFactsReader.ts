/** Gathers what a draft may say: only what the one who asked for it may read. */
import { Effect, Option } from "effect"
import { Contacts } from "../contact/Contacts.ts"
import { isRevealed, rightsOf } from "../contact/ContactView.ts"
import * as Territory from "../coverage/Territory.ts"
import { Properties } from "../property/Properties.ts"
import type { Property } from "../property/Property.ts"
import type { DraftFacts } from "./Drafter.ts"
import type { ResearchJob } from "./ResearchRun.ts"
import { ResearchRuns } from "./ResearchRuns.ts"

const propertyFacts = (property: Property, names: boolean): DraftFacts["property"] =>
  property.address === null ? null : {
    address: property.address,
    city: property.city,
    commonName: names ? property.commonName : null,
    assetCategory: property.assetCategory,
    buildingSqft: property.buildingSqft,
    numFloors: property.numFloors,
    yearBuilt: property.yearBuilt
  }

export const make = Effect.gen(function*() {
  const contacts = yield* Contacts
  const properties = yield* Properties
  const runs = yield* ResearchRuns

  /** None when the contact is no longer open to the organization, or there is no strategy. */
  return Effect.fn("DraftFactsReader.read")(function*({ actor, organization, subjectId, wish }: ResearchJob) {
    const found = yield* contacts.read(subjectId, organization.org_id)
    const strategy = yield* runs.strategy(organization.org_id, subjectId)
    if (Option.isNone(found) || Option.isNone(strategy)) return Option.none<DraftFacts>()
    const asked = wish ?? { purpose: null, tone: null, territory: null }
    const area = { organization, territory: asked.territory }
    const rights = rightsOf(found.value, area)
    if (!rights.visible || !isRevealed(rights)) return Option.none<DraftFacts>()
    const seen = found.value.relationships.filter((each) => Territory.sees(area, each.countyFips))
    const about = seen.find((each) => each.unlocked || Territory.covers(organization, each.countyFips)) ?? seen[0]
    const property = about === undefined
      ? Option.none()
      : yield* properties.read({ _tag: "Id", id: about.propertyId }, organization.org_id)
    return Option.some<DraftFacts>({
      recipient: found.value.contact,
      property: Option.match(property, {
        onNone: () => null,
        onSome: (each) => propertyFacts(each, organization.features.common_names)
      }),
      strategy: strategy.value,
      sender: {
        company: organization.name,
        name: actor.kind === "member" ? actor.name : null
      },
      wish: asked
    })
  })
})

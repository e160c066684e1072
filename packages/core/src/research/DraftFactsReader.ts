/** Gathers what a draft may say: of the one property that it is about, which is one that whoever asked for it sees. */
import { Effect, Option } from "effect"
import { Contacts } from "../contact/Contacts.ts"
import { isRevealed, rightsOf } from "../contact/ContactView.ts"
import * as Territory from "../coverage/Territory.ts"
import { Properties } from "../property/Properties.ts"
import type { Property } from "../property/Property.ts"
import { tieTo } from "./ContactTie.ts"
import type { DraftFacts } from "./Drafter.ts"
import type { ResearchJob } from "./ResearchRun.ts"
import { ResearchRuns } from "./ResearchRuns.ts"
import { strategyTold } from "./Written.ts"

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

  /**
   * None when the contact is no longer open to the organization or at the property, asked not to be emailed, or there is no
   * strategy about the property.
   */
  return Effect.fn("DraftFactsReader.read")(function*({ actor, organization, subjectId, wish, ...job }: ResearchJob) {
    if (job.property === null) return Option.none<DraftFacts>()
    const { id } = job.property
    const [found, strategy, property] = yield* Effect.all([
      contacts.read(subjectId, organization.org_id),
      runs.strategy(organization.org_id, subjectId, [id]),
      properties.read({ _tag: "Id", id }, organization.org_id)
    ], { concurrency: 2 })
    if (Option.isNone(found) || Option.isNone(strategy) || Option.isNone(property)) return Option.none<DraftFacts>()
    const { contact, relationships } = found.value
    const rights = rightsOf(found.value, Territory.wholeArea(organization))
    const reachable = rights.visible && isRevealed(rights) && !contact.doNotContact.email
    if (!reachable || Option.isNone(tieTo(relationships, id))) return Option.none<DraftFacts>()
    return Option.some<DraftFacts>({
      recipient: contact,
      property: propertyFacts(property.value, organization.features.common_names),
      strategy: strategyTold(strategy.value.strategy, { contact, property: property.value }),
      sender: {
        company: organization.name,
        name: actor.kind === "member" ? actor.name : null
      },
      wish: wish ?? { purpose: null, tone: null }
    })
  })
})

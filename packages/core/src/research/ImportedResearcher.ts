/**
 * The researcher that knows what was imported and nothing else.
 *
 * | action                | finds                                                                    |
 * | --------------------- | ------------------------------------------------------------------------ |
 * | research_property     | the imported research of the property, unless it was open before         |
 * | find_email            | the email of the contact, unless it is known to be invalid               |
 * | deep_research_contact | a strategy out of the facts about the contact and the run's property, if open |
 * | research_contact      | nothing: an import shows its news by itself                              |
 * | research_organization | nothing, for the same reason                                             |
 */
import { Effect, Layer, Option } from "effect"
import { hasUsableEmail } from "../contact/Contact.ts"
import { Contacts } from "../contact/Contacts.ts"
import * as Territory from "../coverage/Territory.ts"
import { Properties } from "../property/Properties.ts"
import { isOpen, tieTo } from "./ContactTie.ts"
import { type Finding, Researcher } from "./Researcher.ts"
import type { ResearchJob } from "./ResearchRun.ts"
import { strategyOf } from "./StrategyFacts.ts"

const nothing: Finding = { _tag: "Nothing" }

const found: Finding = { _tag: "Found", partial: false, rows: [], result: null }

/** The researcher by itself, for one that knows more. */
export const make = Effect.gen(function*() {
  const properties = yield* Properties
  const contacts = yield* Contacts

  const property = Effect.fnUntraced(function*(job: ResearchJob) {
    const stored = yield* properties.read({ _tag: "Id", id: job.subjectId }, job.organization.org_id)
    return job.opened &&
        Option.exists(
          stored,
          ({ countyFips, research }) => research !== null && !Territory.covers(job.organization, countyFips)
        )
      ? found
      : nothing
  })

  const email = Effect.fnUntraced(function*(job: ResearchJob) {
    const standing = yield* contacts.read(job.subjectId, job.organization.org_id)
    return Option.exists(standing, ({ contact }) => hasUsableEmail(contact)) ? found : nothing
  })

  const strategy = Effect.fnUntraced(function*(job: ResearchJob) {
    const { organization, subjectId } = job
    const standing = yield* contacts.read(subjectId, organization.org_id)
    const about = Option.flatMap(standing, ({ relationships }) => tieTo(relationships, job.property?.id ?? null))
    // What research found out about a property goes only into the strategy of somebody who may read it.
    if (Option.isNone(standing) || Option.isNone(about) || !isOpen(about.value, organization)) return nothing
    const property = yield* properties.read({ _tag: "Id", id: about.value.propertyId }, organization.org_id)
    const written = strategyOf(standing.value.contact, Option.getOrNull(property))
    const finding: Finding = written === null
      ? nothing
      : { _tag: "Found", partial: false, rows: [], result: { _tag: "Strategy", strategy: written } }
    return finding
  })

  return Researcher.of({
    research: Effect.fn("Researcher.research")(function*(job) {
      switch (job.action) {
        case "research_property":
          return yield* property(job)
        case "find_email":
          return yield* email(job)
        case "deep_research_contact":
          return yield* strategy(job)
        case "research_contact":
        case "research_organization":
        case "draft_email":
          return nothing
      }
    })
  })
})

/** As the port. */
export const layer: Layer.Layer<Researcher, never, Properties | Contacts> = Layer.effect(Researcher, make)

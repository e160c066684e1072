/**
 * What a caller sees of runs: which of their properties, people and firms, and who of the people is open.
 *
 * A member with a territory is told of the items about what lies in it, as if a run had no others. What was found about a
 * person and a property is told to whoever sees both, as long as the person is open to the organization. Words that show a way by
 * which the person asked since not to be reached are told to nobody.
 */
import { Array, Effect, Option } from "effect"
import { Caller } from "../access/Caller.ts"
import { isOpen } from "../coverage/OpenContact.ts"
import { type FoundProperty, Standings } from "../coverage/Standings.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import { Firms } from "../firm/Firms.ts"
import { showsRefused } from "./Claims.ts"
import {
  type KeptClaim,
  type ResearchAction,
  type Run,
  type RunItem,
  type SubjectType,
  subjectTypes
} from "./ResearchRun.ts"
import { ResearchRuns } from "./ResearchRuns.ts"

/** What is about a person and one property. */
const isAboutBoth = (action: ResearchAction): boolean => action === "deep_research_contact" || action === "draft_email"

const subjectsOf = (runs: ReadonlyArray<Run>, type: SubjectType): ReadonlyArray<string> =>
  Array.dedupe(
    runs.flatMap(({ action, items }) => subjectTypes[action] === type ? items : []).map((item) => item.subjectId)
  )

const claimsOf = ({ items }: Run): ReadonlyArray<KeptClaim> =>
  items.flatMap(({ result }) => result?._tag === "Claims" ? result.claims : [])

export interface RunSight {
  /** The run with the items that the caller sees; null: none of them. */
  readonly seen: (run: Run) => Run | null
  /** What was found about a person and a property may be told. */
  readonly tells: (action: ResearchAction, item: RunItem) => boolean
  /** What a property is called that the caller sees; undefined: of anything else. */
  readonly nameOf: (subjectId: string) => Pick<FoundProperty, "key" | "address"> | undefined
  /** No owner of what the item is about asked not to be listed, as far as it is known what that is. */
  readonly listsOwner: (item: RunItem) => boolean
  /** The person is open by the subscription alone: to be told how to reach them counts as a reveal. */
  readonly isOpenUnpaid: (contactId: string) => boolean
  /** Of what was found in a run that is seen, what may be told: of people, those who are open, by no way that they refuse. */
  readonly told: (run: Run) => ReadonlyArray<KeptClaim>
}

export const make = Effect.gen(function*() {
  const standings = yield* Standings
  const firms = yield* Firms

  /** How the caller stands to everything that the runs are about. */
  return Effect.fn("RunSight.of")(function*(runs: ReadonlyArray<Run>) {
    const caller = yield* Caller
    const { organization, territory } = caller
    const places = runs.flatMap(({ items }) => items).flatMap(({ propertyId }) => propertyId ?? [])
    const found = yield* standings.read({
      orgId: organization.org_id,
      properties: Array.dedupe([...subjectsOf(runs, "property"), ...places]),
      contacts: Array.dedupe([
        ...subjectsOf(runs, "contact"),
        ...runs.flatMap(claimsOf).flatMap(({ about, id }) => about === "contact" ? [id] : [])
      ])
    })
    // Whoever sees all of the organization's area may follow each of its runs.
    const asked = territory === null ? [] : subjectsOf(runs, "organization")
    const firmIds = new Set(asked.length === 0 ? [] : yield* firms.seen(asked, viewerOf(caller)))
    const properties = new Map(
      found.properties.flatMap(({ address, countyFips, id, key }) =>
        Territory.sees(caller, countyFips) ? [[id, { key, address }]] : []
      )
    )
    const withholding = new Set(found.properties.flatMap(({ id, withholdsOwner }) => withholdsOwner ? [id] : []))
    const people = found.contacts.filter(({ counties }) => counties.some((county) => Territory.sees(caller, county)))
    const contacts = new Set(people.map(({ id }) => id))
    const opened = people.filter((person) => isOpen(person, organization))
    const open = new Map(opened.map(({ doNotContact, id }) => [id, doNotContact]))
    const unpaid = new Set(
      opened.flatMap(({ access, id, openedByProperty }) => access === "paid" || openedByProperty ? [] : [id])
    )

    /** Before what is about a person was about one property, it was about any. */
    const seesPlace = (action: ResearchAction, { propertyId }: RunItem): boolean =>
      !isAboutBoth(action) || (propertyId === null ? territory === null : properties.has(propertyId))

    const sees = (action: ResearchAction, item: RunItem): boolean => {
      switch (subjectTypes[action]) {
        case "property":
          return properties.has(item.subjectId)
        case "contact":
          return contacts.has(item.subjectId) && seesPlace(action, item)
        case "organization":
          return firmIds.has(item.subjectId)
      }
    }

    const sight: RunSight = {
      seen: (run) => {
        if (territory === null) return run
        const items = run.items.filter((item) => sees(run.action, item))
        return items.length === 0 ? null : { ...run, items }
      },
      tells: (action, item) => open.has(item.subjectId) && seesPlace(action, item),
      nameOf: (subjectId) => properties.get(subjectId),
      listsOwner: ({ propertyId }) => propertyId !== null && properties.has(propertyId) && !withholding.has(propertyId),
      isOpenUnpaid: (contactId) => unpaid.has(contactId),
      told: (run) =>
        claimsOf(run).filter(({ about, id, quote, values }) => {
          const refused = open.get(id)
          return about === "organization" || (refused !== undefined && !showsRefused(refused, [quote, ...values]))
        })
    }
    return sight
  })
})

/** Reads a run of the organization as far as the caller sees it; none: there is none, or nothing of it is seen. */
export const makeReader = Effect.gen(function*() {
  const runs = yield* ResearchRuns
  const sightOf = yield* make
  return Effect.fn("RunSight.read")(function*(runId: string) {
    const { organization: { org_id: orgId } } = yield* Caller
    const stored = yield* runs.read(orgId, runId)
    if (Option.isNone(stored)) return Option.none()
    const sight = yield* sightOf([stored.value])
    return Option.map(Option.fromNullOr(sight.seen(stored.value)), (run) => ({ run, sight }))
  })
})

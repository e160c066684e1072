/** `ContactSearch` in memory: every person is looked at, so this is also the definition of what is found. */
import { Effect, Layer } from "effect"
import { type Contact, hasValidEmail } from "../../contact/Contact.ts"
import type { ContactStanding } from "../../contact/Contacts.ts"
import {
  type BrowsedContact,
  type ContactBrowse,
  ContactSearch,
  marketWeight,
  positionOf
} from "../../contact/ContactSearch.ts"
import * as Territory from "../../coverage/Territory.ts"
import type { Viewer } from "../../coverage/Viewer.ts"
import { withoutAccents } from "../../operation/Accents.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { MemoryState, type State } from "../MemoryState.ts"
import { pageOf } from "../PlaceOrder.ts"
import { compareBy } from "../property/PropertyReading.ts"
import { contactReadingOf } from "./ContactReading.ts"

/** A person as the viewer sees one: with the counties of the visible properties. */
interface Seen {
  readonly contact: Contact
  readonly counties: ReadonlyArray<string>
  readonly revealed: boolean
}

const seenBy = (viewer: Viewer) => ({ access, contact, relationships }: ContactStanding): ReadonlyArray<Seen> => {
  const counties = relationships.flatMap(({ countyFips }) =>
    Territory.contains(viewer.visible, countyFips) ? [countyFips] : []
  )
  return counties.length === 0 ? [] : [{
    contact,
    counties,
    revealed: access === "paid" ||
      relationships.some(({ countyFips, unlocked }) => unlocked || Territory.contains(viewer.covered, countyFips))
  }]
}

const holds = (text: string | null, fragment: string | null): boolean =>
  fragment === null || text !== null && text.toLowerCase().includes(fragment)

/** The same of a name without its accents. */
const holdsPlain = (text: string | null, fragment: string | null): boolean =>
  fragment === null || text !== null && withoutAccents(text.toLowerCase()).includes(withoutAccents(fragment))

const comparison = (anyAccents: boolean | undefined) => anyAccents === true ? holdsPlain : holds

const meets = (state: State, browse: ContactBrowse) => ({ contact, counties, revealed }: Seen): boolean =>
  (browse.roleType === null || contact.roleType === browse.roleType) &&
  comparison(browse.anyAccents)(contact.title, browse.titleText) &&
  comparison(browse.anyAccents)(contact.employerName, browse.employerText) &&
  (browse.countyFips === null || browse.countyFips.some((countyFips) => counties.includes(countyFips))) &&
  (browse.revealed === null || revealed === browse.revealed) &&
  (browse.firmId === null || contact.firmId === browse.firmId) &&
  (browse.changed === null || hasChanged(state, contact.id, browse.changed))

const hasChanged = (state: State, contactId: string, changed: NonNullable<ContactBrowse["changed"]>): boolean =>
  state.changes.some((change) =>
    change.contactId === contactId && changed.kinds.includes(change.kind) &&
    (changed.since === null || change.detectedAt !== null && change.detectedAt >= changed.since) &&
    !state.changes.some((other) => other.withdraws === change.id)
  )

const inMarket = ({ counties }: Seen, market: string): number => counties.filter((each) => each === market).length

const weightIn = (seen: Seen, market: string): number => marketWeight(inMarket(seen, market), seen.contact.seniority)

const byMarket = (market: string) =>
  compareBy<Seen>(
    (left, right) => weightIn(right, market) - weightIn(left, market),
    (left, right) => compareText(left.contact.id, right.contact.id)
  )

/** `ContactSearch` in memory. */
export const layer: Layer.Layer<ContactSearch, never, MemoryState> = Layer.effect(
  ContactSearch,
  Effect.gen(function*() {
    const state = yield* MemoryState

    const standings = (orgId: string): ReadonlyArray<ContactStanding> => {
      const { standing } = contactReadingOf(state, orgId)
      return Array.from(state.contacts.values(), standing)
    }

    return ContactSearch.of({
      find: Effect.fn("ContactSearch.find")(({ anyAccents, limit, text, tooMany, viewer }) =>
        Effect.sync(() => {
          const isNamed = comparison(anyAccents)
          const matching = standings(viewer.orgId).filter(({ contact, relationships }) =>
            relationships.length > 0 && (isNamed(contact.fullName, text) || isNamed(contact.employerName, text))
          )
          const seen = matching.flatMap(seenBy(viewer))
          if (seen.length === 0) return { _tag: matching.length === 0 ? "Nobody" : "Outside" }
          if (seen.length >= tooMany) return { _tag: "TooMany" }
          return {
            _tag: "Found",
            rows: seen.map(({ contact: { employerName, fullName, id, location, title } }) => ({
              id,
              fullName,
              title,
              employerName,
              location
            })).sort((left, right) => compareText(left.id, right.id)).slice(0, limit)
          }
        })
      ),

      browse: Effect.fn("ContactSearch.browse")((browse) =>
        Effect.sync(() => {
          const { firmId, market, viewer } = browse
          const seen = standings(viewer.orgId).flatMap(seenBy(viewer))
          const ranked = market === null
            ? []
            : seen.filter(({ contact }) => contact.firmId === firmId).sort(byMarket(market))
          const rows = seen.filter(meets(state, browse)).map((each): BrowsedContact => {
            const { contact, counties, revealed } = each
            return {
              id: contact.id,
              title: contact.title,
              roleType: contact.roleType,
              seniority: contact.seniority,
              employerName: contact.employerName,
              properties: counties.length,
              revealed,
              emailValidated: hasValidEmail(contact),
              hasPhone: contact.phone !== null,
              market: market === null
                ? null
                : { properties: inMarket(each, market), rank: ranked.indexOf(each) + 1 }
            }
          })
          return { rows: pageOf(rows, positionOf(browse.sort), browse), total: rows.length }
        })
      )
    })
  })
)

/** `Firms` in memory: every tie is looked at, so this is also the definition of what may be told. */
import { Effect, Layer, Option } from "effect"
import type { RoleType } from "../../contact/Contact.ts"
import * as Territory from "../../coverage/Territory.ts"
import type { Viewer } from "../../coverage/Viewer.ts"
import { type Firm, FirmRole, researchedAttributions } from "../../firm/Firm.ts"
import { type FirmBrowse, Firms, type FirmSummary, type FirmTie, positionOf, type TiePlace } from "../../firm/Firms.ts"
import { withoutAccents } from "../../operation/Accents.ts"
import { compareText } from "../../operation/TextOrder.ts"
import { reveal } from "../../property/Research.ts"
import { contactReadingOf } from "../contact/ContactReading.ts"
import { listedFirms } from "../Listed.ts"
import { MemoryState, type State } from "../MemoryState.ts"
import { pageOf } from "../PlaceOrder.ts"
import { compareBy, readingOf } from "../property/PropertyReading.ts"

/** A tie that may be told, with how its property stands with the viewer. */
interface ToldTie extends FirmTie {
  readonly firmId: string
  readonly visible: boolean
  readonly researched: boolean
  readonly revealed: boolean
}

const toldTies = (state: State, viewer: Viewer): ReadonlyArray<ToldTie> => {
  const { unlocked } = readingOf(state, viewer.orgId)
  return Array.from(state.properties.values()).flatMap((property) => {
    const { address, city, countyFips, id: propertyId, research, retiredInto, state: abbr } = property
    if (retiredInto !== null) return []
    const visible = Territory.contains(viewer.visible, countyFips)
    const researched = research !== null
    const { researchRevealed: revealed } = reveal({
      researched,
      unlocked: unlocked(propertyId),
      covered: Territory.contains(viewer.covered, countyFips)
    })
    return listedFirms(state, propertyId).flatMap((
      { attributionType, id: firmId, role }
    ): ReadonlyArray<ToldTie> =>
      revealed || !researchedAttributions.includes(attributionType)
        ? [{
          firmId,
          propertyId,
          countyFips,
          address,
          city,
          state: abbr,
          role,
          attributionType,
          visible,
          researched,
          revealed
        }]
        : []
    )
  }).sort(byProperty)
}

const roleOrder = (role: FirmRole): number => FirmRole.literals.indexOf(role)

const byProperty = compareBy<TiePlace>(
  (left, right) => compareText(left.propertyId, right.propertyId),
  (left, right) => roleOrder(left.role) - roleOrder(right.role)
)

const byWhatIsTold = compareBy<TiePlace>(
  (left, right) => compareText(left.countyFips, right.countyFips),
  (left, right) => roleOrder(left.role) - roleOrder(right.role),
  (left, right) => compareText(left.attributionType, right.attributionType),
  (left, right) => compareText(left.propertyId, right.propertyId)
)

/** As `TiePage` says. */
const compareTies = ({ visible }: Viewer) => (left: TiePlace, right: TiePlace): number => {
  const inside = Territory.contains(visible, left.countyFips)
  return inside === Territory.contains(visible, right.countyFips)
    ? (inside ? byProperty : byWhatIsTold)(left, right)
    : inside
    ? -1
    : 1
}

const properties = (ties: ReadonlyArray<ToldTie>): number => new Set(ties.map(({ propertyId }) => propertyId)).size

const rolesOf = (ties: ReadonlyArray<ToldTie>): ReadonlyArray<FirmRole> =>
  FirmRole.literals.filter((role) => ties.some((tie) => tie.role === role))

const summaryOf = ({ domain, id, name }: Firm, ties: ReadonlyArray<ToldTie>): FirmSummary => ({
  id,
  name,
  domain,
  roles: rolesOf(ties),
  properties: properties(ties),
  researched: ties.some(({ researched }) => researched)
})

const isNamed = (name: string, { anyAccents, text }: FirmBrowse): boolean =>
  text === null ||
  (anyAccents ? withoutAccents(name.toLowerCase()).includes(withoutAccents(text)) : name.toLowerCase().includes(text))

const meets = (asked: FirmBrowse, firm: Firm, ties: ReadonlyArray<ToldTie>) =>
  isNamed(firm.name, asked) && properties(ties) >= asked.minProperties &&
  ties.some((tie) =>
    (asked.role === null || tie.role === asked.role) &&
    (asked.countyFips === null || asked.countyFips.includes(tie.countyFips))
  )

/** `Firms` in memory. */
export const layer: Layer.Layer<Firms, never, MemoryState> = Layer.effect(
  Firms,
  Effect.gen(function*() {
    const state = yield* MemoryState

    /** The firm's people whom the viewer sees, by role type. */
    const peopleOf = (firmId: string, viewer: Viewer) => {
      const { standing } = contactReadingOf(state, viewer.orgId)
      const seen = Array.from(state.contacts.values(), standing).filter(({ contact, relationships }) =>
        contact.firmId === firmId &&
        relationships.some(({ countyFips }) => Territory.contains(viewer.visible, countyFips))
      )
      return Array.from(
        Map.groupBy(seen, ({ contact }) => contact.roleType),
        ([roleType, { length: count }]: readonly [RoleType | null, ReadonlyArray<unknown>]) => ({ roleType, count })
      ).sort(compareBy(
        (left, right) => right.count - left.count,
        (left, right) => Number(left.roleType === null) - Number(right.roleType === null),
        (left, right) => compareText(left.roleType ?? "", right.roleType ?? "")
      ))
    }

    return Firms.of({
      browse: Effect.fn("Firms.browse")((browse) =>
        Effect.sync(() => {
          const ties = Map.groupBy(
            toldTies(state, browse.viewer).filter(({ visible }) => visible),
            ({ firmId }) => firmId
          )
          const rows = Array.from(state.firmRecords.values()).flatMap((firm) => {
            const own = ties.get(firm.id) ?? []
            return meets(browse, firm, own) ? [summaryOf(firm, own)] : []
          })
          return { rows: pageOf(rows, positionOf(browse.sort), browse), total: rows.length }
        })
      ),

      read: Effect.fn("Firms.read")((firmId, viewer) =>
        Effect.sync(() => {
          const firm = state.firmRecords.get(firmId)
          const ties = toldTies(state, viewer).filter((tie) => tie.firmId === firmId && tie.visible)
          if (firm === undefined || ties.length === 0) return Option.none()
          return Option.some({
            firm,
            roles: rolesOf(ties),
            properties: properties(ties),
            researchedProperties: properties(ties.filter(({ researched }) => researched)),
            revealedProperties: properties(ties.filter(({ revealed }) => revealed)),
            first: Array.from(Map.groupBy(ties, ({ propertyId }) => propertyId).values()).slice(0, 10)
              .flatMap((same) =>
                same.slice(0, 1).map(({ address, city, propertyId, role, state: abbr }) => ({
                  propertyId,
                  address,
                  city,
                  state: abbr,
                  role
                }))
              ),
            people: peopleOf(firmId, viewer)
          })
        })
      ),

      seen: Effect.fn("Firms.seen")((firmIds, viewer) =>
        Effect.sync(() => {
          const seen = new Set(toldTies(state, viewer).flatMap(({ firmId, visible }) => visible ? [firmId] : []))
          return firmIds.filter((firmId) => seen.has(firmId))
        })
      ),

      ties: Effect.fn("Firms.ties")((firmId, viewer, { after, limit }) =>
        Effect.sync(() => {
          const firm = state.firmRecords.get(firmId)
          const told = toldTies(state, viewer).filter((tie) => tie.firmId === firmId)
          if (firm === undefined || !told.some(({ visible }) => visible)) return Option.none()
          const compare = compareTies(viewer)
          const ties = told.filter((tie) => after === null || compare(tie, after) > 0).toSorted(compare).slice(0, limit)
            .map(({ address, attributionType, city, countyFips, propertyId, role, state: abbr }) => ({
              propertyId,
              countyFips,
              address,
              city,
              state: abbr,
              role,
              attributionType
            }))
          return Option.some({ id: firm.id, name: firm.name, ties })
        })
      )
    })
  })
)

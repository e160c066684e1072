/** Browses and reads owner and management firms. Reading one takes a record of the allowance; browsing takes none. */
import { Clock, Effect, Option, Schema } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { browseNotes } from "../coverage/BrowseNotes.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import { type Viewer, viewerOf } from "../coverage/Viewer.ts"
import * as Meter from "../credit/Meter.ts"
import * as AccentPages from "../operation/AccentPages.ts"
import * as BrowsePage from "../operation/BrowsePage.ts"
import { noting } from "../operation/Noting.ts"
import * as PageCursor from "../operation/PageCursor.ts"
import * as QueryWords from "../operation/QueryWords.ts"
import * as CountyTable from "../property/CountyTable.ts"
import { FirmRole } from "./Firm.ts"
import {
  type BrowseOrganizations,
  defaultTies,
  type GetOrganization,
  type GetOrganizationProperties
} from "./FirmOperations.ts"
import { Firms, type FirmTie, positionOf, type TiePlace } from "./Firms.ts"
import { browseRow, detail, ties } from "./FirmView.ts"

const TiePosition = Schema.Tuple([PageCursor.ShortId, Schema.String, FirmRole, Schema.String])

const positionOfTie = ({ attributionType, countyFips, propertyId, role }: FirmTie) =>
  [propertyId, countyFips, role, attributionType] as const

const placeOf = ([propertyId, countyFips, role, attributionType]: typeof TiePosition.Type): TiePlace => ({
  propertyId,
  countyFips,
  role,
  attributionType
})

/** What a browse of managers does not list, unless all that it looks at is covered. */
const lockedNotes = (
  { covered, visible }: Viewer,
  asked: { readonly role: FirmRole | null; readonly countyFips: ReadonlyArray<string> | null }
): ReadonlyArray<string> =>
  asked.role !== "property_manager" ||
    (asked.countyFips === null
      ? Territory.isPart(visible, covered)
      : asked.countyFips.every((countyFips) => Territory.contains(covered, countyFips)))
    ? []
    : [
      "Firms that only locked properties name as their manager are left out.",
      "service_browse_contacts shows their people by employer."
    ]

const notFound = new NotFound({ resource: "organization" })

export const make = Effect.gen(function*() {
  const firms = yield* Firms
  const meter = yield* Meter.make
  const counties = yield* CountyTable.make
  const cursors = yield* PageCursor.make(PageCursor.Place)
  const tieCursors = yield* PageCursor.make(TiePosition)

  const browse: HandlerOf<typeof BrowseOrganizations> = Effect.fn("FirmReader.browse")(function*(input) {
    const caller = yield* Caller
    yield* BrowsePage.oneWay(input)
    const text = input.query === undefined ? null : BrowsePage.normalized(input.query)
    const texts = text === null ? [] : [text]
    const question = BrowsePage.questionOf("firms", caller.organization.org_id, input)
    const begun = yield* AccentPages.begin({ open: (of) => cursors.open(input.cursor, of), question, texts })
    yield* Territory.requireSome(caller)
    const viewer = viewerOf(caller)
    const sort = input.sort ?? "name"
    const limit = input.limit ?? BrowsePage.defaultLimit
    const asked = {
      viewer,
      role: input.role === undefined || input.role === "any" ? null : input.role,
      countyFips: input.countyFips?.filter((fips) => Territory.sees(caller, fips)) ?? null,
      minProperties: input.minProperties ?? 0,
      sort
    }
    const find = (anyAccents: boolean) =>
      firms.browse({ ...asked, text, anyAccents, after: begun.after, offset: input.offset ?? 0, limit: limit + 1 })
    const findsOne = (word: string) =>
      Effect.map(
        firms.browse({ ...asked, text: word, anyAccents: false, after: null, offset: 0, limit: 1 }),
        ({ total }) => total > 0
      )
    const [{ anyAccents, found }, known] = yield* Effect.all([AccentPages.look(begun, texts, find), counties], {
      concurrency: 2
    })
    const words = found.total === 0 && text !== null ? yield* QueryWords.noted(text, findsOne) : []
    const page = yield* cursors.page(found.rows, {
      limit,
      question: AccentPages.questionOf(question, anyAccents),
      position: positionOf(sort)
    })
    return {
      organizations: page.rows.map(browseRow),
      total_matching: found.total,
      next_cursor: page.next,
      scope: CountyTable.scopeOf(viewer.visible, known, input.countyFips),
      ...noting([
        ...browseNotes(caller, input, { shown: page.rows.length, total: found.total }, "No firm that you see"),
        ...input.cursor === undefined ? lockedNotes(viewer, asked) : [],
        ...words
      ])
    }
  })

  const read: HandlerOf<typeof GetOrganization> = Effect.fn("FirmReader.read")(function*({ id }) {
    const caller = yield* Caller
    const now = yield* Clock.currentTimeMillis
    const found = yield* firms.read(id.toLowerCase(), viewerOf(caller))
    if (Option.isNone(found)) return yield* notFound
    const firmId = found.value.firm.id
    yield* meter.read({
      subject: { _tag: "Firm", firmId },
      covered: [],
      whole: true,
      records: [{ kind: "organization", id: firmId }]
    }, now)
    return detail(found.value)
  })

  const properties: HandlerOf<typeof GetOrganizationProperties> = Effect.fn("FirmReader.properties")(function*(input) {
    const caller = yield* Caller
    const id = input.id.toLowerCase()
    const question = ["firm", caller.organization.org_id, id]
    const position = yield* tieCursors.open(input.cursor, question)
    const limit = input.limit ?? defaultTies
    const found = yield* firms.ties(id, viewerOf(caller), {
      after: position === null ? null : placeOf(position),
      limit: limit + 1
    })
    if (Option.isNone(found)) return yield* notFound
    const page = yield* tieCursors.page(found.value.ties, { limit, question, position: positionOfTie })
    return {
      organization: { id: found.value.id, name: found.value.name },
      properties: ties(page.rows, caller),
      next_cursor: page.next
    }
  })

  return { browse, properties, read }
})

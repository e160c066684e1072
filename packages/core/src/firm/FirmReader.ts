/** Browses and reads owner and management firms. Reading one takes a record of the allowance; browsing takes none. */
import { Clock, Effect, Option } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { NotFound } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import { viewerOf } from "../coverage/Viewer.ts"
import * as Meter from "../credit/Meter.ts"
import * as BrowsePage from "../operation/BrowsePage.ts"
import * as CountyTable from "../property/CountyTable.ts"
import type { BrowseOrganizations, GetOrganization, GetOrganizationProperties } from "./FirmOperations.ts"
import { Firms } from "./Firms.ts"
import { browseRow, detail, ties } from "./FirmView.ts"

const notFound = new NotFound({ resource: "organization" })

export const make = Effect.gen(function*() {
  const firms = yield* Firms
  const meter = yield* Meter.make
  const counties = yield* CountyTable.make

  const browse: HandlerOf<typeof BrowseOrganizations> = Effect.fn("FirmReader.browse")(function*(input) {
    const caller = yield* Caller
    yield* Territory.requireSome(caller)
    const viewer = viewerOf(caller)
    const [page, known] = yield* Effect.all([
      firms.browse({
        viewer,
        role: input.role === undefined || input.role === "any" ? null : input.role,
        countyFips: input.countyFips?.filter((fips) => Territory.sees(caller, fips)) ?? null,
        text: input.query === undefined ? null : BrowsePage.normalized(input.query),
        minProperties: input.minProperties ?? 0,
        sort: input.sort ?? "name",
        offset: input.offset ?? 0,
        limit: input.limit ?? BrowsePage.defaultLimit
      }),
      counties
    ], { concurrency: 2 })
    return {
      organizations: page.rows.map(browseRow),
      total_matching: page.total,
      scope: CountyTable.scopeOf(viewer.visible, known, input.countyFips)
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

  const properties: HandlerOf<typeof GetOrganizationProperties> = Effect.fn("FirmReader.properties")(function*({ id }) {
    const caller = yield* Caller
    const found = yield* firms.ties(id.toLowerCase(), viewerOf(caller))
    const visible = Option.filter(
      found,
      (firm) => firm.ties.some((tie) => Territory.sees(caller, tie.countyFips))
    )
    if (Option.isNone(visible)) return yield* notFound
    const { name, ties: all } = visible.value
    return { organization: { id: visible.value.id, name }, properties: ties(all, caller) }
  })

  return { browse, properties, read }
})

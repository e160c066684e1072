/**
 * `freehold serve --demo`: an organization with made-up records, made once, and what a newcomer can try with it.
 *
 * A database that somebody named and that holds another organization is refused: made-up records have no place there.
 */
import * as DemonstrationPg from "@freehold/adapters-pg/DemonstrationPg"
import { Organizations } from "@freehold/core/access/Organizations"
import { type ImportBatch, type Parsed, parsers, type RowContext } from "@freehold/core/import/ImportRow"
import { ImportStore } from "@freehold/core/import/ImportStore"
import { Properties } from "@freehold/core/property/Properties"
import * as PropertyRef from "@freehold/core/property/PropertyRef"
import { DateTime, Effect, Option, Redacted, Result } from "effect"
import { CommandRefused } from "../CommandRefused.ts"
import { recordId } from "../import/RecordId.ts"
import { Settings } from "../Settings.ts"
import { guide } from "./DemoGuide.ts"
import * as DemoOrganization from "./DemoOrganization.ts"
import * as DemoRecords from "./DemoRecords.ts"

/** So many locked properties are tried for one to suggest. */
const candidates = 50

const load = Effect.fn("Demonstration.load")(function*(records: DemoRecords.DemoRecords) {
  const store = yield* ImportStore
  const context: RowContext = { latestYear: DateTime.getPartUtc(yield* DateTime.now, "year") + 1, idOf: recordId }
  const rows = <R>(parse: (row: unknown, context: RowContext) => Parsed<R>, found: ReadonlyArray<unknown>) =>
    Effect.forEach(
      found,
      (row) => Effect.fromResult(Result.mapError(parse(row, context), (faults) => ({ row, faults })))
    )
  const batches: ReadonlyArray<ImportBatch> = yield* Effect.orDie(Effect.all([
    Effect.map(rows(parsers.properties, records.properties), (rows) => ({ kind: "properties" as const, rows })),
    Effect.map(rows(parsers.firms, records.firms), (rows) => ({ kind: "firms" as const, rows })),
    Effect.map(rows(parsers.contacts, records.contacts), (rows) => ({ kind: "contacts" as const, rows })),
    Effect.map(rows(parsers.research, records.research), (rows) => ({ kind: "research" as const, rows }))
  ]))
  for (const batch of batches) {
    const { rejected } = yield* store.load(batch)
    if (rejected.length > 0) return yield* Effect.die({ kind: batch.kind, rejected })
  }
  for (const { kind, rows } of batches) yield* store.settle(kind, rows.length)
})

/** A property to unlock, or the first one when all that were looked at are unlocked. */
const propertyToUnlock = Effect.fnUntraced(function*({ toUnlock }: DemoRecords.DemoRecords) {
  const properties = yield* Properties
  for (const key of toUnlock.slice(0, candidates)) {
    const standing = yield* properties.standing(PropertyRef.parse(key), DemoOrganization.orgId)
    if (Option.exists(standing, ({ access }) => access === null)) return key
  }
  return toUnlock[0] ?? ""
})

/** Makes what is missing; answers what to print for a server at an origin. */
export const prepare = Effect.gen(function*() {
  const { databaseUrl, webhookTargets } = yield* Settings
  const organizations = yield* Organizations
  const { marked, others } = yield* DemonstrationPg.standing(DemoOrganization.orgId)
  if (Option.isSome(databaseUrl) && others) {
    return yield* new CommandRefused({
      reason: "--demo is refused: the database of DATABASE_URL holds an organization that is no demonstration"
    })
  }
  const records = DemoRecords.make()
  if (!marked) {
    yield* Effect.logInfo("loading the made-up records of the demonstration")
    yield* load(records)
    yield* organizations.atomically(
      Effect.andThen(DemoOrganization.create, DemonstrationPg.mark(DemoOrganization.orgId))
    )
  }
  const key = yield* DemoOrganization.key
  return (origin: string) =>
    Effect.map(
      propertyToUnlock(records),
      (property) => guide({ origin, key: Redacted.value(key), property, webhookTargets })
    )
})

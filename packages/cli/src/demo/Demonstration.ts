/**
 * `freehold serve --demo`: an organization with made-up records, made once, and what a newcomer can try with it.
 *
 * A database that somebody named and that holds another organization is refused: made-up records have no place there.
 */
import * as DemonstrationPg from "@freehold/adapters-pg/diagnosis/DemonstrationPg"
import { AppSignIn } from "@freehold/core/access/AppSignIn"
import { type ImportBatch, parsers } from "@freehold/core/import/ImportRow"
import { ImportStore } from "@freehold/core/import/ImportStore"
import type { Parsed, RowContext } from "@freehold/core/import/RowReading"
import { Organizations } from "@freehold/core/organization/Organizations"
import { Pipeline } from "@freehold/core/pipeline/Pipeline"
import * as PropertyRef from "@freehold/core/property/PropertyRef"
import { DateTime, Effect, Option, Redacted, Result } from "effect"
import { CommandRefused } from "../CommandRefused.ts"
import { recordId } from "../import/RecordId.ts"
import { signInLink } from "../Origin.ts"
import { Settings } from "../Settings.ts"
import * as DemoChanges from "./DemoChanges.ts"
import { guide } from "./DemoGuide.ts"
import * as DemoOrganization from "./DemoOrganization.ts"
import * as DemoRecords from "./DemoRecords.ts"
import * as DemoScene from "./DemoScene.ts"
import * as DemoWork from "./DemoWork.ts"

/** So many properties are looked at for two to suggest. */
const candidates = 50

const load = Effect.fn("Demonstration.load")(function*(batches: ReadonlyArray<ImportBatch>) {
  const store = yield* ImportStore
  for (const batch of batches) {
    const { rejected } = yield* store.load(batch)
    if (rejected.length > 0) return yield* Effect.die({ kind: batch.kind, rejected })
  }
  for (const { kind, rows } of batches) yield* store.settle(kind, rows.length)
})

/** Rows that fit the import: their own test holds them to that. */
const parsed = Effect.fnUntraced(function*<R>(
  parse: (row: unknown, context: RowContext) => Parsed<R>,
  rows: ReadonlyArray<unknown>
) {
  const context: RowContext = { latestYear: DateTime.getPartUtc(yield* DateTime.now, "year") + 1, idOf: recordId }
  return yield* Effect.forEach(
    rows,
    (row) => Effect.fromResult(Result.mapError(parse(row, context), (faults) => ({ row, faults })))
  ).pipe(Effect.orDie)
})

const loadRecords = Effect.fnUntraced(function*(records: DemoRecords.DemoRecords) {
  yield* load([
    { kind: "properties", rows: yield* parsed(parsers.properties, records.properties) },
    { kind: "firms", rows: yield* parsed(parsers.firms, records.firms) },
    { kind: "contacts", rows: yield* parsed(parsers.contacts, records.contacts) },
    { kind: "research", rows: yield* parsed(parsers.research, records.research) }
  ])
})

const loadChanges = Effect.fnUntraced(function*(scene: DemoScene.DemoScene) {
  const rows = DemoChanges.make(scene, yield* DateTime.now)
  yield* load([{ kind: "changes", rows: yield* parsed(parsers.changes, rows) }])
})

/** Changes and work; a refusal leaves some of it out and never keeps the server from starting. */
const furnish = Effect.fnUntraced(
  function*(scene: DemoScene.DemoScene) {
    const written = yield* DemonstrationPg.draft(DemoOrganization.orgId)
    if (Option.isSome(written)) return written
    yield* loadChanges(scene)
    return yield* DemoWork.perform(scene)
  },
  Effect.catch((refusal) =>
    Effect.as(Effect.logWarning(`the demonstration is not complete: ${refusal.message}`), Option.none<string>())
  )
)

/** The first two properties that nobody has opened or qualified; the very first ones when most have been. */
const propertiesToTry = Effect.fnUntraced(function*({ toUnlock }: DemoRecords.DemoRecords) {
  const pipeline = yield* Pipeline
  const untouched: Array<string> = []
  for (const key of toUnlock.slice(0, candidates)) {
    const standing = yield* pipeline.standing(PropertyRef.parse(key), DemoOrganization.orgId)
    if (Option.exists(standing, ({ lead, property }) => lead === null && property.access === null)) untouched.push(key)
    if (untouched.length === 2) break
  }
  const [property = "", toResearch = ""] = new Set([...untouched, ...toUnlock])
  return { property, toResearch }
})

/** A link by which whoever reads it signs in as the member of the demonstration; null: the app is off. */
const signInUrl = Effect.fnUntraced(function*(origin: string) {
  const settings = yield* Settings
  if (!settings.console) return null
  const members = yield* Organizations.use((organizations) => organizations.members(DemoOrganization.orgId))
  const member = members.find(({ email }) => email === DemoOrganization.memberEmail)
  const secret = member === undefined
    ? Option.none()
    : yield* AppSignIn.use((signIn) => signIn.issueLink(DemoOrganization.orgId, member.memberId))
  return Option.getOrNull(Option.map(secret, (each) => signInLink(origin, each)))
}, Effect.provide(AppSignIn.layer))

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
    yield* loadRecords(records)
    yield* organizations.atomically(
      Effect.andThen(DemoOrganization.create, DemonstrationPg.mark(DemoOrganization.orgId))
    )
  }
  const scene = DemoScene.make(records)
  const draftRun = yield* furnish(scene)
  const key = yield* DemoOrganization.key
  return (origin: string) =>
    Effect.map(
      Effect.all({ toTry: propertiesToTry(records), signInUrl: signInUrl(origin) }),
      ({ signInUrl, toTry }) =>
        guide({
          ...toTry,
          origin,
          signInUrl,
          key: Redacted.value(key),
          leadProperty: scene.propertyKeys[0],
          draftRun: Option.getOrNull(draftRun),
          webhookTargets,
          // The package that is installed has been compiled.
          fromSources: import.meta.filename.endsWith(".ts")
        })
    )
})

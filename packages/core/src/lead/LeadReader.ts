/** The polled feed of leads, and the metered bundle of one. service-api "Leads". */
import { Clock, Effect, Option, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import * as Acting from "../access/Acting.ts"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { ComplianceCheckUnavailable, NotEntitled } from "../coverage/CoverageRefusals.ts"
import * as Territory from "../coverage/Territory.ts"
import { decideExport } from "../credit/ExportDecision.ts"
import { Ledger } from "../credit/Ledger.ts"
import * as Receipt from "../credit/Receipt.ts"
import { ofCaller, queryOf } from "../limit/Limits.ts"
import { tell } from "../limit/Takings.ts"
import { parsePayload } from "../operation/CursorSeal.ts"
import { invalid } from "../operation/InvalidInput.ts"
import { ServiceSettings } from "../operation/ServiceSettings.ts"
import { monthStart } from "../operation/UtcTime.ts"
import * as PropertyRef from "../property/PropertyRef.ts"
import * as VisibleProperty from "../property/VisibleProperty.ts"
import { recordsOf } from "./BundleRecords.ts"
import { BundleSource } from "./BundleSource.ts"
import { bundleOf } from "./LeadBundles.ts"
import { type FeedPosition, LeadFeed } from "./LeadFeed.ts"
import type { GetLeadBundle, ListLeads } from "./LeadOperations.ts"

const maximumItems = 100

const Position = Schema.Tuple([
  Schema.String.check(Schema.isPattern(/^\d{1,16}$/)),
  Schema.String.check(Schema.isPattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))
])

const parsePosition = parsePayload(Position)

// The feed's cursors are kept for months, so they are plain positions; a made-up one only reads one's own feed.
const encodeCursor = (position: FeedPosition): string =>
  Base64Url.encode(JSON.stringify([position.createdAt, position.eventId]))

const decodeCursor = (cursor: string): Option.Option<FeedPosition> =>
  Result.getSuccess(Base64Url.decodeString(cursor)).pipe(
    Option.flatMap((text) => parsePosition(text)),
    Option.map(([createdAt, eventId]) => ({ createdAt, eventId }))
  )

/** Lists the leads of the caller, and delivers the bundle of one, which is metered. */
export const make = Effect.gen(function*() {
  const feed = yield* LeadFeed
  const source = yield* BundleSource
  const ledger = yield* Ledger
  const visible = yield* VisibleProperty.make
  const deciding = yield* VisibleProperty.makeDeciding
  const random = yield* SecureRandom.SecureRandom
  const { appUrl, feedDelayMillis } = yield* ServiceSettings

  const startOf = Effect.fnUntraced(function*(input: (typeof ListLeads)["input"]["Type"]) {
    if (input.cursor === undefined) {
      return {
        _tag: "Since" as const,
        since: input.updated_since === undefined ? null : Date.parse(input.updated_since)
      }
    }
    const position = decodeCursor(input.cursor)
    if (Option.isNone(position)) return yield* invalid("cursor", "Expected the next_cursor of an earlier page")
    return { _tag: "After" as const, position: position.value }
  })

  const list: HandlerOf<typeof ListLeads> = Effect.fn("LeadReader.list")(function*(input) {
    const caller = yield* Caller
    const from = yield* startOf(input)
    const page = yield* feed.page({
      orgId: caller.organization.org_id,
      visible: Territory.visible(caller),
      from,
      recordedBefore: (yield* Clock.currentTimeMillis) - feedDelayMillis,
      limit: Math.min(input.limit ?? maximumItems, maximumItems)
    })
    return {
      items: page.items,
      next_cursor: page.last === null ? input.cursor ?? null : encodeCursor(page.last),
      has_more: page.hasMore
    }
  })

  const bundle: HandlerOf<typeof GetLeadBundle> = Effect.fn("LeadReader.bundle")(function*(input) {
    const caller = yield* Caller
    const { organization } = caller
    const now = yield* Clock.currentTimeMillis
    // The source leaves out whoever asked not to be listed; what it cannot say so of is not delivered.
    const facts = yield* source.read(PropertyRef.parse(input.property_id), organization.org_id).pipe(
      Effect.catchTag(
        "TEMPORARILY_UNAVAILABLE",
        ({ retryAfterSeconds }) => Effect.fail(new ComplianceCheckUnavailable({ retryAfterSeconds }))
      )
    )
    const property = yield* visible(Option.map(facts, (each) => each.property), caller)
    const covered = Territory.covers(organization, property.countyFips)
    if (Option.isNone(facts) || !property.unlocked && !covered) {
      return yield* new NotEntitled()
    }
    const bundle = bundleOf(facts.value, { organization, partial: false, appUrl, now })
    const limits = ofCaller(caller, now)
    const taken = recordsOf(bundle)
    const billed = ledger.transact(
      {
        orgId: organization.org_id,
        subject: { _tag: "Exports", monthStart: monthStart(now), propertyId: property.id },
        exclusive: false,
        now,
        usage: queryOf(limits, { records: taken })
      },
      Receipt.withRemaining((snapshot) =>
        decideExport(snapshot, {
          propertyId: property.id,
          covered,
          records: taken,
          limits,
          maxCredits: input.maxCredits,
          actor: Acting.actor(caller),
          requestId: caller.requestId,
          now
        }), limits)
    ).pipe(
      // It cannot be: the command is not exclusive.
      Effect.catchTag("ACTION_IN_PROGRESS", Effect.die)
    )
    const { value: { records, ...billing }, ...left } = yield* deciding(property.id, caller, billed)
    yield* tell(records)
    yield* Receipt.tell({ charged: billing.credits_charged, ...left })
    return {
      bundle,
      ...billing,
      delivery_id: yield* random.uuidV4()
    }
  })

  return { list, bundle }
})

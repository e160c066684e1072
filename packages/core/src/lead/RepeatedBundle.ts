/**
 * A lead's bundle that is told again to a request that is repeated under its name (`operation/Idempotency`): the first one, less
 * whoever is not listed any more. Who asked meanwhile not to be mailed or called is told of with that wish.
 *
 * What was kept before a suppression is closed by it like whatever is built after it. Nothing else stands in it that was not
 * delivered before, so that nothing is charged, counted or asked of the caller's rights.
 */
import { Effect, Option, Schema } from "effect"
import { Caller } from "../access/Caller.ts"
import { ComplianceCheckUnavailable, NotFound } from "../coverage/CoverageRefusals.ts"
import { BundleSource } from "./BundleSource.ts"
import { bundleOf } from "./LeadBundles.ts"
import type { LeadBundle } from "./LeadOperations.ts"
import { namedBy } from "./OutdatedBundle.ts"

const Rest = Schema.Record(Schema.String, Schema.Unknown)
const Text = Schema.NullOr(Schema.String)

const withRest = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.StructWithRest(Schema.Struct(fields), [Rest])

/** What of a bundle names somebody, beside whatever else a version of the program has put in it. */
const Kept = Schema.Struct({
  bundle: withRest({
    service_property_id: Schema.String,
    property: withRest({ record_owner: Text, beneficial_owner: Text, ai_rationale: Text }),
    organizations: Schema.Array(withRest({ name: Schema.String, role: Schema.String })),
    contacts: Schema.Array(withRest({ service_contact_id: Schema.String }))
  })
})
type Bundle = (typeof Kept)["Type"]["bundle"]

/** What was told, if it is told now. */
const still = (before: string | null, now: string | null): string | null => before === now ? before : null

/** The bundle without the people and owners whom the one of now does not name, and with what people ask for now. */
const listedOf = (before: Bundle, now: LeadBundle): Bundle => {
  const { firm, person, wish } = namedBy(now)
  const { property } = before
  return {
    ...before,
    property: {
      ...property,
      record_owner: still(property.record_owner, now.property.record_owner),
      beneficial_owner: still(property.beneficial_owner, now.property.beneficial_owner),
      ai_rationale: still(property.ai_rationale, now.property.ai_rationale),
      ...now.property.owner_withheld === undefined ? {} : { owner_withheld: now.property.owner_withheld }
    },
    organizations: before.organizations.filter(firm),
    contacts: before.contacts.filter(person).map((each) => ({ ...each, do_not_contact: wish(each) }))
  }
}

/** `kept`: what was answered at first. */
export const told = Effect.fn("RepeatedBundle.told")(function*(
  kept: unknown
): Effect.fn.Return<unknown, ComplianceCheckUnavailable | NotFound, BundleSource | Caller> {
  const { organization } = yield* Caller
  const source = yield* BundleSource
  const { bundle } = yield* Effect.orDie(Schema.decodeUnknownEffect(Kept)(kept))
  const read = (id: string) => source.read({ _tag: "Id", id }, organization.org_id)
  const found = yield* read(bundle.service_property_id).pipe(
    // Who was of a record that was merged is of its survivor.
    Effect.flatMap((facts) => {
      const heir = Option.getOrUndefined(facts)?.property.retiredInto ?? null
      return heir === null ? Effect.succeed(facts) : read(heir)
    }),
    Effect.catchTag(
      "TEMPORARILY_UNAVAILABLE",
      ({ retryAfterSeconds }) => Effect.fail(new ComplianceCheckUnavailable({ retryAfterSeconds }))
    )
  )
  if (Option.isNone(found)) return yield* new NotFound({ resource: "property" })
  const now = bundleOf(found.value, { organization, partial: false, appUrl: null, now: 0 })
  return { bundle: listedOf(bundle, now) }
})

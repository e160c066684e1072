/**
 * The document of `freehold apply`: organizations with their keys, members and grants, as an operator wants them.
 *
 * Everything but the ids is optional; what is left out keeps its value. Unknown keys are refused. What two entries of
 * one document must not share (an id, a name, an email, a reference, a secret) is checked here too. Implements
 * operator.md, "The `apply` document".
 */
import { Redacted, Result, Schema, Struct } from "effect"
import * as ApiKey from "../access/ApiKey.ts"
import { KeyDailyLimits } from "../access/KeyDailyLimits.ts"
import { maximumKeyName } from "../access/Keys.ts"
import { Bucket } from "../credit/Bucket.ts"
import { maximumBalance } from "../credit/Grant.ts"
import { decoder, type InputIssue, InvalidInput } from "../operation/InvalidInput.ts"
import { IsoMoment } from "../operation/IsoMoment.ts"
import { oneLine } from "../operation/PlainText.ts"
import { Scope } from "../operation/Scope.ts"
import {
  DailyLimit,
  Entitlement,
  ExportAllowance,
  Features,
  Organization,
  OrganizationId,
  RecordsAllowance,
  ServiceableArea
} from "../organization/Organization.ts"
import { MemberRole, MemberTerritory } from "../organization/Organizations.ts"

const KeyName = Schema.String.check(
  Schema.makeFilter((name: string) =>
    name.length >= 1 && name.length <= maximumKeyName || `Expected 1 to ${maximumKeyName} characters`
  ),
  oneLine
)

const Name = Schema.String.check(
  Schema.makeFilter((name: string) => name.trim() !== "" && name.length <= 200 || "Expected 1 to 200 characters"),
  oneLine
)

const Ref = Schema.String.check(
  Schema.makeFilter((ref: string) => ref !== "" && ref.length <= 200 || "Expected 1 to 200 characters"),
  oneLine
)

const Email = Schema.String.check(
  Schema.makeFilter((email: string) =>
    /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 320 || "Expected an email address"
  )
)

const Secret = Schema.String.check(
  Schema.makeFilter((secret: string) =>
    ApiKey.isWellFormed(secret) || "Expected a key: fhk_ and 43 letters, digits, '-' or '_'"
  )
)

const allOptional = Struct.map(Schema.optionalKey)

const Limits = Schema.optionalKey(Schema.NullOr(DailyLimit))

const GrantPart = Schema.Struct({
  ref: Ref,
  bucket: Bucket,
  amount: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumBalance })),
  expires_at: Schema.optionalKey(Schema.NullOr(IsoMoment))
})

/** A key that the document wants an organization to have. */
export const KeyPart = Schema.Struct({
  name: KeyName,
  scopes: Schema.optionalKey(Schema.Array(Scope)),
  daily_limits: Schema.optionalKey(KeyDailyLimits),
  secret: Schema.optionalKey(Schema.RedactedFromValue(Secret))
})
export type KeyPart = typeof KeyPart.Type

/** A person of an organization. */
export const MemberPart = Schema.Struct({
  email: Email,
  name: Schema.optionalKey(Name),
  role: Schema.optionalKey(MemberRole),
  seat: Schema.optionalKey(Schema.Boolean),
  status: Schema.optionalKey(Schema.Literals(["active", "removed"])),
  territory: Schema.optionalKey(MemberTerritory),
  monthly_credit_limit: Schema.optionalKey(Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))))
})
export type MemberPart = typeof MemberPart.Type

/** An organization with everything that hangs on it. */
export const OrganizationPart = Schema.Struct({
  ...Organization.mapFields(allOptional).fields,
  org_id: OrganizationId,
  name: Schema.optionalKey(Name),
  serviceable_area: Schema.optionalKey(ServiceableArea.mapFields(allOptional)),
  entitlement: Schema.optionalKey(Entitlement.mapFields(allOptional)),
  features: Schema.optionalKey(Features.mapFields(allOptional)),
  export_allowance: Schema.optionalKey(ExportAllowance.mapFields(allOptional)),
  daily_limits: Schema.optionalKey(Schema.Struct({
    contact_reveal: Limits,
    lead_export: Limits,
    agent_pipeline_change: Limits,
    paid_property_unlock: Limits,
    records_taken_per_day: Limits
  })),
  records_allowance: Schema.optionalKey(Schema.NullOr(RecordsAllowance.mapFields(allOptional))),
  grants: Schema.optionalKey(Schema.Array(GrantPart)),
  keys: Schema.optionalKey(Schema.Array(KeyPart)),
  members: Schema.optionalKey(Schema.Array(MemberPart))
})
export type OrganizationPart = typeof OrganizationPart.Type

/** What `apply` takes: organizations as they are to be. */
export const ApplyDocument = Schema.Struct({ organizations: Schema.Array(OrganizationPart) })
export type ApplyDocument = typeof ApplyDocument.Type

/** An issue for every field whose text an earlier one has. */
const repeated = (
  fields: ReadonlyArray<{ readonly field: string; readonly text: string }>
): ReadonlyArray<InputIssue> => {
  const seen = new Set<string>()
  return fields.flatMap(({ field, text }) => {
    if (seen.has(text)) return [{ field, message: "Expected each only once" }]
    seen.add(text)
    return []
  })
}

const repetitions = ({ organizations }: ApplyDocument): ReadonlyArray<InputIssue> => [
  ...repeated(organizations.map(({ org_id }, index) => ({ field: `organizations.${index}.org_id`, text: org_id }))),
  ...organizations.flatMap(({ grants = [], keys = [], loss_reasons = [], members = [] }, index) => {
    const at = `organizations.${index}`
    return [
      ...repeated(grants.map(({ ref }, each) => ({ field: `${at}.grants.${each}.ref`, text: ref }))),
      ...repeated(loss_reasons.map(({ code }, each) => ({ field: `${at}.loss_reasons.${each}.code`, text: code }))),
      ...repeated(keys.map(({ name }, each) => ({ field: `${at}.keys.${each}.name`, text: name }))),
      ...repeated(members.map(({ email }, each) => ({
        field: `${at}.members.${each}.email`,
        text: email.toLowerCase()
      })))
    ]
  }),
  ...repeated(organizations.flatMap(({ keys = [] }, index) =>
    keys.flatMap(({ secret }, each) =>
      secret === undefined
        ? []
        : [{ field: `organizations.${index}.keys.${each}.secret`, text: Redacted.value(secret) }]
    )
  ))
]

const contractPeriods = ({ organizations }: ApplyDocument): ReadonlyArray<InputIssue> =>
  organizations.flatMap(({ records_allowance: allowance }, index) => {
    const period = allowance?.period
    return period === undefined || typeof period === "string" || Schema.is(IsoMoment)(period.start)
      ? []
      : [{
        field: `organizations.${index}.records_allowance.period.start`,
        message: "Expected an ISO-8601 time"
      }]
  })

const decodeParts = decoder(ApplyDocument)

/** Every fault of the document with its path, or the document. */
export const decode = (input: unknown): Result.Result<ApplyDocument, InvalidInput> =>
  Result.flatMap(decodeParts(input), (document) => {
    const issues = [...repetitions(document), ...contractPeriods(document)]
    return issues.length === 0 ? Result.succeed(document) : Result.fail(new InvalidInput({ issues }))
  })

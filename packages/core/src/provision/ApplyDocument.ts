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
import { within } from "../operation/Characters.ts"
import { decoder, type InputIssue, InvalidInput } from "../operation/InvalidInput.ts"
import { IsoMoment } from "../operation/IsoMoment.ts"
import { oneLine } from "../operation/PlainText.ts"
import { Scope } from "../operation/Scope.ts"
import {
  DailyLimit,
  type DailyLimitKind,
  dailyLimitMeanings,
  Entitlement,
  ExportAllowance,
  Features,
  Organization,
  RecordsAllowance,
  ServiceableArea
} from "../organization/Organization.ts"
import { MemberRole, MemberTerritory, MonthlyCreditLimit } from "../organization/Organizations.ts"

/** The same schema with a sentence for whoever writes the value. */
const told = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] => schema.annotate({ description })

const KeyName = told(Schema.String, "What people call the key; keys are matched by it.").check(
  Schema.makeFilter((name: string) => within(name, 1, maximumKeyName) || `Expected 1 to ${maximumKeyName} characters`),
  oneLine
)

const Name = told(Schema.String, "What people call it, or them.").check(
  Schema.makeFilter((name: string) => name.trim() !== "" && name.length <= 200 || "Expected 1 to 200 characters"),
  oneLine
)

const Ref = told(Schema.String, "The operator's own reference; a known one grants nothing again.").check(
  Schema.makeFilter((ref: string) => ref !== "" && ref.length <= 200 || "Expected 1 to 200 characters"),
  oneLine
)

const Email = told(
  Schema.String,
  "The address by which the member signs in first; members are matched by it."
).check(
  Schema.makeFilter((email: string) =>
    /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 320 || "Expected an email address"
  )
)

const Secret = told(
  Schema.String,
  "For reproducible environments: the key itself, fhk_ and 43 letters, digits, '-' or '_'. Made where it is absent."
).check(
  Schema.makeFilter((secret: string) =>
    ApiKey.isWellFormed(secret) || "Expected a key: fhk_ and 43 letters, digits, '-' or '_'"
  )
)

const allOptional = Struct.map(Schema.optionalKey)

const limits = (kind: DailyLimitKind) => Schema.optionalKey(told(Schema.NullOr(DailyLimit), dailyLimitMeanings[kind]))

const GrantPart = Schema.Struct({
  ref: Ref,
  bucket: told(Bucket, "The bucket that the credits go to."),
  amount: told(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumBalance })), "Whole credits."),
  expires_at: Schema.optionalKey(
    told(Schema.NullOr(IsoMoment), "When what is left of it expires; of a new one, a time to come. null: never.")
  )
})

/** A key that the document wants an organization to have. */
export const KeyPart = Schema.Struct({
  name: KeyName,
  scopes: Schema.optionalKey(told(Schema.Array(Scope), "What the key may do.")),
  daily_limits: Schema.optionalKey(told(KeyDailyLimits, "Limits of this key a UTC day. null: none; 0 pauses it.")),
  expires_at: Schema.optionalKey(
    told(Schema.NullOr(IsoMoment), "Until when the key works; a new time is one to come. null: it does not expire.")
  ),
  secret: Schema.optionalKey(Schema.RedactedFromValue(Secret))
})
export type KeyPart = typeof KeyPart.Type

/** A person of an organization. */
export const MemberPart = Schema.Struct({
  email: Email,
  name: Schema.optionalKey(Name),
  role: Schema.optionalKey(told(MemberRole, "What the member may do.")),
  seat: Schema.optionalKey(told(Schema.Boolean, "false: no assistant can be connected.")),
  status: Schema.optionalKey(told(Schema.Literals(["active", "removed"]), "removed ends every connection.")),
  territory: Schema.optionalKey(
    told(MemberTerritory, "The counties of the serviceable area that the member sees. null: all of it.")
  ),
  monthly_credit_limit: Schema.optionalKey(
    told(
      Schema.NullOr(MonthlyCreditLimit),
      "Credits that the member may spend in a UTC month. null: no limit of their own."
    )
  )
})
export type MemberPart = typeof MemberPart.Type

/** An organization with everything that hangs on it. */
export const OrganizationPart = Schema.Struct({
  ...Organization.mapFields(allOptional).fields,
  org_id: Organization.fields.org_id,
  name: Schema.optionalKey(Name),
  serviceable_area: Schema.optionalKey(told(ServiceableArea.mapFields(allOptional), "What its keys see.")),
  entitlement: Schema.optionalKey(
    told(Entitlement.mapFields(allOptional), "What its subscription covers, free of credits.")
  ),
  features: Schema.optionalKey(told(Features.mapFields(allOptional), "What is switched on.")),
  export_allowance: Schema.optionalKey(
    told(ExportAllowance.mapFields(allOptional), "What may be exported in a month.")
  ),
  daily_limits: Schema.optionalKey(told(
    Schema.Struct({
      contact_reveal: limits("contact_reveal"),
      lead_export: limits("lead_export"),
      agent_pipeline_change: limits("agent_pipeline_change"),
      paid_property_unlock: limits("paid_property_unlock"),
      records_taken_per_day: limits("records_taken_per_day")
    }),
    "Limits of a UTC day for kinds of data. null: no limit."
  )),
  records_allowance: Schema.optionalKey(told(
    Schema.NullOr(RecordsAllowance.mapFields(allOptional)),
    "Records that the subscription includes; in force with the feature of that name."
  )),
  grants: Schema.optionalKey(told(Schema.Array(GrantPart), "Credits, each once for its ref.")),
  keys: Schema.optionalKey(told(Schema.Array(KeyPart), "API keys; those that are not named stay.")),
  members: Schema.optionalKey(told(Schema.Array(MemberPart), "People; those that are not named stay."))
})
export type OrganizationPart = typeof OrganizationPart.Type

const shown = Schema.optionalKey(
  told(Schema.Record(Schema.String, Schema.Unknown), "What `org show` tells of an organization; changes nothing.")
)

/** What `apply` takes: organizations as they are to be. */
export const ApplyDocument = Schema.Struct({
  organizations: told(Schema.Array(OrganizationPart), "One entry an organization."),
  credit_balance: shown,
  usage: shown
})
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

const decodeParts = decoder(ApplyDocument, { hints: true })

/** Every fault of the document with its path, or the document. */
export const decode = (input: unknown): Result.Result<ApplyDocument, InvalidInput> =>
  Result.flatMap(decodeParts(input), (document) => {
    const issues = [...repetitions(document), ...contractPeriods(document)]
    return issues.length === 0 ? Result.succeed(document) : Result.fail(new InvalidInput({ issues }))
  })

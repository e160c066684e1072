/** How leads are written into an organization's CRM: which CRM it is, and what it calls our stages. Nothing in it is secret. */
import { Schema } from "effect"
import { oneLine } from "../operation/PlainText.ts"
import type { Stage } from "../stage/Stage.ts"

const Name = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200), oneLine)

/** What the CRM calls each stage; one that is left out is `qualified` there. */
const Stages = Schema.Struct({
  qualified: Name,
  attempted_contact: Schema.optionalKey(Name),
  active_opportunity: Schema.optionalKey(Name),
  won: Schema.optionalKey(Name),
  lost: Schema.optionalKey(Name),
  disqualified: Schema.optionalKey(Name)
})

export const HubSpotSettings = Schema.Struct({
  kind: Schema.Literal("hubspot"),
  /** Id of the deals' pipeline that the stages are of. */
  pipeline: Name,
  stages: Stages
})
export type HubSpotSettings = typeof HubSpotSettings.Type

export const SalesforceSettings = Schema.Struct({
  kind: Schema.Literal("salesforce"),
  /** An opportunity must have a close date: so many days after the lead was qualified. */
  close_after_days: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3650 })),
  stages: Stages
})
export type SalesforceSettings = typeof SalesforceSettings.Type

/** What a connected app of Salesforce signs in by; of HubSpot it is the access token of a private app, as it is. */
export const SalesforceCredentials = Schema.fromJsonString(Schema.Struct({
  client_id: Schema.String.check(Schema.isMinLength(1)),
  client_secret: Schema.String.check(Schema.isMinLength(1)),
  refresh_token: Schema.optionalKey(Schema.String.check(Schema.isMinLength(1)))
}))

export const CrmSettings = Schema.Union([HubSpotSettings, SalesforceSettings])
export type CrmSettings = typeof CrmSettings.Type

/** The CRM's name of a stage. */
export const stageIn = ({ stages }: CrmSettings, stage: Stage): string => stages[stage] ?? stages.qualified

/** An organization's admins set what is theirs to set. */
import { Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import type { HandlerOf } from "../access/Handler.ts"
import { defaultPipelineCap } from "../limit/DailyLimit.ts"
import { invalid, InvalidInput } from "../operation/InvalidInput.ts"
import { DailyLimitKind, type Organization } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { lossReasonsOf } from "../stage/LossReason.ts"
import * as Administration from "./Administration.ts"
import { type ChangeSettings, type GetSettings, maximumLossReasons } from "./SettingsOperations.ts"

const settingsOf = ({ agent_pipeline_changes, daily_limits, loss_reasons, member_connect }: Organization) => ({
  daily_limits: {
    contact_reveal: daily_limits.contact_reveal?.organization ?? null,
    lead_export: daily_limits.lead_export?.organization ?? null,
    agent_pipeline_change: daily_limits.agent_pipeline_change?.organization ?? null,
    paid_property_unlock: daily_limits.paid_property_unlock?.organization ?? null,
    records_taken_per_day: daily_limits.records_taken_per_day?.organization ?? null
  },
  agent_pipeline_changes,
  member_connect,
  loss_reasons
})

type Change = (typeof ChangeSettings)["input"]["Type"]

/** The organization's own layer alone: what the service set stays. */
const limitsWith = (limits: Organization["daily_limits"], given: NonNullable<Change["daily_limits"]>) => {
  const changed = DailyLimitKind.literals.flatMap((kind) => {
    const organization = given[kind]
    return organization === undefined ? [] : [[kind, { ...limits[kind], organization }] as const]
  })
  return { ...limits, ...Object.fromEntries(changed) }
}

/** What was added and taken away alone: reasons of which whoever changes them does not know stay. */
const reasonsWith = Effect.fnUntraced(function*(
  reasons: Organization["loss_reasons"],
  { add_loss_reasons: added = [], remove_loss_reasons: removed = [] }: Change
) {
  const left = reasons.filter(({ code }) => !removed.includes(code))
  const codes = [...left, ...added].map(({ code }) => code)
  // Two reasons of one code could not be told apart.
  const issues = added.flatMap(({ code }, index) =>
    codes.indexOf(code) < left.length + index
      ? [{ field: `add_loss_reasons.${index}.code`, message: "Expected each only once" }]
      : []
  )
  if (issues.length > 0) return yield* new InvalidInput({ issues })
  if (added.length > 0 && codes.length > maximumLossReasons) {
    return yield* invalid("add_loss_reasons", `Expected at most ${maximumLossReasons} of your own`)
  }
  return [...left, ...added]
})

export const make = Effect.gen(function*() {
  const organizations = yield* Organizations
  const { change } = yield* Administration.make

  const read: HandlerOf<typeof GetSettings> = Effect.fn("SettingsDesk.read")(function*() {
    const { organization } = yield* Caller
    return {
      settings: settingsOf(organization),
      kinds: DailyLimitKind.literals,
      daily_limit_defaults: {
        contact_reveal: null,
        lead_export: null,
        agent_pipeline_change: defaultPipelineCap(organization.monthly_credit_allotment),
        paid_property_unlock: null,
        records_taken_per_day: null
      },
      common_loss_reasons: lossReasonsOf({ loss_reasons: [] })
    }
  })

  const update: HandlerOf<typeof ChangeSettings> = Effect.fn("SettingsDesk.update")((input) =>
    change(Effect.fnUntraced(function*(before) {
      const after: Organization = {
        ...before,
        daily_limits: limitsWith(before.daily_limits, input.daily_limits ?? {}),
        agent_pipeline_changes: input.agent_pipeline_changes ?? before.agent_pipeline_changes,
        member_connect: input.member_connect ?? before.member_connect,
        loss_reasons: yield* reasonsWith(before.loss_reasons, input)
      }
      const difference = Administration.differenceOf(settingsOf(before), settingsOf(after))
      if (difference === null) return [settingsOf(before), null]
      yield* organizations.save(after)
      return [settingsOf(after), {
        action: "settings.changed",
        subject: { id: after.org_id, name: after.name },
        ...difference
      }]
    }))
  )

  return { read, update }
})

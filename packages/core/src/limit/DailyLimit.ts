/**
 * Level 2: how much of each kind of data may be used in a UTC day, in three layers that each count their own scope.
 *
 * | layer              | counts what           | set by                   | code                          |
 * | ------------------ | --------------------- | ------------------------ | ----------------------------- |
 * | greenfinch_admin   | the organization uses | the service              | ACCOUNT_DAILY_CAP_EXCEEDED    |
 * | organization       | the organization uses | the organization's admin | DAILY_CAP_EXCEEDED            |
 * | key                | that key uses         | the organization's admin | CREDENTIAL_DAILY_CAP_EXCEEDED |
 *
 * A layer refuses when what was used and what is needed exceed its cap; the lowest cap among those that refuse is
 * reported. null and absent: no value of its own; 0: paused. Two kinds have a default where a layer has no value: agent
 * pipeline changes at the organization, and, while a records allowance is in force, records at the service and at each
 * key, derived from the allowance. service-api "Level 2", decisions section 19.
 */
import { Schema } from "effect"
import type { KeyDailyLimits } from "../access/KeyDailyLimits.ts"
import type { DailyLimitKind, Organization } from "../organization/Organization.ts"

/** The service's own layer, in the words of the specification. */
export const serviceLayer = "greenfinch_admin"

/** The layers, the widest first. */
export const LimitLayer = Schema.Literals([serviceLayer, "organization", "key"])
export type LimitLayer = typeof LimitLayer.Type

export interface Cap {
  readonly value: number
  /** Computed from the records allowance. */
  readonly derived: boolean
}

/** The caps of one kind; null: the layer has none. */
export type DailyCaps = Readonly<Record<LimitLayer, Cap | null>>

/** No layer has a cap. */
export const uncapped: DailyCaps = { greenfinch_admin: null, organization: null, key: null }

/** What was used today of one kind, by scope. */
export interface Used {
  readonly organization: number
  readonly key: number
}

/** Three days' share of the allowance. */
export const derivedRecordsCap = (records: number, daysInPeriod: number): number =>
  Math.ceil((3 * records) / daysInPeriod)

export const defaultPipelineCap = (monthlyAllotment: number): number => Math.max(25, Math.floor(monthlyAllotment / 30))

const capOf = (value: number | null | undefined, fallback: Cap | null): Cap | null =>
  value === null || value === undefined ? fallback : { value, derived: false }

/** The caps in force. `derivedRecords`: the derived cap of records, null while no allowance is in force. */
export const capsOf = (
  kind: DailyLimitKind,
  organization: Pick<Organization, "daily_limits" | "monthly_credit_allotment">,
  key: KeyDailyLimits | null,
  derivedRecords: number | null
): DailyCaps => {
  const derived = kind === "records_taken_per_day" && derivedRecords !== null
    ? { value: derivedRecords, derived: true }
    : null
  const pipeline = kind === "agent_pipeline_change"
    ? { value: defaultPipelineCap(organization.monthly_credit_allotment), derived: false }
    : null
  const given = organization.daily_limits[kind]
  return {
    [serviceLayer]: capOf(given?.service, derived),
    organization: capOf(given?.organization, pipeline),
    key: key === null ? null : capOf(key[kind], derived)
  }
}

/** A layer with its cap and what it counted. */
export interface LayerUse extends Cap {
  readonly layer: LimitLayer
  readonly used: number
}

/** The layers that have a cap, the widest first. */
export const layersOf = (caps: DailyCaps, used: Used): ReadonlyArray<LayerUse> =>
  LimitLayer.literals.flatMap((layer) => {
    const cap = caps[layer]
    return cap === null ? [] : [{ ...cap, layer, used: layer === "key" ? used.key : used.organization }]
  })

/** One layer that speaks for all that say the same; `layers` names them when they are several. */
export interface Reported extends LayerUse {
  readonly layers: ReadonlyArray<LimitLayer>
}

const report = (same: ReadonlyArray<LayerUse>): Reported | null => {
  const [widest] = same
  return widest === undefined ? null : { ...widest, layers: same.map(({ layer }) => layer) }
}

/** The layer that refuses the need, null: none does. */
export const refusing = (caps: DailyCaps, used: Used, need: number): Reported | null => {
  const over = layersOf(caps, used).filter((each) => each.used + need > each.value)
  const lowest = Math.min(...over.map(({ value }) => value))
  return report(over.filter(({ value }) => value === lowest))
}

/** How much may still be used today; Infinity: any amount. */
export const roomOf = (caps: DailyCaps, used: Used): number =>
  Math.max(0, Math.min(...layersOf(caps, used).map((each) => each.value - each.used)))

/** The layer with the least left, of equals the lowest cap; null: no layer has a cap. */
export const tightest = (caps: DailyCaps, used: Used): Reported | null => {
  const layers = layersOf(caps, used)
  const left = Math.min(...layers.map((each) => each.value - each.used))
  const least = layers.filter((each) => each.value - each.used === left)
  const lowest = Math.min(...least.map(({ value }) => value))
  return report(least.filter(({ value }) => value === lowest))
}

/** The two plans, in ascending order of what they open. service-api "What the service does". */
import { Schema } from "effect"

export const Plan = Schema.Literals(["team", "enterprise"])
export type Plan = typeof Plan.Type

/** Whether `plan` has what needs at least `minimum`. */
export const includes = (plan: Plan, minimum: Plan): boolean => plan === "enterprise" || minimum === "team"

/** Requests a minute for one key, unless the organization has its own number. service-api "Level 1". */
export const requestsPerMinute: Readonly<Record<Plan, number>> = { team: 120, enterprise: 300 }

/** Requests a UTC day for all keys of an organization; null: no ceiling. service-api "Level 1". */
export const requestsPerDay: Readonly<Record<Plan, number | null>> = { team: null, enterprise: 50_000 }

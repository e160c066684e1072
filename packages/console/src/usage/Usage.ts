/** What the page of usage is told, and how it writes what is used of a limit. */
import { number } from "../part/Wording.ts"
import type { Output } from "../service/Call.ts"

export type Usage = Output<"app_get_usage">
export type OrganizationUsage = NonNullable<Usage["organization"]>

/** `12 of 100`; without a limit so. */
export const ofLimit = (used: number, limit: number | null): string =>
  limit === null ? `${number(used)}, no limit` : `${number(used)} of ${number(limit)}`

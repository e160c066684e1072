/**
 * The part of `authorize` and `authorize_person` that both have: the settings of an organization, sent only when they
 * changed since this process last saw them, and the counters of a request.
 */
import * as Plan from "@freehold/core/operation/Plan"
import { remember } from "@freehold/core/operation/Remember"
import { nextMidnight } from "@freehold/core/operation/UtcTime"
import { Organization } from "@freehold/core/organization/Organization"
import { type Counted, windowMillis } from "@freehold/core/rate/RateWindow"
import { Effect, Schema } from "effect"

/** Callers whose organization is remembered; the one that was met first is forgotten first. */
const maximumRemembered = 20_000

/** What the plans allow, in the order of the functions' arguments. */
export const allowances = [
  Plan.requestsPerMinute.team,
  Plan.requestsPerMinute.enterprise,
  Plan.requestsPerDay.team,
  Plan.requestsPerDay.enterprise
] as const

export const fields = {
  org_revision: Schema.Int,
  /** Read where it is not null (`organizationOf`). */
  org_profile: Schema.Unknown,
  minute_admitted: Schema.Boolean,
  minute_limit: Schema.Int,
  minute_used: Schema.Int,
  minute_started_at: Schema.Int,
  day_admitted: Schema.Boolean,
  day_limit: Schema.NullOr(Schema.Int),
  day_used: Schema.Int
}

const Row = Schema.Struct(fields)
export type Row = typeof Row.Type

const decode = Schema.decodeUnknownEffect(Organization)

/** The counters after a request at `now`. */
export const counters = (row: Row, now: number): { readonly minute: Counted; readonly day: Counted | null } => ({
  minute: {
    admitted: row.minute_admitted,
    limit: row.minute_limit,
    used: row.minute_used,
    resetsAt: row.minute_started_at + windowMillis
  },
  day: row.day_limit === null
    ? null
    : { admitted: row.day_admitted, limit: row.day_limit, used: row.day_used, resetsAt: nextMidnight(now) }
})

/** A minute in which nothing is left, until the window ends. */
export const exhausted = (window: Pick<Row, "minute_limit" | "minute_started_at">): Counted => ({
  admitted: false,
  limit: window.minute_limit,
  used: window.minute_limit,
  resetsAt: window.minute_started_at + windowMillis
})

export interface Remembered {
  readonly revision: number
  readonly organization: Organization
}

/** The settings that this process has seen, by whatever names a caller. */
export class KnownOrganizations {
  readonly #known = new Map<string, Remembered>()

  /** What goes with the question: the revision that is known, and of which organization. */
  get(caller: string): Remembered | undefined {
    return this.#known.get(caller)
  }

  forget(caller: string): void {
    this.#known.delete(caller)
  }

  /** The organization of an answer to a question that carried the known revision. */
  organizationOf(caller: string, row: Pick<Row, "org_profile" | "org_revision">): Effect.Effect<Organization> {
    if (row.org_profile === null) {
      const known = this.#known.get(caller)
      return known === undefined
        ? Effect.die("the answer left out settings that were not known")
        : Effect.succeed(known.organization)
    }
    return Effect.map(Effect.orDie(decode(row.org_profile)), (organization) => {
      remember(this.#known, caller, { revision: row.org_revision, organization }, maximumRemembered)
      return organization
    })
  }
}

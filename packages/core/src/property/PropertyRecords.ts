/**
 * What reading properties with their people delivers in full, once they are open: told before an unlock is paid for, since what
 * cannot be read is of no use to whoever paid for it.
 */
import { Effect } from "effect"
import type { Limits } from "../limit/Limits.ts"
import type { RecordRef } from "../limit/Usage.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Properties } from "./Properties.ts"

/** A property as it stands once it is open. */
export interface Opened {
  readonly id: string
  /** Paid for, and not covered alone. */
  readonly paid: boolean
  /** There is research of it, without which the property itself is no record. */
  readonly researched: boolean
}

/** What a usage is asked about. */
export interface Opening {
  readonly records: ReadonlyArray<RecordRef>
  /** Whom the subscription alone covers: each draws the day's reveals, and stays closed beyond them. */
  readonly contacts: ReadonlyArray<string>
}

/** Where no records are counted, and of what reads none. */
export const uncounted: Opening = { records: [], contacts: [] }

export const make = Effect.gen(function*() {
  const properties = yield* Properties

  const peopleOf = (orgId: OrganizationId, opened: ReadonlyArray<Opened>) =>
    opened.length === 0 ? Effect.succeed([]) : properties.people(opened.map(({ id }) => id), orgId)

  /** Of the properties; nothing is looked for where no records are counted. */
  return Effect.fn("PropertyRecords.of")(
    function*({ countsRecords }: Limits, orgId: OrganizationId, opened: ReadonlyArray<Opened>) {
      if (!countsRecords || opened.length === 0) return uncounted
      const [paid, covered] = yield* Effect.all([
        peopleOf(orgId, opened.filter((each) => each.paid)),
        peopleOf(orgId, opened.filter((each) => !each.paid))
      ], { concurrency: 2 })
      const withPaid = new Set(paid.map(({ id }) => id))
      const others = covered.filter(({ id }) => !withPaid.has(id))
      const opening: Opening = {
        records: [
          ...opened.flatMap(({ id, researched }): ReadonlyArray<RecordRef> =>
            researched ? [{ kind: "property", id }] : []
          ),
          ...[...paid, ...others].map(({ id }): RecordRef => ({ kind: "contact", id }))
        ],
        contacts: others.flatMap(({ id, opened: isOpen }) => isOpen ? [] : [id])
      }
      return opening
    }
  )
})

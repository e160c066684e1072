/**
 * What of the ledger's entries is told to the caller. Amounts, balances and who was charged are the organization's; what lies
 * beyond a member's territory is not named in them: the id of the subject is null, and so is the reason of its refund, which
 * people write. Where a firm's places lie is not looked at, and an own action is about whatever its application says.
 */
import { Array, Effect } from "effect"
import { Caller } from "../access/Caller.ts"
import { Standings } from "../coverage/Standings.ts"
import * as Territory from "../coverage/Territory.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"

const subjectsOf = (
  entries: ReadonlyArray<LedgerEntry>,
  ...types: ReadonlyArray<LedgerEntry["subject_type"]>
): ReadonlyArray<string> =>
  Array.dedupe(
    entries.flatMap(({ subject_id, subject_type }) =>
      subject_id !== null && types.includes(subject_type) ? [subject_id] : []
    )
  )

export const make = Effect.gen(function*() {
  const standings = yield* Standings

  /** Those of the places and people that the caller sees, by one statement. */
  const seen = Effect.fnUntraced(function*(entries: ReadonlyArray<LedgerEntry>) {
    const caller = yield* Caller
    const sees = (countyFips: string) => Territory.sees(caller, countyFips)
    const { contacts, properties } = yield* standings.read({
      orgId: caller.organization.org_id,
      properties: subjectsOf(entries, "property", "lead"),
      contacts: subjectsOf(entries, "contact")
    })
    return new Set([
      // What is told of a retired record is its survivor's.
      ...properties.flatMap(({ countyFips, id, retiredInto }) => retiredInto === null && sees(countyFips) ? [id] : []),
      ...contacts.flatMap(({ counties, id }) => counties.some(sees) ? [id] : [])
    ])
  })

  /** The entries as the caller is told them: none is left out, so that numbers and balances go on. */
  return Effect.fn("EntrySight.told")(function*(entries: ReadonlyArray<LedgerEntry>) {
    // Whoever sees all of the organization's area is told all of its ledger.
    if ((yield* Caller).territory === null) return entries
    const told = yield* seen(entries)
    return entries.map((entry): LedgerEntry =>
      entry.subject_type === null || entry.subject_id !== null && told.has(entry.subject_id)
        ? entry
        : { ...entry, subject_id: null, ref: null }
    )
  })
})

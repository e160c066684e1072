/**
 * What reading a property with its people would take of the caller's records, once it is open: told before an unlock is paid for, since
 * what cannot be read is of no use to whoever paid for it.
 */
import { Clock, Effect, Option } from "effect"
import { Caller } from "../access/Caller.ts"
import { Ledger } from "../credit/Ledger.ts"
import { ofCaller, queryOf } from "../limit/Limits.ts"
import { type RecordsAhead, recordsAhead } from "../limit/Metering.ts"
import type { RecordRef } from "../limit/Usage.ts"
import { Properties } from "./Properties.ts"
import * as PropertyRef from "./PropertyRef.ts"

export const make = Effect.gen(function*() {
  const properties = yield* Properties
  const ledger = yield* Ledger

  /** Of a property named by id or key; null: nothing limits how many records the caller takes. */
  return Effect.fn("PropertyRecords.ahead")(function*(name: string) {
    const caller = yield* Caller
    const { org_id: orgId } = caller.organization
    const limits = ofCaller(caller, yield* Clock.currentTimeMillis)
    if (!limits.countsRecords) return null
    const page = yield* properties.readWithContacts(PropertyRef.parse(name), orgId)
    const records = Option.match(page, {
      onNone: (): ReadonlyArray<RecordRef> => [],
      onSome: ({ contacts, property }): ReadonlyArray<RecordRef> => [
        { kind: "property", id: property.id },
        ...contacts.map(({ id }): RecordRef => ({ kind: "contact", id }))
      ]
    })
    const ahead: RecordsAhead | null = recordsAhead(limits, yield* ledger.usage(orgId, queryOf(limits, { records })))
    return ahead
  })
})

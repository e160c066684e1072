/** The made-up records are the same everywhere, fit the import, and say that they are made up. */
import { assert, describe, it } from "@effect/vitest"
import { parsers } from "@freehold/core/import/ImportRow"
import type { Parsed, RowContext } from "@freehold/core/import/RowReading"
import { DateTime, Result } from "effect"
import * as DemoChanges from "../../src/demo/DemoChanges.ts"
import * as DemoRecords from "../../src/demo/DemoRecords.ts"
import * as DemoScene from "../../src/demo/DemoScene.ts"
import { recordId } from "../../src/import/RecordId.ts"

const context: RowContext = { latestYear: 2027, idOf: recordId }

const faultsOf = <R>(rows: ReadonlyArray<unknown>, parse: (row: unknown, context: RowContext) => Parsed<R>) =>
  rows.flatMap((row) => {
    const parsed = parse(row, context)
    return Result.isFailure(parsed) ? [{ row, faults: parsed.failure }] : []
  })

const records = DemoRecords.make()

describe("DemoRecords", () => {
  it("draws the same records every time", () => {
    assert.deepStrictEqual(DemoRecords.make(), records)
  })

  it("has 2,000 properties in three counties, most of them researched and with people", () => {
    assert.strictEqual(records.properties.length, 2000)
    const counties = Map.groupBy(records.properties, (row) => row["countyFips"])
    assert.deepStrictEqual(Array.from(counties, ([fips, rows]) => [fips, rows.length]), [
      ["53901", 900],
      ["53903", 800],
      ["53905", 300]
    ])
    assert.isAbove(records.research.length, 1600)
    assert.isAbove(records.contacts.length, 400)
  })

  it("fits the import", () => {
    assert.deepStrictEqual(faultsOf(records.properties, parsers.properties), [])
    assert.deepStrictEqual(faultsOf(records.firms, parsers.firms), [])
    assert.deepStrictEqual(faultsOf(records.contacts, parsers.contacts), [])
    assert.deepStrictEqual(faultsOf(records.research, parsers.research), [])
    const changes = DemoChanges.make(DemoScene.make(records), DateTime.makeUnsafe("2027-01-05T00:00:00Z"))
    assert.deepStrictEqual(faultsOf(changes, parsers.changes), [])
  })

  it("has five properties of the licensed county and a contact at the first for the team to work on", () => {
    const { contactKey, manager, owner, propertyKeys, title } = DemoScene.make(records)
    for (const each of [manager, owner, title]) assert.notStrictEqual(each, "undefined")
    assert.strictEqual(new Set(propertyKeys).size, 5)
    for (const key of propertyKeys) assert.match(key, /^53901-DEMO\d{5}$/)
    assert.strictEqual(records.contacts.filter(({ key }) => key === contactKey).length, 1)
  })

  it("gives each record a key of its own", () => {
    for (const rows of [records.properties, records.firms, records.contacts]) {
      assert.strictEqual(new Set(rows.map((row) => row["key"])).size, rows.length)
    }
  })

  it("says of every firm, place, address and number that it is made up", () => {
    for (const { city, county, recordOwner, zip } of records.properties) {
      for (const name of [city, county, recordOwner]) assert.match(String(name), /\(demo\)$/)
      assert.match(String(zip), /^000/)
    }
    for (const { domain, name, phone } of records.firms) {
      assert.match(String(name), /\(demo\)$/)
      assert.match(String(domain), /\.example$/)
      assert.match(String(phone), /-555-01\d\d$/)
    }
    for (const { email, phone } of records.contacts) {
      if (email !== undefined) assert.match(String(email), /\.example$/)
      if (phone !== undefined) assert.match(String(phone), /-555-01\d\d$/)
    }
  })
})

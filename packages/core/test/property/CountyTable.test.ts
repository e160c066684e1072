import { assert, describe, it } from "@effect/vitest"
import * as Territory from "@freehold/core/coverage/Territory"
import { stateOfCounty } from "@freehold/core/coverage/UsState"
import * as CountyTable from "@freehold/core/property/CountyTable"
import type { County } from "@freehold/core/property/PropertySearch"
import * as fc from "fast-check"

const codes = ["53033", "53001", "41051", "36061", "06001"]

const tables = fc.subarray(codes).map((some): ReadonlyArray<County> =>
  some.map((countyFips) => ({ countyFips, name: null, state: stateOfCounty(countyFips) ?? null }))
)

const areas: fc.Arbitrary<Territory.Area> = fc.record({
  nationwide: fc.boolean(),
  stateFips: fc.subarray(["53", "41", "36"]),
  countyFips: fc.subarray(codes)
})

const statesOf = (found: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(new Set(found.flatMap((countyFips) => stateOfCounty(countyFips) ?? []))).sort()

/** Questions about two tables and two areas, in any order. */
const questions = fc.tuple(tables, tables, areas, areas).chain(([one, other, here, there]) =>
  fc.array(
    fc.record({
      table: fc.constantFrom(one, other),
      area: fc.constantFrom(here, there),
      asked: fc.option(fc.subarray(codes), { nil: undefined })
    }),
    { minLength: 1, maxLength: 12 }
  )
)

describe("CountyTable", () => {
  it("tells the scope of each table and area, however often and in whatever order they are asked about", () => {
    const property = fc.property(questions, (all) => {
      for (const { area, asked, table } of all) {
        const own = table.filter(({ countyFips }) => Territory.contains(area, countyFips))
        assert.deepStrictEqual(CountyTable.within(table, area), own)
        const searched = asked === undefined
          ? Array.from(new Set([...area.countyFips, ...own.map(({ countyFips }) => countyFips)]))
          : asked.filter((countyFips) => Territory.contains(area, countyFips))
        assert.deepStrictEqual(CountyTable.scopeOf(area, table, asked), {
          scoped: !area.nationwide,
          countyCount: searched.length,
          states: statesOf(searched)
        })
      }
    })
    fc.assert(property, { seed: 20_261_123 })
  })
})

import { assert, describe, it } from "@effect/vitest"
import { decoder } from "@freehold/core/operation/InvalidInput"
import { defaults, type Organization } from "@freehold/core/organization/Organization"
import { type FilterContext, noCities } from "@freehold/core/property/FilterContext"
import { conditionsOf } from "@freehold/core/property/SearchConditions"
import { SearchInput } from "@freehold/core/property/SearchInput"
import { modeOf, sortOf } from "@freehold/core/property/SearchRequest"
import { wordsOf } from "@freehold/core/property/SearchWords"
import { Result } from "effect"

const organization = defaults("org_test")

const context: FilterContext = {
  organization,
  counties: [
    { countyFips: "48113", name: "Dallas", state: "TX" },
    { countyFips: "01047", name: "Dallas County", state: "AL" },
    { countyFips: "36061", name: "New York", state: "NY" }
  ],
  cities: {
    ...noCities,
    states: [{ city: "portland", state: "ME" }, { city: "portland", state: "OR" }, { city: "salem", state: "OR" }]
  },
  now: Date.parse("2026-11-20T12:00:00Z")
}

const decode = decoder(SearchInput)

/** Every check of a search, from the raw body to the conditions; the refusal's code and fields, or the conditions. */
const check = (body: unknown, within: FilterContext = context) => {
  const result = Result.gen(function*() {
    const input = yield* decode(body)
    const mode = yield* modeOf(input)
    yield* sortOf(input, within.organization)
    return mode._tag === "Filters" ? yield* conditionsOf(mode.filters, within) : []
  })
  return Result.isSuccess(result)
    ? { conditions: result.success }
    : { code: result.failure._tag, fields: result.failure.issues.map((issue) => issue.field) }
}

const filters = (each: object) => check({ filters: { countyFips: ["48113"], ...each } })

describe("the mode of a search", () => {
  it("is exactly one of query, filters and bounds", () => {
    const bounds = { north: 1, south: 0, east: 1, west: 0 }
    assert.deepStrictEqual(check({}), { code: "MISSING_QUERY_BOUNDS_OR_COUNTY", fields: [null] })
    assert.strictEqual(check({ query: "a street", bounds }).code, "AMBIGUOUS_SEARCH_MODE")
    assert.strictEqual(check({ query: "a street", filters: {} }).code, "AMBIGUOUS_SEARCH_MODE")
    assert.strictEqual(check({ filters: { countyFips: ["48113"] }, bounds }).code, "AMBIGUOUS_SEARCH_MODE")
    assert.deepStrictEqual(check({ bounds }), { conditions: [] })
  })

  it("needs a location beside attributes; states alone are none", () => {
    for (const each of [{}, { minBuildingSqft: 1 }, { states: ["TX"] }]) {
      assert.deepStrictEqual(check({ filters: each }), { code: "MISSING_QUERY_BOUNDS_OR_COUNTY", fields: ["filters"] })
    }
  })

  it("pages by cursor, places also by offset, 10,000 at most and not beside a cursor", () => {
    const invalid = (body: unknown, field: string) =>
      assert.deepStrictEqual(check(body), { code: "INVALID_ARGUMENTS", fields: [field] })
    invalid({ query: "main", offset: 1 }, "offset")
    invalid({ filters: { countyFips: ["48113"] }, cursor: "x", offset: 1 }, "offset")
    assert.notProperty(check({ filters: { countyFips: ["48113"] }, cursor: "x" }), "code")
    invalid({ filters: { countyFips: ["48113"] }, offset: 10_001 }, "offset")
    assert.deepStrictEqual(check({ filters: { zipCodes: ["75201"] }, offset: 10_000 }).code, undefined)
  })

  it("has no page where only a count is asked for", () => {
    for (const page of [{ cursor: "x" }, { offset: 1 }]) {
      assert.deepStrictEqual(check({ filters: { countyFips: ["48113"] }, count_only: true, ...page }), {
        code: "INVALID_ARGUMENTS",
        fields: Object.keys(page)
      })
    }
    assert.deepStrictEqual(check({ query: "main", count_only: true, limit: 5 }), { conditions: [] })
  })

  it("looks for thirty words at most", () => {
    const words = Array.from({ length: 31 }, (_, n) => `w${n}`)
    assert.deepStrictEqual(check({ query: words.slice(1).concat("w1").join(" ") }), { conditions: [] })
    assert.deepStrictEqual(check({ query: words.join(" ") }).fields, ["query"])
  })

  it("takes the columns of a row, and names the nearest of an unknown one", () => {
    assert.deepStrictEqual(check({ query: "main", fields: ["id", "zoning", "teaser"] }), { conditions: [] })
    const message = (...fields: ReadonlyArray<string>) => {
      const result = decode({ query: "main", fields })
      return Result.isFailure(result) ? result.failure.issues.map(({ field, message }) => [field, message]) : []
    }
    assert.deepStrictEqual(message("id", "adress"), [[
      "fields.1",
      "Expected a column of a row; did you mean address?"
    ]])
    assert.deepStrictEqual(message("ownerWithheld").length, 1)
    assert.deepStrictEqual(message().map(([field]) => field), ["fields"])
  })

  it("does not look at the names of more columns than there are", () => {
    const result = decode({ query: "main", fields: Array.from({ length: 9900 }, (_, n) => `zonnings${n}`) })
    assert.deepStrictEqual(
      Result.isFailure(result) ? result.failure.issues.map(({ field }) => field) : [],
      ["fields"]
    )
  })

  it("bounds a map box to 5 degrees, across the antimeridian too", () => {
    const box = (north: number, south: number, east: number, west: number) =>
      check({ bounds: { north, south, east, west } }).fields
    assert.deepStrictEqual(box(5, 0, -177, 178), undefined)
    assert.deepStrictEqual(box(5, 0, -177, 177), ["bounds"])
    assert.deepStrictEqual(box(5.1, 0, 1, 0), ["bounds"])
    assert.deepStrictEqual(box(0, 0, 1, 0), ["bounds"])
    assert.deepStrictEqual(box(91, 90, 1, 0), ["bounds.north"])
  })
})

describe("filters", () => {
  it("name every unknown key and wrong type", () => {
    assert.deepStrictEqual(filters({ minBuildingSqFt: 1 }).fields, ["filters.minBuildingSqFt"])
    assert.deepStrictEqual(filters({ minBuildingSqft: -1, hasPool: "yes" }).fields?.toSorted(), [
      "filters.hasPool",
      "filters.minBuildingSqft"
    ])
    assert.deepStrictEqual(check({ filters: { countyFips: [] } }).fields, ["filters.countyFips"])
  })

  it("refuse a minimum above its maximum at the maximum", () => {
    assert.deepStrictEqual(filters({ minYearBuilt: 2001, maxYearBuilt: 2000 }).fields, ["filters.maxYearBuilt"])
    assert.deepStrictEqual(filters({ lastEnrichedAfter: "2026-02-02", lastEnrichedBefore: "2026-02-01" }).fields, [
      "filters.lastEnrichedBefore"
    ])
    assert.strictEqual(filters({ lastEnrichedAfter: "2026-02-02", lastEnrichedBefore: "2026-02-02" }).code, undefined)
    assert.deepStrictEqual(filters({ minYearBuilt: 2028 }).fields, ["filters.minYearBuilt"])
  })

  it("take days and times of the calendar only, from 1600 on", () => {
    for (
      const day of [
        "2026-02-30",
        "0000-01-01",
        "1599-12-31",
        "2026-13-01",
        "2026-01-01T25:00:00Z",
        "1600-01-01T00:00:00+14:00"
      ]
    ) {
      assert.deepStrictEqual(filters({ updatedAfter: day, lastSaleBefore: day }).fields?.toSorted(), [
        "filters.lastSaleBefore",
        "filters.updatedAfter"
      ], day)
    }
    assert.strictEqual(
      filters({ updatedAfter: "2024-02-29", lastSaleBefore: "2024-02-29T23:59:59.999-05:00" }).code,
      undefined
    )
  })

  it("resolve county names, and ask for the state of one that is ambiguous", () => {
    const counties = (each: object) => check({ filters: each })
    assert.deepStrictEqual(counties({ countyNames: ["dallas county, tx"] }).conditions, [
      { _tag: "Counties", countyFips: ["48113"] }
    ])
    assert.deepStrictEqual(counties({ countyNames: ["Dallas"], states: ["AL"] }).conditions, [
      { _tag: "Counties", countyFips: ["01047"] }
    ])
    assert.deepStrictEqual(counties({ countyNames: ["Dallas"] }).fields, ["filters.countyNames.0"])
    assert.deepStrictEqual(counties({ countyNames: ["Nowhere"] }).conditions, [{ _tag: "Counties", countyFips: [] }])
  })

  it("take a county by its usual name, and tell apart those of one name", () => {
    const rows = [
      ["48453", "Travis County", "TX"],
      ["29510", "St. Louis city", "MO"],
      ["29189", "St. Louis County", "MO"],
      ["17037", "DeKalb", "IL"],
      ["35013", "Do\u00f1a Ana County", "NM"],
      ["51095", "James City County", "VA"],
      ["53901", "Bramble (demo)", "WA"],
      ["99001", "Twin", "TX"],
      ["99003", "Twin", "TX"]
    ] as const
    const known = {
      ...context,
      counties: rows.map(([countyFips, name, state]) => ({ countyFips, name, state }))
    }
    const meant = (name: string) => check({ filters: { countyNames: [name] } }, known)
    for (
      const [name, code] of [
        ["Travis County", "48453"],
        ["travis", "48453"],
        ["Travis, TX", "48453"],
        ["Travis TX", "48453"],
        ["  travis   county,  texas ", "48453"],
        ["County of Travis", "48453"],
        ["De Kalb County", "17037"],
        ["Dona Ana", "35013"],
        ["James City", "51095"],
        ["Bramble County", "53901"],
        ["Saint Louis County, MO", "29189"]
      ] as const
    ) assert.deepStrictEqual(meant(name).conditions, [{ _tag: "Counties", countyFips: [code] }], name)
    const choices = (name: string) => {
      const result = Result.flatMap(
        decode({ filters: { countyNames: [name] } }),
        ({ filters = {} }) => conditionsOf(filters, known)
      )
      return Result.isFailure(result) && "issues" in result.failure ? result.failure.issues[0]?.message : undefined
    }
    assert.strictEqual(
      choices("St. Louis, MO"),
      `Ambiguous; expected one of "St. Louis County, MO", "St. Louis city, MO"`
    )
    assert.strictEqual(
      choices("Twin County"),
      "Ambiguous; expected one of 99001 in countyFips, 99003 in countyFips"
    )
  })

  it("take a city by its usual name", () => {
    const cities = (name: string) =>
      check({ filters: { cities: [name] } }).conditions?.flatMap((each) => each._tag === "Cities" ? each.cities : [])
    assert.deepStrictEqual(cities("Quillgate, Texas"), [{ city: "quillgate", state: "TX" }])
    assert.deepStrictEqual(cities("City of Quillgate"), [{ city: "quillgate", state: null }])
    assert.deepStrictEqual(cities("Saint Elm TX"), [
      { city: "saint elm", state: "TX" },
      { city: "st. elm", state: "TX" },
      { city: "st elm", state: "TX" }
    ])
    // What ends like a state is none without a comma.
    assert.deepStrictEqual(cities("Fort Washington")?.[0], { city: "fort washington", state: null })
  })

  it("a county must be named and asked for by its code when both are given", () => {
    const counties = (each: object) => check({ filters: each }).conditions
    assert.deepStrictEqual(counties({ countyNames: ["Dallas, TX", "Dallas, AL"], countyFips: ["48113", "48001"] }), [
      { _tag: "Counties", countyFips: ["48113"] }
    ])
    assert.deepStrictEqual(counties({ countyNames: ["Nowhere"], countyFips: ["48113"] }), [
      { _tag: "Counties", countyFips: [] }
    ])
  })

  it("take a state by its name", () => {
    const named = decode({ filters: { cities: ["Portland"], states: ["oregon", "District of Columbia", "me"] } })
    assert.deepStrictEqual(Result.getOrThrow(named).filters?.states, ["OR", "DC", "ME"])
  })

  it("ask for the state of a city that several states have", () => {
    assert.deepStrictEqual(check({ filters: { cities: ["Portland"] } }).fields, ["filters.cities.0"])
    assert.deepStrictEqual(check({ filters: { cities: ["Portland, or", "Salem"] } }).conditions, [
      { _tag: "Cities", cities: [{ city: "portland", state: "OR" }, { city: "salem", state: null }] }
    ])
  })

  it("match unknown values only when asked to", () => {
    assert.deepStrictEqual(filters({ minNumFloors: 2, includeUnknown: ["numFloors"] }).conditions?.at(-1), {
      _tag: "Range",
      field: "numFloors",
      min: 2,
      max: null,
      orUnknown: true
    })
    assert.deepStrictEqual(filters({ includeUnknown: ["recordOwner"] }).fields, ["filters.includeUnknown.0"])
  })

  it("accept categories in any case and refuse others", () => {
    assert.deepStrictEqual(filters({ categories: ["self storage"] }).conditions?.at(-1), {
      _tag: "OneOf",
      field: "assetCategory",
      values: ["Self Storage"],
      orUnknown: false
    })
    assert.deepStrictEqual(filters({ categories: ["Castle"] }).fields, ["filters.categories.0"])
    const told = (name: string) => {
      const result = conditionsOf({ countyFips: ["48113"], categories: [name] }, context)
      return Result.isFailure(result) && "issues" in result.failure ? result.failure.issues[0]?.message : undefined
    }
    assert.strictEqual(told("Offices"), "Expected a category such as Office or Retail; did you mean Office?")
    assert.strictEqual(told("apartments"), "Expected a category such as Office or Retail; did you mean Multifamily?")
    assert.strictEqual(told("Warehouses"), "Expected a category; Warehouse is a subcategory, for subcategories")
  })

  it("need closed rings and at most 1,000 points for a polygon", () => {
    const within = (ring: ReadonlyArray<ReadonlyArray<number>>) =>
      check({ filters: { within: { type: "Polygon", coordinates: [ring] } } }).fields
    assert.deepStrictEqual(within([[0, 0], [1, 0], [1, 1], [0, 0]]), undefined)
    assert.deepStrictEqual(within([[0, 0], [1, 0], [1, 1], [0, 1]]), ["filters.within"])
    assert.deepStrictEqual(within([...Array.from({ length: 1000 }, () => [0, 0]), [0, 0]]), ["filters.within"])
  })

  it("are refused for changes until those are switched on", () => {
    assert.deepStrictEqual(filters({ changedWithinDays: 7 }), {
      code: "SIGNALS_NOT_ENABLED",
      fields: ["filters.changedWithinDays"]
    })
    const signals: Organization = { ...organization, features: { ...organization.features, signals: true } }
    const on = check({ filters: { countyFips: ["48113"], changedWithinDays: 1 } }, {
      ...context,
      organization: signals
    })
    assert.deepStrictEqual(on.conditions?.at(-1), {
      _tag: "Changed",
      kinds: ["ownership_transfer", "sale", "manager_change"],
      since: context.now - 86_400_000
    })
  })
})

describe("what the plan withholds", () => {
  const plain: Organization = {
    ...organization,
    features: { ...organization.features, premium_values: false, common_names: false }
  }
  const within = { ...context, organization: plain }

  it("can be neither filtered nor sorted by", () => {
    for (const key of ["minPropertyValue", "maxPropertyValue"]) {
      assert.deepStrictEqual(check({ filters: { countyFips: ["48113"], [key]: 1 } }, within).fields, [`filters.${key}`])
    }
    for (const key of ["lastSaleAfter", "lastSaleBefore"]) {
      assert.deepStrictEqual(check({ filters: { countyFips: ["48113"], [key]: "2026-01-01" } }, within).fields, [
        `filters.${key}`
      ])
    }
    for (const sortBy of ["propertyValue", "lastSaleDate", "commonName"]) {
      assert.deepStrictEqual(check({ query: "main", sortBy }, within).fields, ["sortBy"])
      assert.strictEqual(check({ query: "main", sortBy }).code, undefined)
    }
  })
})

describe("free text", () => {
  it("is words in lower case, each once", () => {
    assert.deepStrictEqual(wordsOf("  Main\tSTREET main 5% "), ["main", "street", "5%"])
    assert.deepStrictEqual(wordsOf("1 Main St., Suite 4-B; , Quill."), ["1", "main", "st", "suite", "4-b", "quill"])
  })

  it("needs two characters", () => {
    assert.deepStrictEqual(check({ query: "a" }), { code: "INVALID_ARGUMENTS", fields: ["query"] })
    assert.deepStrictEqual(check({ query: ", a." }), { code: "INVALID_ARGUMENTS", fields: ["query"] })
    assert.strictEqual(check({ query: "  " }).code, "MISSING_QUERY_BOUNDS_OR_COUNTY")
  })
})

describe("places", () => {
  it("are read to a tenth of a millimetre, since much smaller numbers cannot be reckoned with", () => {
    assert.deepStrictEqual(check({ filters: { near: { lat: 3e-323, lon: 46.12345678949, radiusMeters: 10 } } }), {
      conditions: [{ _tag: "Near", lat: 0, lon: 46.123456789, radiusMeters: 10 }]
    })
    const corners = (tiny: number) => [[[0, 0], [1, 0], [1, 1], [tiny, 0], [0, 0]] as const]
    assert.deepStrictEqual(
      check({ filters: { within: { type: "Polygon", coordinates: corners(5e-324) } } }),
      { conditions: [{ _tag: "Within", polygons: [corners(0)] }] }
    )
  })
})

import { assert, describe, it } from "@effect/vitest"
import { parsers, shapes } from "@freehold/core/import/ImportRow"
import type { RowContext, RowFault } from "@freehold/core/import/RowReading"
import { AssetCategory } from "@freehold/core/property/AssetCategory"
import { PropertyRecord } from "@freehold/core/property/PropertyOperations"
import { FullRow } from "@freehold/core/property/SearchRow"
import { Result } from "effect"
import * as fc from "fast-check"

const context: RowContext = { latestYear: 2027, idOf: (kind, key) => `${kind}:${key}` }

const buildingParts = shapes.properties.fields["buildings"]?.parts ?? {}

const faultsOf = (result: Result.Result<unknown, ReadonlyArray<RowFault>>) =>
  Result.isFailure(result) ? result.failure.map(({ field, reason }) => `${field}: ${reason}`) : []

const property = (values: object) => parsers.properties({ key: "k", countyFips: "36061", ...values }, context)

/** The value that a field is stored with; undefined when the row is refused or does not set it. */
const stored = (field: string, value: unknown) =>
  Result.match(property({ [field]: value }), {
    onFailure: (faults) => faults.map(({ reason }) => reason),
    onSuccess: ({ values }) => Array.from(values).find(([name]) => name === field)?.[1]
  })

describe("properties rows", () => {
  it("keep what is absent, clear what is null and take the rest", () => {
    const { values, ...row } = Result.getOrThrow(property({ address: null, lotSqft: 10 }))
    assert.deepStrictEqual(row, { key: "k", id: "properties:k", idGiven: false })
    assert.deepStrictEqual(Array.from(values), [["countyFips", "36061"], ["address", null], ["lotSqft", 10]])
  })

  it("name every fault, one a field", () => {
    assert.deepStrictEqual(
      faultsOf(parsers.properties({ adress: "x", lat: 91, yearBuilt: 2028, zip: "1234", hasPool: "yes" }, context)),
      [
        "key: is required",
        "adress: is not a field of this kind of row; did you mean address?",
        "lat: must be a number from -90 to 90",
        "yearBuilt: must be a year from 1600 to 2027",
        "zip: must be a ZIP code of 5 digits or ZIP+4",
        "hasPool: must be true or false",
        "countyFips: is required"
      ]
    )
  })

  it("tell of the first unknown fields what may have been meant, and of all that they are unknown", () => {
    const faults = faultsOf(property(Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`yearBuilds${n}`, 1]))))
    assert.strictEqual(faults.length, 1000)
    assert.strictEqual(faults.filter((fault) => fault.endsWith("; did you mean yearBuilt?")).length, 20)
    assert.strictEqual(faults.at(-1), "yearBuilds999: is not a field of this kind of row")
  })

  it.each([
    ["buildingFootprintSqft", "footprintArea", 1200, 1300],
    ["propertyValue", "totalParval", 900_000, null],
    ["owner", "recordOwner", " Sample LLC ", "Other LLC"]
  ])("take %s as %s, and both only where they agree", (second, first, value, other) => {
    const valuesOf = (given: object) => Array.from(Result.getOrThrow(property(given)).values).slice(1)
    const expected = valuesOf({ [first]: value })
    assert.deepStrictEqual(valuesOf({ [second]: value }), expected)
    assert.deepStrictEqual<unknown>(valuesOf({ [second]: null }), [[first, null]])
    assert.deepStrictEqual(valuesOf({ [second]: value, [first]: value }), expected)
    assert.deepStrictEqual(valuesOf({ [first]: value, [second]: value }), expected)
    const fault = [`${second}: is ${first} by another name, and has another value`]
    assert.deepStrictEqual(faultsOf(property({ [first]: value, [second]: other })), fault)
    assert.deepStrictEqual(faultsOf(property({ [second]: value, [first]: other })), fault)
    assert.deepStrictEqual(faultsOf(property({ [second]: false })).map((each) => each.split(":")[0]), [second])
  })

  it("may have every name that the API shows of a property, but for what is computed, researched or ours", () => {
    const computed =
      "ownerWithheld nameLocked premiumDataRedacted coveredByPlan researchState enrichmentStatus contactCount "
      + "teaser buildingAttributesBasis researchTier primaryOrganizationId managementOrganizationId source"
    const researched = "beneficialOwner beneficialOwnerType managementCompany aiRationale researchedAt"
    const others = `${computed} ${researched} lastEnrichedAt updatedAt`.split(" ")
    const shown = new Set([FullRow, PropertyRecord].flatMap(({ fields }) => Object.keys(fields)))
    const refused = [...shown].filter((name) =>
      !Object.hasOwn(shapes.properties.fields, name) && !name.endsWith("Detail")
    )
    assert.sameMembers(refused, others)
  })

  it.each([
    ["zip", "10013-1234", "10013"],
    ["zip", 10013, ["must be text"]],
    ["zip", "100131234", "10013"],
    ["zip", "10013 1234", "10013"],
    ["zip", "1001312345", ["must be a ZIP code of 5 digits or ZIP+4"]],
    ["state", "ny", "NY"],
    ["state", "XX", ["must be the two letters of a state"]],
    ["countyFips", "99001", ["must be the 5-digit FIPS code of a county"]],
    ["address", "  1 Sample Street ", "1 Sample Street"],
    ["address", "  ", null],
    ["address", "a\u0000b", ["holds a character that is no text (the source may not be UTF-8)"]],
    ["address", "caf\uFFFD", ["holds a character that is no text (the source may not be UTF-8)"]],
    ["address", "\uD800", ["holds a character that is no text (the source may not be UTF-8)"]],
    ["address", "1 Elm\u001b[2JStreet", ["must not hold control characters"]],
    ["address", "1 Elm\u009bStreet", ["must not hold control characters"]],
    ["address", "1 Elm\u202eteertS", ["must not hold control characters"]],
    ["address", "1 Elm Street\r\n\tSuite 4", "1 Elm Street Suite 4"],
    ["city", "Quillgate \u2013 Süd", "Quillgate \u2013 Süd"],
    ["key", "a\tb", ["must not hold control characters"]],
    ["address", "x".repeat(501), ["must be at most 500 characters"]],
    ["address", "é".repeat(251), ["must be at most 500 bytes in UTF-8"]],
    ["city", "x".repeat(201), ["must be at most 200 characters"]],
    ["lat", 40.12345678, 40.123457],
    ["lotSqft", 35_937_000_000, 35_937_000_000],
    ["lotSqft", 1e13 + 1, ["must be a whole number from 0 to 10000000000000"]],
    ["buildingSqft", 10.5, ["must be a whole number from 0 to 2147483647"]],
    ["buildingSqft", -1, ["must be a whole number from 0 to 2147483647"]],
    ["buildingSqft", "10", ["must be a whole number from 0 to 2147483647"]],
    ["numFloors", 2.75, 2.75],
    ["yearBuilt", 1599, ["must be a year from 1600 to 2027"]],
    ["yearBuilt", 2027, 2027],
    ["assetCategory", "self storage", "Self Storage"],
    ["assetCategory", "Castle", [`must be one of ${AssetCategory.literals.join(", ")}`]],
    ["lastSaleDate", "2024-02-29", "2024-02-29"],
    ["lastSaleDate", "2023-02-29", ["must be a date of the form YYYY-MM-DD, not before 1600"]],
    ["sourceUpdatedAt", "2024-01-01T01:00:00+02:00", "2023-12-31T23:00:00.000Z"],
    ["sourceUpdatedAt", "2024-02-30T00:00:00Z", [
      "must be an ISO-8601 time with its zone, such as 2026-01-31T00:00:00Z, not before 1600"
    ]],
    ["lastSaleDate", "2027-12-31", "2027-12-31"],
    ["lastSaleDate", "9999-12-31", ["must not be after 2027"]],
    ["sourceUpdatedAt", "2062-01-01", ["must not be after 2027"]],
    ["parcelNumbers", ["1", " 2 "], ["1", "2"]],
    ["parcelNumbers", "1", ["must be an array of at most 1000 texts"]],
    ["ownerMailingAddress", { line1: "1 Sample Street", zip: "10013-1234" }, {
      line1: "1 Sample Street",
      city: null,
      state: null,
      zip: "10013"
    }],
    ["ownerMailingAddress", { street: "x" }, ["has the unknown part street"]]
  ])("store %s %j as %j", (field, value, expected) => {
    assert.deepStrictEqual(stored(field, value), expected)
  })

  it("name faults within buildings by their place", () => {
    assert.deepStrictEqual(
      faultsOf(property({
        buildings: [{ sqft: 1, isPrimary: true }, { sqft: 1.5, storeys: 2, isPrimary: true }]
      })),
      [
        "buildings[1].sqft: must be a whole number from 0 to 2147483647",
        `buildings[1].storeys: is not a field of this kind of row; known are ${Object.keys(buildingParts).join(", ")}`,
        "buildings: has more than one primary building"
      ]
    )
  })

  it("have the id that they give, in lower case", () => {
    const id = "8936A16F-AB19-5859-B245-62808059834D"
    assert.deepInclude(Result.getOrThrow(property({ id })), { id: id.toLowerCase(), idGiven: true })
    assert.deepStrictEqual(faultsOf(property({ id: "7" })), ["id: must be a UUID"])
  })
})

describe("rows of any kind", () => {
  it("are refused or read, whatever JSON they are", () => {
    const kinds = ["properties", "firms", "contacts", "research", "changes"] as const
    fc.assert(fc.property(fc.constantFrom(...kinds), fc.jsonValue(), (kind, json) => {
      const result: Result.Result<unknown, ReadonlyArray<RowFault>> = parsers[kind](json, context)
      assert.isTrue(Result.isSuccess(result) || result.failure.length > 0)
    }))
    assert.deepStrictEqual(faultsOf(parsers.firms([], context)), ["null: is not a JSON object"])
  })
})

describe("contacts rows", () => {
  it("read a person with properties", () => {
    const row = Result.getOrThrow(parsers.contacts({
      key: "c",
      fullName: "Sample Person",
      seniority: null,
      firmKey: "f",
      doNotContact: { email: true },
      properties: [{ propertyKey: "p", role: "property_manager" }]
    }, context))
    assert.deepStrictEqual(Array.from(row.values), [
      ["fullName", "Sample Person"],
      ["seniority", "unknown"],
      ["doNotContactEmail", true]
    ])
    assert.strictEqual(row.firmKey, "f")
    assert.deepStrictEqual(row.properties, [{
      propertyKey: "p",
      role: "property_manager",
      relationshipStatus: "unverified",
      attributionType: "customer_supplied"
    }])
  })

  it("clear what is said of an email or a phone together with it", () => {
    const row = Result.getOrThrow(parsers.contacts({
      key: "c",
      email: null,
      emailValidationStatus: "valid",
      phone: null,
      phoneLabel: "Mobile"
    }, context))
    assert.deepStrictEqual(Object.fromEntries(row.values), {
      email: null,
      emailValidationStatus: "unvalidated",
      phone: null,
      phoneLabel: null,
      phoneExtension: null,
      phoneFallbackFromEmployer: false
    })
  })

  it("refuse what is no email, no web address and no known role", () => {
    const faults = faultsOf(parsers.contacts({
      key: "c",
      fullName: null,
      email: "a@b",
      linkedinUrl: "javascript:alert(1)",
      roleType: "boss",
      properties: [{ role: "other" }]
    }, context))
    assert.deepStrictEqual(faults.map((fault) => fault.split(":")[0]), [
      "email",
      "linkedinUrl",
      "roleType",
      "fullName",
      "properties[0].propertyKey"
    ])
  })
})

describe("firms rows", () => {
  it("need a role at each property", () => {
    assert.deepStrictEqual(faultsOf(parsers.firms({ key: "f", properties: [{ propertyKey: "p" }] }, context)), [
      "properties[0].role: is required"
    ])
  })
})

describe("research rows", () => {
  const rationale = (aiRationale: string) =>
    parsers.research({ propertyKey: "p", researchedAt: "2026-06-01T00:00:00Z", aiRationale }, context)

  it("keep the lines of a rationale, and refuse what would steer a terminal", () => {
    const { values } = Result.getOrThrow(rationale(" One.\n\n\tTwo. "))
    assert.strictEqual(values.get("aiRationale"), "One.\n\n\tTwo.")
    assert.deepStrictEqual(faultsOf(rationale("One.\u001b]0;title\u0007")), [
      "aiRationale: must not hold control characters"
    ])
  })
})

describe("changes rows", () => {
  it("have the evidence of their kind and no other", () => {
    const sale = { key: "s", kind: "sale", propertyKey: "p", detectedAt: "2026-01-01", source: "county_record" }
    assert.isTrue(Result.isSuccess(parsers.changes({ ...sale, after: { date: "2025-12-01", price: 100 } }, context)))
    assert.deepStrictEqual(faultsOf(parsers.changes({ ...sale, after: { value: "x" } }, context)), [
      "after.value: is not a field of this kind of row; known are date, price, document_type"
    ])
    assert.deepStrictEqual(faultsOf(parsers.changes({ key: "s", kind: "sale", contactKey: "c" }, context)), [
      "propertyKey: is required",
      "contactKey: has no place in a sale",
      "detectedAt: is required",
      "source: is required"
    ])
  })

  it("that withdraw need only what they withdraw", () => {
    assert.isTrue(Result.isSuccess(parsers.changes({ key: "w", kind: "withdrawn", withdraws: "s" }, context)))
    assert.deepStrictEqual(faultsOf(parsers.changes({ key: "w", kind: "withdrawn" }, context)), [
      "withdraws: is required"
    ])
  })
})

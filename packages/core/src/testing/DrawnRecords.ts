/**
 * Made-up records, what happens to them, and what is asked about them: by these a suite compares an adapter with the one in memory, which is the definition.
 *
 * There are few values, so that many rows tie, meet the same conditions and lie in the same place.
 */
import { Effect, Schema } from "effect"
import { PropertyMerges } from "../property/PropertyMerges.ts"
import type { Condition } from "../property/PropertySearch.ts"
import { Suppressions } from "../suppression/Suppressions.ts"
import { contact, firm, property, type Seed } from "./Seed.ts"

/** The organization that asks. */
export const orgId = "sample-org"

/** The `n`-th made-up id. */
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

export const square = (west: number, south: number, east: number, north: number) =>
  [[west, south], [east, south], [east, north], [west, north], [west, south]] as const

export const orNull = <S extends Schema.Constraint>(schema: S): Schema.NullOr<S> => Schema.NullOr(schema)
const Owner = Schema.Literals([
  "alder",
  "ALDER",
  "Alder_1",
  "Bramble 100%",
  "élan",
  "ÉLAN",
  "\u{1F333} Tree",
  "\uFF61 Half",
  "zqé",
  "9ZQ",
  "Izq-o 12 kzqv"
])
const Instant = Schema.Literals(["2026-01-05T23:59:59.999Z", "2026-01-06T00:00:00.000Z", "2026-02-01T12:00:00.000Z"])
const Day = Schema.Literals(["2019-12-31", "2020-01-01"])
const Fips = Schema.Literals(["48001", "48003", "06001"])
const Zip = Schema.Literals(["75001", "75002"])
const Place = Schema.Literals([-179.75, -97.25, -97, 0, 33, 33.25, 179.75])
const Latitude = Schema.Literals([-33, 0, 33, 33.25])
const Category = Schema.Literals(["Office", "Retail", "Land"])
export const Small = Schema.Literals([0, 1, 2])
const StageDrawn = Schema.Literals(["qualified", "won"])
const CustomerDrawn = Schema.Literals(["active", "churned"])

/** One made-up property and what hangs on it; few values, so that many rows tie. */
export const Drawn = Schema.Struct({
  values: Schema.Struct({
    countyFips: Fips,
    zip: orNull(Zip),
    city: orNull(Schema.Literals(["Aldermoor", "ALDERMOOR", "Briarfield"])),
    state: orNull(Schema.Literals(["TX", "CA"])),
    lat: orNull(Latitude),
    lon: orNull(Place),
    address: orNull(Owner),
    rawAddress: orNull(Owner),
    recordOwner: orNull(Owner),
    ownerName: orNull(Owner),
    commonName: orNull(Owner),
    assetCategory: orNull(Category),
    roofCover: orNull(Schema.Literals(["Metal", "metal", "Shingle"])),
    buildingSqft: orNull(Small),
    lotSqft: orNull(Small),
    totalUnits: orNull(Small),
    yearBuilt: orNull(Schema.Literals([1900, 2000])),
    numFloors: orNull(Schema.Literals([1, 1.5, 2])),
    totalParval: orNull(Schema.Literals([1000, 2500.5])),
    hasPool: orNull(Schema.Boolean),
    lastSaleDate: orNull(Day),
    updatedAt: Instant
  }),
  retired: Schema.Literals([false, false, false, true]),
  managed: orNull(Schema.Boolean),
  researchedAt: Instant,
  contacts: Schema.Array(Schema.Struct({ email: Schema.Boolean, phone: Schema.Boolean })).check(Schema.isMaxLength(2)),
  access: orNull(Schema.Literals(["paid", "covered"])),
  firm: orNull(Schema.Literals(["county_record", "management_research"])),
  lead: orNull(StageDrawn),
  customer: orNull(CustomerDrawn),
  listed: Schema.Boolean,
  change: orNull(Schema.Literals(["sale", "withdrawn"]))
})

export const seedOf = (drawn: ReadonlyArray<typeof Drawn.Type>): Partial<Seed> => {
  const numbered = drawn.map((each, index) => ({ ...each, id: id(index + 1), n: index + 1 }))
  const at = "2026-01-01T00:00:00.000Z"
  return {
    properties: numbered.map((each) =>
      property({
        id: each.id,
        ...each.values,
        retiredInto: each.retired && each.n > 1 ? id(1) : null,
        research: each.managed === null ? null : {
          beneficialOwner: null,
          beneficialOwnerType: null,
          managementCompany: each.managed ? "Sample Management" : null,
          aiRationale: null,
          researchedAt: each.researchedAt,
          tier: "Standard"
        }
      })
    ),
    contacts: numbered.flatMap(({ contacts, n }) =>
      contacts.map(({ email, phone }, index) =>
        contact({
          id: id(n * 100 + index),
          email: email ? "person@example.com" : null,
          phone: phone ? "+15550100" : null,
          roleType: index === 0 ? "other" : "executive"
        })
      )
    ),
    relationships: numbered.flatMap(({ contacts, id: propertyId, n }) =>
      contacts.map((_, index) => ({
        propertyId,
        contactId: id(n * 100 + index),
        role: null,
        relationshipStatus: "current",
        attributionType: "web"
      } as const))
    ),
    firms: [firm({ id: id(9001) })],
    propertyFirms: numbered.flatMap(({ firm: attributionType, id: propertyId }) =>
      attributionType === null ? [] : [{ propertyId, firmId: id(9001), role: "owner" as const, attributionType }]
    ),
    accesses: numbered.flatMap(({ access, id }) =>
      access === null ? [] : [{ orgId, kind: "property" as const, id, source: access }]
    ),
    leads: numbered.flatMap(({ id: propertyId, lead }) =>
      lead === null ? [] : [{
        orgId,
        propertyId,
        status: lead,
        dealValue: null,
        qualifiedAt: at,
        qualifiedBy: { kind: "agent" as const, id: null, name: "Sample" },
        statusChangedAt: at,
        version: 1
      }]
    ),
    customers: numbered.flatMap(({ customer, id: propertyId }) =>
      customer === null ? [] : [{ orgId, propertyId, status: customer }]
    ),
    lists: [{
      orgId,
      id: id(9002),
      propertyIds: numbered.flatMap(({ id, listed, retired }) => listed && !retired ? [id] : [])
    }],
    changes: numbered.flatMap(({ change, id: propertyId, n }) =>
      change === null ? [] : [
        { id: id(n * 1000), kind: "sale", propertyId, detectedAt: n * 1000, withdraws: null },
        ...change === "sale"
          ? []
          : [{ id: id(n * 1000 + 1), kind: "withdrawn", propertyId, detectedAt: 0, withdraws: id(n * 1000) }]
      ]
    )
  }
}

const statesDrawn = <const State extends string>(...states: ReadonlyArray<State>) =>
  Schema.Tuple(states.map((state) => Schema.Literal(state)))

export const AreaDrawn = Schema.Struct({
  nationwide: Schema.Literals([true, false, false]),
  stateFips: Schema.Union([
    Schema.Tuple([]),
    statesDrawn("48"),
    statesDrawn("06"),
    statesDrawn("06", "01", "02", "04", "05", "08")
  ]),
  countyFips: Schema.Array(Fips).check(Schema.isMaxLength(2))
})

export const few = <S extends Schema.Top>(item: S) =>
  Schema.Array(item).check(Schema.isMinLength(1), Schema.isMaxLength(3))
const tagged = <const Tag extends string, const Fields extends Schema.Struct.Fields>(tag: Tag, fields: Fields) =>
  Schema.Struct({ _tag: Schema.Literal(tag), ...fields })

export const CountiesDrawn = tagged("Counties", { countyFips: few(Fips) })
export const CategoryDrawn = tagged("OneOf", {
  field: Schema.Literals(["assetCategory"]),
  values: few(Schema.Literals(["office", "Retail"])),
  orUnknown: Schema.Boolean
})

export const AreaOfLinesDrawn = tagged("Area", { which: Schema.Literals(["plain", "holed", "several", "crossed"]) })

/** Conditions that most properties meet: they exclude what an organization's own rows tell. */
export const ExcludingDrawn = Schema.Union([
  tagged("ResearchStates", {
    states: Schema.Union([
      statesDrawn("none"),
      statesDrawn("locked", "none"),
      statesDrawn("none", "revealed"),
      statesDrawn("revealed", "locked", "none")
    ])
  }),
  tagged("PipelineStatuses", { statuses: Schema.Union([statesDrawn("none"), statesDrawn("won", "none")]) }),
  tagged("CustomerStatuses", { statuses: Schema.Union([statesDrawn("none"), statesDrawn("none", "active")]) }),
  tagged("List", { listId: Schema.Literals([id(9002), id(9003)]), member: Schema.Literal(false) })
])

export const ConditionDrawn = Schema.Union([
  CountiesDrawn,
  tagged("Zips", { zipCodes: few(Zip) }),
  tagged("Cities", {
    cities: few(Schema.Struct({
      city: Schema.Literals(["aldermoor", "briarfield"]),
      state: orNull(Schema.Literals(["TX", "CA"]))
    })),
    others: Schema.Literals([0, 30])
  }),
  tagged("Box", {
    north: Schema.Literals([33, 34]),
    south: Schema.Literals([-40, 0, 33]),
    west: Schema.Literals([-100, 0, 179]),
    east: Schema.Literals([-179, -97, 33])
  }),
  AreaOfLinesDrawn,
  tagged("Near", {
    lat: Schema.Literal(33.1),
    lon: Schema.Literals([-97.1, 33.1]),
    radiusMeters: Schema.Literals([15_000, 32_000])
  }),
  tagged("Range", {
    field: Schema.Literals(["buildingSqft", "numFloors", "totalParval", "contactCount"]),
    min: orNull(Small),
    max: orNull(Schema.Literals([1, 1.5, 2500.5])),
    orUnknown: Schema.Boolean
  }),
  tagged("Range", {
    field: Schema.Literals(["updatedAt", "lastEnrichedAt"]),
    min: orNull(Instant),
    max: orNull(Instant),
    orUnknown: Schema.Boolean
  }),
  tagged("Range", {
    field: Schema.Literal("lastSaleDate"),
    min: orNull(Day),
    max: orNull(Day),
    orUnknown: Schema.Boolean
  }),
  CategoryDrawn,
  tagged("OneOf", {
    field: Schema.Literals(["roofCover"]),
    values: few(Schema.Literals(["METAL", "shingle"])),
    orUnknown: Schema.Boolean
  }),
  tagged("Contains", {
    field: Schema.Literals(["ownerName", "commonName"]),
    text: Schema.Literals(["ALD", "_1", "0%", "é"]),
    orUnknown: Schema.Boolean
  }),
  tagged("Is", { field: Schema.Literal("hasPool"), value: Schema.Boolean, orUnknown: Schema.Boolean }),
  tagged("HasContact", { which: Schema.Literals(["any", "email", "phone"]), value: Schema.Boolean }),
  tagged("ResearchStates", { states: few(Schema.Literals(["revealed", "locked", "none"])) }),
  tagged("Firm", { firmId: Schema.Literal(id(9001)), role: orNull(Schema.Literals(["owner", "tenant"])) }),
  tagged("PipelineStatuses", { statuses: few(Schema.Union([StageDrawn, Schema.Literal("none")])) }),
  tagged("CustomerStatuses", { statuses: few(Schema.Union([CustomerDrawn, Schema.Literal("none")])) }),
  tagged("List", { listId: Schema.Literals([id(9002), id(9003)]), member: Schema.Boolean }),
  tagged("Changed", {
    kinds: few(Schema.Literals(["sale", "ownership_transfer"])),
    since: orNull(Schema.Literal(3000))
  })
])

/** Up and down between the parallels where nothing is drawn, from east to west. */
const teeth = Array.from({ length: 140 }, (_, n) => [179.9 - 2.58 * n, n % 2 === 0 ? -5.3 : -30.7] as const)

/** Areas whose edges keep clear of every drawn place. */
const areas = {
  plain: [[[[-97.3, 32.9], [33.1, 32.9], [33.1, 33.1], [-97.3, 33.3], [-97.3, 32.9]]]],
  holed: [[square(-180, -34, 180, 34), square(-97.1, 32.9, 0.1, 33.1)]],
  several: [[square(-98, -1, -97.1, 34)], [square(32.9, -34, 33.1, 1)]],
  crossed: [[[[-179.9, 34], [179.9, 34], ...teeth, [-179.9, -5.3], [-179.9, 34]]]]
} as const

export const conditionOf = (drawn: typeof ConditionDrawn.Type): Condition => {
  if (drawn._tag === "Area") return { _tag: "Within", polygons: areas[drawn.which] }
  if (drawn._tag !== "Cities") return drawn
  // Nothing is there: of many cities as of few.
  const others = Array.from(
    { length: drawn.others },
    (_, n) => ({ city: `nowhere ${n}`, state: n % 2 === 0 ? null : "TX" })
  )
  return { _tag: "Cities", cities: [...drawn.cities, ...others] }
}

const SubjectDrawn = Schema.Union([
  tagged("Owner", { name: Owner }),
  tagged("Property", { named: Schema.Literals([id(1), id(2)]) }),
  tagged("Contact", { named: Schema.Literals([id(100), id(201)]) })
])

/** What happened to the data before it is searched: merges, then suppressions. */
export const HistoryDrawn = Schema.Struct({
  merges: Schema.Array(Schema.Struct({
    from: Schema.Literals([id(1), id(2), id(3)]),
    into: Schema.Literals([id(2), id(4)])
  })).check(Schema.isMaxLength(2)),
  suppressed: Schema.Array(SubjectDrawn).check(Schema.isMaxLength(2))
})

/** Refused here and in memory alike, a merge or a suppression changes nothing. */
export const happen = Effect.fnUntraced(function*({ merges, suppressed }: typeof HistoryDrawn.Type) {
  const { merge } = yield* PropertyMerges
  const { suppress } = yield* Suppressions
  for (const pair of merges) yield* Effect.ignore(merge({ ...pair, dryRun: false }))
  for (const subject of suppressed) yield* suppress(subject)
})

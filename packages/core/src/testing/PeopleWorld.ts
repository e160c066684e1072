/**
 * Firms, people and properties that the contracts of `ContactSearch` and `Firms` look at: a small world by hand, and
 * worlds drawn at random.
 */
import { Schema } from "effect"
import { RoleType, Seniority } from "../contact/Contact.ts"
import { type Area, contains } from "../coverage/Territory.ts"
import type { Viewer } from "../coverage/Viewer.ts"
import { FirmRole } from "../firm/Firm.ts"
import { defaults } from "../organization/Organization.ts"
import { contact, firm, property, type Seed, type SeedAccess } from "./Seed.ts"

export const orgId = "sample-org"

/** The `n`-th made-up id. */
export const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`

export const numberOf = (uuid: string): number => Number(uuid.slice(-12))

/** Switched on; switched on and covered; neither. */
export const open = "48001"
export const covered = "48003"
export const outside = "06001"

export const viewer: Viewer = {
  orgId,
  visible: { nationwide: false, stateFips: [], countyFips: [open, covered] },
  covered: { nationwide: false, stateFips: [], countyFips: [covered] }
}

const nowhere = { nationwide: false, stateFips: [], countyFips: [] }

/** What of the world may be seen, and what may be covered by a subscription. */
export const areas = {
  nothing: nowhere,
  county: viewer.covered,
  counties: viewer.visible,
  state: { ...nowhere, stateFips: ["48"] },
  states: { ...nowhere, stateFips: ["48", "06"] },
  "a county and a state": { ...nowhere, stateFips: ["06"], countyFips: [covered] },
  country: { ...nowhere, nationwide: true }
} as const satisfies Readonly<Record<string, Area>>

export const SeenArea = Schema.Literals(["counties", "state", "states", "a county and a state", "country"])
export const CoveredArea = Schema.Literals(["nothing", "county", "state", "a county and a state", "country"])

/** Who sees one area, and has a subscription for another. */
export const viewerOf = (seen: typeof SeenArea.Type, coveredArea: typeof CoveredArea.Type): Viewer => ({
  orgId,
  visible: areas[seen],
  covered: areas[coveredArea]
})

/** Counties that a question is drawn with; of these are asked for those that are seen. */
export const AskedCounties = Schema.NullOr(
  Schema.Array(Schema.Literals([open, covered, outside])).check(Schema.isMaxLength(2))
)
export const askedOf = (asked: typeof AskedCounties.Type, { visible }: Viewer): ReadonlyArray<string> | null =>
  asked?.filter((county) => contains(visible, county)) ?? null

const research = {
  beneficialOwner: null,
  beneficialOwnerType: null,
  managementCompany: null,
  aiRationale: null,
  researchedAt: "2026-01-01T00:00:00.000Z",
  tier: "Standard"
} as const

const attached = (propertyId: number, contactId: number) => ({
  propertyId: id(propertyId),
  contactId: id(contactId),
  role: null,
  relationshipStatus: "current" as const,
  attributionType: "web"
})

const tied = (propertyId: number, firmId: number, role: FirmRole, attributionType: string) => ({
  propertyId: id(propertyId),
  firmId: id(firmId),
  role,
  attributionType
})

const at = { address: "1 Oak", city: "Aldermoor", state: "TX" }

/** Property 1 is locked, 2 unlocked, 3 covered, 4 outside, 5 retired, 6 not researched, 7 outside and unlocked. */
export const world: Partial<Seed> = {
  organizations: [defaults(orgId)],
  properties: [
    property({ id: id(1), countyFips: open, research, ...at }),
    property({ id: id(2), countyFips: open, research, ...at }),
    property({ id: id(3), countyFips: covered, research, ...at }),
    property({ id: id(4), countyFips: outside, research, state: "CA" }),
    property({ id: id(5), countyFips: open, research, retiredInto: id(1) }),
    property({ id: id(6), countyFips: open }),
    property({ id: id(7), countyFips: outside, research, state: "CA" })
  ],
  firms: [
    firm({
      id: id(101),
      name: "Acme Holdings",
      domain: "acme.example",
      linkedinUrl: "https://example.com/acme",
      crunchbaseUrl: "https://example.com/acme-funds"
    }),
    firm({ id: id(102), name: "Birch Management" }),
    firm({ id: id(103), name: "Cedar Hidden" }),
    firm({ id: id(104), name: "Dorn Retired" }),
    firm({ id: id(105), name: "acme tenants" })
  ],
  propertyFirms: [
    tied(1, 101, "owner", "county_record"),
    tied(1, 101, "operator", "web"),
    tied(4, 101, "owner", "county_record"),
    tied(2, 101, "property_manager", "management_research"),
    tied(1, 102, "property_manager", "management_research"),
    tied(3, 102, "property_manager", "management_research"),
    tied(4, 102, "property_manager", "management_research"),
    tied(7, 102, "property_manager", "management_research"),
    tied(1, 103, "owner", "beneficial_research"),
    tied(4, 103, "owner", "beneficial_research"),
    tied(6, 103, "owner", "beneficial_research"),
    tied(5, 104, "owner", "county_record"),
    tied(6, 105, "tenant", "web")
  ],
  contacts: [
    contact({
      id: id(201),
      fullName: "Ada Sample",
      title: "Asset Manager",
      roleType: "asset_manager",
      seniority: "manager",
      employerName: "Acme Holdings",
      firmId: id(101),
      email: "ada@example.com",
      emailValidationStatus: "valid",
      phone: "+15550201",
      location: "Aldermoor, TX"
    }),
    contact({
      id: id(202),
      fullName: "Bo Sample",
      title: "chief Engineer",
      roleType: "chief_engineer",
      seniority: "senior",
      employerName: "acme holdings",
      firmId: id(101),
      email: "bo@example.com",
      emailValidationStatus: "risky"
    }),
    contact({ id: id(203), fullName: "Cy Elsewhere", employerName: "Acme Holdings", firmId: id(101) }),
    contact({ id: id(204), fullName: "Di Nowhere", employerName: "Acme Holdings", firmId: id(101) }),
    contact({ id: id(205), fullName: "Ed Retired", employerName: "Acme Holdings", firmId: id(101) }),
    contact({ id: id(206), fullName: "Flo Sample", seniority: "owner", firmId: id(101) }),
    contact({ id: id(207), fullName: "Gus 100%_Sure", employerName: "Birch", roleType: "asset_manager" })
  ],
  relationships: [
    attached(1, 201),
    attached(2, 201),
    attached(4, 201),
    attached(3, 202),
    attached(4, 203),
    attached(5, 205),
    attached(1, 206),
    attached(6, 206),
    attached(3, 206),
    attached(1, 207)
  ],
  accesses: [
    { orgId, kind: "property", id: id(2), source: "paid" },
    { orgId, kind: "property", id: id(7), source: "paid" },
    { orgId, kind: "contact", id: id(207), source: "free" }
  ],
  changes: [
    change(301, "contact_title_change", 201, 1000),
    change(302, "contact_departure", 202, 5000),
    change(303, "contact_title_change", 206, 5000),
    { ...change(304, "withdrawn", 206, 6000), withdraws: id(303) }
  ]
}

function change(n: number, kind: string, contactId: number, detectedAt: number) {
  return { id: id(n), kind, propertyId: null, contactId: id(contactId), detectedAt, withdraws: null }
}

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))
const counties = [open, covered, outside]
export const names = ["Ann", "ann", "Bob", "Zoë", "_a%", "A\u{1F600}"]
const kinds = ["county_record", "beneficial_research", "management_research", "web"]
const pick = <A>(values: ReadonlyArray<A>, index: number): A | null => values[index] ?? null

/** What a world is drawn as; numbers past the end of a list mean none. */
export const DrawnWorld = Schema.Struct({
  properties: Schema.Array(
    Schema.Struct({ county: upTo(2), researched: Schema.Boolean, retired: upTo(3), paid: upTo(3) })
  ).check(Schema.isMaxLength(8)),
  ties: Schema.Array(Schema.Struct({ property: upTo(7), firm: upTo(3), role: upTo(3), kind: upTo(3) })).check(
    Schema.isMaxLength(16)
  ),
  firms: Schema.Array(upTo(5)).check(Schema.isMinLength(4), Schema.isMaxLength(4)),
  people: Schema.Array(Schema.Struct({
    name: upTo(5),
    title: upTo(7),
    employer: upTo(7),
    role: upTo(22),
    seniority: upTo(10),
    firm: upTo(5),
    paid: upTo(4),
    properties: Schema.Array(upTo(7)).check(Schema.isMaxLength(4)),
    changed: upTo(3)
  })).check(Schema.isMaxLength(8))
})

export const seedOf = (drawn: typeof DrawnWorld.Type): Partial<Seed> => {
  const exists = (n: number) => n < drawn.properties.length
  const ties = new Map(
    drawn.ties.filter((tie) => exists(tie.property)).map((tie) => [`${tie.property} ${tie.firm} ${tie.role}`, tie])
  )
  const accesses = (kind: SeedAccess["kind"], first: number, items: ReadonlyArray<{ readonly paid: number }>) =>
    items.flatMap(({ paid }, n): ReadonlyArray<SeedAccess> =>
      paid === 0
        ? [{ orgId, kind, id: id(first + n), source: "paid" }]
        : paid === 1
        ? [{ orgId, kind, id: id(first + n), source: kind === "property" ? "covered" : "free" }]
        : []
    )
  return {
    organizations: [defaults(orgId)],
    properties: [
      property({ id: id(90), countyFips: "99001" }),
      ...drawn.properties.map((each, n) =>
        property({
          id: id(n),
          countyFips: pick(counties, each.county) ?? open,
          research: each.researched ? research : null,
          retiredInto: each.retired === 0 ? id(90) : null
        })
      )
    ],
    firms: drawn.firms.map((name, n) => firm({ id: id(100 + n), name: pick(names, name) ?? "" })),
    propertyFirms: Array.from(
      ties.values(),
      (tie) =>
        tied(tie.property, 100 + tie.firm, FirmRole.literals[tie.role] ?? "owner", pick(kinds, tie.kind) ?? "web")
    ),
    contacts: drawn.people.map((each, n) =>
      contact({
        id: id(200 + n),
        fullName: pick(names, each.name) ?? "",
        title: pick(names, each.title),
        employerName: pick(names, each.employer),
        roleType: pick(RoleType.literals, each.role),
        seniority: pick(Seniority.literals, each.seniority) ?? "unknown",
        firmId: each.firm < 4 ? id(100 + each.firm) : null
      })
    ),
    relationships: drawn.people.flatMap(({ properties }, n) =>
      Array.from(new Set(properties)).filter(exists).map((propertyId) => attached(propertyId, 200 + n))
    ),
    accesses: [...accesses("property", 0, drawn.properties), ...accesses("contact", 200, drawn.people)],
    changes: drawn.people.flatMap(({ changed }, n) => [
      ...changed < 2 ? [change(300 + n, "contact_departure", 200 + n, changed * 1000)] : [],
      ...changed === 1 ? [{ ...change(400 + n, "withdrawn", 200 + n, 9000), withdraws: id(300 + n) }] : []
    ])
  }
}
